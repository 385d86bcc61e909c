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
	{Name: "channels:history", Why: "find its own posts in public channels after a crash, so that nothing is told twice"},
	{Name: "channels:read", Why: "find public channels by name, see whether it is a member, and whether who presses a button is"},
	{Name: "chat:write", Why: "post and update incidents and answers"},
	{Name: "commands", Why: "be asked with the slash command"},
	{Name: "groups:history", Why: "find its own posts in private channels after a crash, so that nothing is told twice"},
	{Name: "groups:read", Why: "find private channels by name, see whether it is a member, and whether who presses a button is"},
	{Name: "im:history", Why: "read what people write to it directly"},
	{Name: "im:write", Why: "answer somebody alone who asks where it may not post, and know whose direct messages a button was pressed in"},
	{Name: "metadata.message:read", Why: "know its own posts again after a crash, so that nothing is told twice"},
	{Name: "usergroups:read", Why: "know who is in a user group that access or actions are given to", Groups: true},
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
