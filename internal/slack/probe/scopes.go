package probe

import (
	"slices"
	"strings"
)

// Scope is a right of the bot token. https://docs.slack.dev/reference/scopes
type Scope struct {
	Name string
	// Why is what the bot cannot do without it.
	Why string
	// Groups: needed only where access or actions are given to user groups.
	Groups bool
}

// Scopes are all that the bot uses; deploy/slack/manifest.yaml asks for exactly these.
var Scopes = []Scope{
	{Name: "app_mentions:read", Why: "hear @argo in channels and threads"},
	{Name: "channels:history", Why: "find its own posts in public channels after a crash, so nothing is posted twice"},
	{Name: "channels:read", Why: "find public channels by name, to see which are shared, and to check that the bot and whoever presses a button are members"},
	{Name: "chat:write", Why: "post and update incidents and answers"},
	{Name: "commands", Why: "answer the slash command"},
	{Name: "groups:history", Why: "find its own posts in private channels after a crash, so nothing is posted twice"},
	{Name: "groups:read", Why: "find private channels by name, to see which are shared, and to check that the bot and whoever presses a button are members"},
	{Name: "im:history", Why: "read direct messages to the bot"},
	{Name: "im:write", Why: "answer privately where the bot cannot post, and to know whose direct message a button was pressed in"},
	{Name: "metadata.message:read", Why: "recognise its own posts after a crash, so nothing is posted twice"},
	{Name: "usergroups:read", Why: "look up the members of user groups under access and actions", Groups: true},
	{Name: "users:read", Why: "tell members from guests and from people of other workspaces; without it, the bot answers nobody"},
}

// Names are those of all scopes.
func Names() []string {
	var out []string
	for _, s := range Scopes {
		out = append(out, s.Name)
	}
	return out
}

// missing are the scopes that are needed and not among those of the token.
func missing(granted string, groups bool) []Scope {
	has := strings.FieldsFunc(granted, func(r rune) bool { return r == ',' || r == ' ' })
	return slices.DeleteFunc(slices.Clone(Scopes), func(s Scope) bool {
		return s.Groups && !groups || slices.Contains(has, s.Name)
	})
}
