package probe_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/slack/probe"
	"github.com/argo-why/argo-why/internal/workspace"
)

// scene is a workspace with the app of the manifest, which is a member of #alerts.
type scene struct {
	*workspace.Workspace
	app     workspace.App
	options probe.Options
}

func newScene(t *testing.T) *scene {
	t.Helper()
	w := workspace.New(workspace.Options{})
	t.Cleanup(w.Close)
	server, err := workspace.Start(t.Context(), "127.0.0.1:0", w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	var scopes []string
	for _, s := range probe.Scopes {
		scopes = append(scopes, s.Name)
	}
	app := w.AddApp(workspace.App{Name: "argo", Scopes: scopes})
	w.AddChannel("alerts", app.BotUserID)
	return &scene{w, app, probe.Options{
		APIURL: server.URL + "/api/", BotToken: app.BotToken, AppToken: app.AppToken, Team: w.TeamID(), Channels: []string{"alerts"},
	}}
}

// sees runs the probe and compares the lines; … in a wanted line stands for any text.
func (s *scene) sees(t *testing.T, want ...string) {
	t.Helper()
	compare(t, probe.Run(t.Context(), s.options), want)
}

func compare(t *testing.T, findings []preflight.Finding, want []string) {
	t.Helper()
	var got []string
	for _, f := range findings {
		got = append(got, f.String())
	}
	if !slices.EqualFunc(got, want, like) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func like(got, want string) bool {
	start, end, open := strings.Cut(want, "…")
	return got == want || open && strings.HasPrefix(got, start) && strings.HasSuffix(got, end)
}

func TestAllIsWell(t *testing.T) {
	s := newScene(t)
	s.sees(t,
		"✓ slack workspace: Acme ("+s.TeamID()+"), as @argo",
		"✓ slack scope: all required scopes are granted",
		"✓ slack channel #alerts ("+s.Channel("alerts").ID()+"): the bot is a member",
		"✓ slack socket: can be opened")
	if n := s.Calls("chat.postMessage"); n != 0 {
		t.Errorf("%d messages were posted", n)
	}
}

func TestMissingScopesAreNamedWithTheirReason(t *testing.T) {
	s := newScene(t)
	s.options.UserGroups = []string{s.AddGroup(workspace.Group{Handle: "oncall"}).ID}
	s.SetScopes(s.app, slices.DeleteFunc(slices.Clone(s.app.Scopes), func(name string) bool { return name == "chat:write" || name == "usergroups:read" })...)
	s.sees(t,
		"✓ slack workspace: …",
		"✗ slack scope: chat:write is missing (to post and update incidents and answers): add it under OAuth & Permissions in the app's settings and reinstall the app",
		"✗ slack scope: usergroups:read is missing (to look up the members of user groups under access and actions): add it under OAuth & Permissions in the app's settings and reinstall the app",
		"✓ slack channel …", "✗ slack user group: the scope usergroups:read is missing: …", "✓ slack socket: can be opened")
	s.options.UserGroups = nil
	s.sees(t, "✓ slack workspace: …", "✗ slack scope: chat:write is missing…", "✓ slack channel …", "✓ slack socket: can be opened")
}

func TestChannelsCannotBeSeenWithoutTheirScope(t *testing.T) {
	s := newScene(t)
	s.SetScopes(s.app, slices.DeleteFunc(slices.Clone(s.app.Scopes), func(name string) bool { return name == "groups:read" })...)
	s.sees(t, "✓ slack workspace: …", "✗ slack scope: groups:read is missing…",
		"✗ slack channel alerts: the scope groups:read is missing: add it under OAuth & Permissions in the app's settings and reinstall the app",
		"✓ slack socket: can be opened")
}

func TestChannelsWhereNothingCouldBePosted(t *testing.T) {
	s := newScene(t)
	s.AddChannel("strange")
	secret := s.AddPrivateChannel("secret")
	s.AddPrivateChannel("inside", s.app.BotUserID)
	old := s.AddChannel("old", s.app.BotUserID)
	old.Archive()
	s.options.Channels = []string{"strange", "secret", "inside", "old", old.ID(), secret.ID(), "C0NOTTHERE", "notthere"}
	s.sees(t, "✓ slack workspace: …", "✓ slack scope: …",
		"✗ slack channel #strange (…): the bot is not a member: type /invite @argo in it",
		"✗ slack channel secret: the channel does not exist, or it is private and the bot is not a member: correct the name, or create the channel and type /invite @argo in it",
		"✓ slack channel #inside (…): the bot is a member",
		"✗ slack channel #old ("+old.ID()+"): is archived: unarchive it, or configure another channel",
		"✗ slack channel #old ("+old.ID()+"): is archived: unarchive it, or configure another channel",
		"✗ slack channel "+secret.ID()+": the channel does not exist, or it is private and the bot is not a member: correct the ID, or type /invite @argo in the channel",
		"✗ slack channel C0NOTTHERE: the channel does not exist, …",
		"✗ slack channel notthere: the channel does not exist, …",
		"✓ slack socket: can be opened")
}

// TestChannelsThatOthersReadAreNamed: it is the operator's choice, so it is a warning.
func TestChannelsThatOthersReadAreNamed(t *testing.T) {
	s := newScene(t)
	for name, with := range map[string]workspace.Sharing{"partners": workspace.WithStrangers, "soon": workspace.StrangersInvited, "colleagues": workspace.InOrganization} {
		s.AddChannel(name, s.app.BotUserID).Share(with)
	}
	s.options.Channels = []string{"partners", s.Channel("partners").ID(), "soon", "colleagues"}
	s.sees(t, "✓ slack workspace: …", "✓ slack scope: …",
		"! slack channel #partners (…): it is shared with another organization, whose people can read the incidents posted here: route incidents to another channel, unless this is intended",
		"! slack channel #partners (…): it is shared with another organization, whose people can read the incidents posted here: route incidents to another channel, unless this is intended",
		"! slack channel #soon (…): another organization is invited to it, whose people can read the incidents posted here once it accepts: route incidents to another channel, unless this is intended",
		"✓ slack channel #colleagues (…): the bot is a member",
		"✓ slack socket: can be opened")
	if !preflight.AllOK(probe.Run(t.Context(), s.options)) {
		t.Error("the warning fails the check")
	}
}

func TestChannelBehindTheFirstPageIsFound(t *testing.T) {
	s := newScene(t)
	for i := range 1000 {
		s.AddChannel("c" + strings.Repeat("x", i%70) + string(rune('a'+i/70)))
	}
	s.AddChannel("zz-last", s.app.BotUserID)
	s.options.Channels = []string{"zz-last"}
	s.sees(t, "✓ slack workspace: …", "✓ slack scope: …", "✓ slack channel #zz-last (…): the bot is a member", "✓ slack socket: …")
	if n := s.Calls("conversations.list"); n != 2 {
		t.Errorf("%d pages were read", n)
	}
}

func TestUserGroupsThatAccessDependsOn(t *testing.T) {
	s := newScene(t)
	group := s.AddGroup(workspace.Group{Handle: "oncall"}).ID
	s.options.UserGroups = []string{"S0NOTTHERE", group}
	s.sees(t, "✓ slack workspace: …", "✓ slack scope: …", "✓ slack channel …",
		"✗ slack user group S0NOTTHERE: the group does not exist, or is disabled: correct its ID under access or actions; the ID is in the group's URL",
		"✓ slack user group @oncall ("+group+"): exists",
		"✓ slack socket: can be opened")
}

func TestTokensInTheWrongPlace(t *testing.T) {
	s := newScene(t)
	s.options.BotToken, s.options.AppToken = s.options.AppToken, s.options.BotToken
	s.sees(t,
		"✗ slack bot token: this is an app-level token: set slack.botToken to the Bot User OAuth Token (xoxb-…) from OAuth & Permissions in the app's settings",
		"✗ slack socket: the app token is a bot token: set slack.appToken to an app-level token (…")
	s.options.BotToken, s.options.AppToken = "xoxp-1", "hello"
	s.sees(t, "✗ slack bot token: this is a user token: …", "✗ slack socket: the app token is not a Slack token: …")
	if n := s.Calls("auth.test"); n != 0 {
		t.Errorf("Slack was asked %d times in vain", n)
	}
}

func TestTokensThatSlackRefuses(t *testing.T) {
	s := newScene(t)
	s.Revoke(s.app)
	s.sees(t,
		"✗ slack bot token: Slack rejects it (token_revoked): reinstall the app and use the new token from OAuth & Permissions in the app's settings",
		"✗ slack socket: Slack refuses to open one (token_revoked): turn on Socket Mode…")
}

func TestSocketWithoutItsScope(t *testing.T) {
	s := newScene(t)
	s.Fault(workspace.Fault{Method: "apps.connections.open", Error: "missing_scope"})
	s.options.BotToken = "" // could not be read, which was told
	s.sees(t, "✗ slack socket: the app token lacks the scope connections:write: create a new app-level token with it under Basic Information in the app's settings")
}

func TestAnotherWorkspace(t *testing.T) {
	s := newScene(t)
	s.options.Team = "T0OTHER"
	s.sees(t,
		"✗ slack workspace: the bot token belongs to Acme ("+s.TeamID()+"), not to T0OTHER: correct slack.team, …",
		"✓ slack socket: can be opened")
}

func TestSlackInTrouble(t *testing.T) {
	for want, fault := range map[string]workspace.Fault{
		"✗ slack bot token: rate limited by Slack for 30s: try again after that":                                      {Status: 429, RetryAfter: 30 * time.Second},
		"✗ slack bot token: 127.0.0.1:… returned HTTP 503: check slack.apiURL and https://slack-status.com":           {Status: 503},
		"✗ slack bot token: Slack returned fatal_error: look the code up at https://docs.slack.dev/reference/methods": {Error: "fatal_error"},
		"✗ slack bot token: 127.0.0.1:… is not reachable (EOF): check the network, the proxy and slack.apiURL":        {Drop: true},
	} {
		s := newScene(t)
		fault.Method = "auth.test"
		s.Fault(fault)
		s.options.AppToken = ""
		s.sees(t, want)
	}
}

func TestNobodyAtTheAddress(t *testing.T) {
	s := newScene(t)
	s.options.APIURL = "http://127.0.0.1:1/api/"
	findings := probe.Run(t.Context(), s.options)
	compare(t, findings, []string{
		"✗ slack bot token: 127.0.0.1:1 is not reachable (dial tcp 127.0.0.1:1: connect: connection refused): check the network, the proxy and slack.apiURL",
		"✗ slack socket: 127.0.0.1:1 is not reachable (…",
	})
	for _, f := range findings {
		if strings.Contains(f.String(), s.app.BotToken) || strings.Contains(f.String(), s.app.AppToken) {
			t.Errorf("a token is shown: %s", f)
		}
	}
}
