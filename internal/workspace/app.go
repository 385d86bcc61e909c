package workspace

import (
	"cmp"
	"slices"
	"strings"
)

// App is an installed app with its bot. AddApp fills what is empty.
type App struct {
	ID       string
	Name     string
	BotToken string // xoxb-…
	AppToken string // xapp-…
	Scopes   []string
	// AppScopes are those of the AppToken; nil is connections:write, which Socket Mode needs.
	AppScopes []string
	// Commands like "/argo". Command refuses those that no app has.
	Commands []string
	// Events the app subscribed to, like app_mention and message.channels; nil is all of them. An event also needs its
	// scope.
	Events []string

	BotUserID string
	BotID     string
}

type app struct {
	App
	teamID  string
	revoked bool
}

// BotScopes are all that a method or an event of the workspace asks for.
var BotScopes = []string{
	"app_mentions:read", "channels:history", "channels:join", "channels:read", "chat:write", "chat:write.public", "commands",
	"files:write", "groups:history", "groups:read", "im:history", "im:read", "im:write", "metadata.message:read",
	"mpim:history", "mpim:read", "mpim:write", "reactions:read", "reactions:write", "team:read", "usergroups:read",
	"users:read", "users:read.email",
}

// AddApp installs an app. Without Scopes it has all but chat:write.public, which few ask for and which hides that a bot
// was not invited.
func (w *Workspace) AddApp(a App) App {
	w.do(func() {
		a.ID = cmp.Or(a.ID, w.newID("A"))
		a.Name = cmp.Or(a.Name, "argo")
		a.BotID = cmp.Or(a.BotID, w.newID("B"))
		a.BotToken = cmp.Or(a.BotToken, "xoxb-"+a.ID+"-bot")
		a.AppToken = cmp.Or(a.AppToken, "xapp-1-"+a.ID+"-app")
		if a.Scopes == nil {
			a.Scopes = slices.DeleteFunc(slices.Clone(BotScopes), func(s string) bool { return s == "chat:write.public" })
		}
		if a.AppScopes == nil {
			a.AppScopes = []string{connectionsWrite}
		}
		a.BotUserID = w.addUser(User{ID: a.BotUserID, Name: a.Name, Bot: true, AppID: a.ID, BotID: a.BotID}).ID
		w.apps[a.ID] = &app{App: a, teamID: w.teamID}
	})
	return a
}

// Revoke makes the tokens of an app worthless, as uninstalling it does.
func (w *Workspace) Revoke(a App) {
	w.do(func() { w.apps[a.ID].revoked = true })
}

// SetScopes changes what the bot may do.
func (w *Workspace) SetScopes(a App, scopes ...string) {
	w.do(func() { w.apps[a.ID].Scopes = scopes })
}

func (a *app) may(scope string) bool { return slices.Contains(a.Scopes, scope) }

// mayAny: one of the scopes is enough, as for the four kinds of conversation.
func (a *app) mayAny(scopes []string) bool {
	return len(scopes) == 0 || slices.ContainsFunc(scopes, a.may)
}

func (a *app) provided() string { return strings.Join(a.Scopes, ",") }

const connectionsWrite = "connections:write"

// byToken finds the app and whether it is its app-level token.
func (w *Workspace) byToken(token string) (found *app, appLevel bool) {
	for _, a := range w.apps {
		switch token {
		case a.BotToken:
			return a, false
		case a.AppToken:
			return a, true
		}
	}
	return nil, false
}
