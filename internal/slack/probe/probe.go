package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/text"
)

// Options say what to ask for.
type Options struct {
	// APIURL ends with a slash. APISetting is where it is set; empty is the configuration.
	APIURL, APISetting string
	// BotToken and AppToken; one that is empty could not be read, which was told, and is not asked about.
	BotToken, AppToken string
	// Team is the only workspace that the bot serves.
	Team string
	// Channels that incidents go to: IDs or names.
	Channels []string
	// Post: a message is posted in each channel, and deleted.
	Post bool
	// UserGroups that access and actions depend on, by ID.
	UserGroups []string
	// Transport is for tests; nil is the default.
	Transport http.RoundTripper
}

// callTimeout is for one call, so that one without an answer leaves time for the others; all of them together have
// preflight.CheckTimeout. It is that of the client, which makes no other calls. Slack returned within a second; a proxy that swallows
// calls answers never.
const callTimeout = 10 * time.Second

// Run asks Slack. The findings are in the order in which one would repair them.
func Run(ctx context.Context, o Options) []preflight.Finding {
	p := &probe{Options: o, client: newClient(o)}
	var found []preflight.Finding
	if o.BotToken != "" {
		found = append(found, p.bot(ctx)...)
	}
	if o.AppToken != "" {
		found = append(found, p.socket(ctx))
	}
	return found
}

type probe struct {
	Options
	client *slack.Client
	// name is what people call the bot.
	name string
}

// bot looks at the bot token and at all that depends on it.
func (p *probe) bot(ctx context.Context) []preflight.Finding {
	const what = "slack bot token"
	if kind := kindOf(p.BotToken); kind != botToken {
		return []preflight.Finding{{What: what, Problem: fmt.Sprintf("this is %s", kind), Remedy: "set slack.botToken to the Bot User OAuth Token (xoxb-…) from OAuth & Permissions in the app's settings"}}
	}
	who, err := p.client.AuthTestContext(ctx)
	if err != nil {
		return []preflight.Finding{p.failed(what, err)}
	}
	p.name = who.User
	place := fmt.Sprintf("%s (%s)", who.Team, who.TeamID)
	if who.TeamID != p.Team && who.EnterpriseID != p.Team {
		return []preflight.Finding{{What: "slack workspace", Problem: "the bot token belongs to " + place + ", not to " + p.Team, Remedy: "correct slack.team, or install the app in the right workspace and use that token"}}
	}
	found := []preflight.Finding{{What: "slack workspace", Detail: place + ", as @" + who.User}}
	found = append(found, p.scopes(who.Header.Get("X-Oauth-Scopes"))...)
	found = append(found, p.channels(ctx)...)
	return append(found, p.groups(ctx)...)
}

// groups finds user groups that do not exist: nobody is in them, and nobody would be told why.
func (p *probe) groups(ctx context.Context) []preflight.Finding {
	if len(p.UserGroups) == 0 {
		return nil
	}
	const what = "slack user group"
	known, err := p.client.GetUserGroupsContext(ctx)
	if err != nil {
		return []preflight.Finding{p.failed(what, err)}
	}
	var found []preflight.Finding
	for _, id := range p.UserGroups {
		i := slices.IndexFunc(known, func(g slack.UserGroup) bool { return g.ID == id })
		if i < 0 {
			found = append(found, preflight.Finding{What: what + " " + id, Problem: "the group does not exist, or is disabled", Remedy: "correct its ID under access or actions; the ID is in the group's URL"})
			continue
		}
		found = append(found, preflight.Finding{What: fmt.Sprintf("%s @%s (%s)", what, known[i].Handle, id), Detail: "exists"})
	}
	return found
}

func (p *probe) scopes(granted string) []preflight.Finding {
	const what = "slack scope"
	lacking := missing(granted, len(p.UserGroups) > 0)
	if len(lacking) == 0 {
		return []preflight.Finding{{What: what, Detail: "all required scopes are granted"}}
	}
	var found []preflight.Finding
	for _, s := range lacking {
		found = append(found, preflight.Finding{
			What: what, Problem: fmt.Sprintf("%s is missing (to %s)", s.Name, s.Why),
			Remedy: "add it under OAuth & Permissions in the app's settings and reinstall the app",
		})
	}
	return found
}

// socket asks for the address of a socket and does not connect.
func (p *probe) socket(ctx context.Context) preflight.Finding {
	const what = "slack socket"
	if kind := kindOf(p.AppToken); kind != appToken {
		return preflight.Finding{What: what, Problem: fmt.Sprintf("the app token is %s", kind), Remedy: useAppToken}
	}
	if _, _, err := p.client.StartSocketModeContext(ctx); err != nil {
		return p.socketFailed(err)
	}
	return preflight.Finding{What: what, Detail: "can be opened"}
}

const useAppToken = "set slack.appToken to an app-level token (xapp-…) with the scope connections:write, from Basic Information in the app's settings"

// socketFailed says why no socket can be opened, and what to do.
func (p *probe) socketFailed(err error) preflight.Finding {
	const what = "slack socket"
	var refused slack.SlackErrorResponse
	switch {
	case errors.As(err, &refused) && refused.Err == "missing_scope":
		return preflight.Finding{What: what, Problem: "the app token lacks the scope connections:write", Remedy: "create a new app-level token with it under Basic Information in the app's settings"}
	case errors.As(err, &refused):
		return preflight.Finding{What: what, Problem: "Slack refuses to open one (" + refused.Err + ")", Remedy: "turn on Socket Mode in the app's settings, and " + useAppToken}
	}
	return p.failed(what, err)
}

// kind of a token, by its first letters. https://docs.slack.dev/authentication/tokens
type kind string

const (
	botToken kind = "a bot token"
	appToken kind = "an app-level token"
)

func kindOf(token string) kind {
	for _, known := range []struct {
		prefix string
		kind   kind
	}{
		{"xoxb-", botToken},
		{"xoxe.xoxb-", botToken}, // with token rotation
		{"xapp-", appToken},
		{"xoxp-", "a user token"},
		{"xoxe.xoxp-", "a user token"},
		{"xoxe-", "a refresh token"},
		{"xoxa-", "a legacy workspace app token"},
	} {
		if strings.HasPrefix(token, known.prefix) {
			return known.kind
		}
	}
	return "not a Slack token"
}

// failed says what went wrong with a call, and what to do.
func (p *probe) failed(what string, err error) preflight.Finding {
	var refused slack.SlackErrorResponse
	var limited *slack.RateLimitedError
	var status slack.StatusCodeError
	host := p.APIURL
	if u, parseErr := url.Parse(p.APIURL); parseErr == nil {
		host = u.Host
	}
	f := preflight.Finding{What: what}
	switch {
	case errors.As(err, &limited):
		f.Problem, f.Remedy = fmt.Sprintf("rate limited by Slack for %s", limited.RetryAfter), "try again after that"
	case errors.As(err, &refused):
		f.Problem, f.Remedy = p.refusal(refused)
	case errors.As(err, &status):
		f.Problem, f.Remedy = fmt.Sprintf("%s returned HTTP %d", host, status.Code), "check "+p.setting()+" and https://slack-status.com"
	case errors.Is(err, context.Canceled):
		f.Problem = "interrupted"
	default:
		f.Problem, f.Remedy = host+" is not reachable ("+withoutURL(err)+")", "check the network, the proxy and "+p.setting()
	}
	return f
}

// setting is where a person sets the address of Slack.
func (p *probe) setting() string { return cmp.Or(p.APISetting, "slack.apiURL") }

// refusal is for the codes that a person can do something about. https://docs.slack.dev/reference/methods/auth.test#errors
func (p *probe) refusal(r slack.SlackErrorResponse) (problem, remedy string) {
	switch r.Err {
	case "invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive":
		return "Slack rejects it (" + r.Err + ")", "reinstall the app and use the new token from OAuth & Permissions in the app's settings"
	case "missing_scope":
		return "the scope " + r.Needed + " is missing", "add it under OAuth & Permissions in the app's settings and reinstall the app"
	case "org_login_required", "team_access_not_granted":
		return "the app is not allowed in this workspace (" + r.Err + ")", "ask an admin of the organisation to approve it"
	}
	return "Slack returned " + r.Err, "look the code up at https://docs.slack.dev/reference/methods"
}

var secretQuery = regexp.MustCompile(`token=[^&\s"]+`)

// withoutURL is the network's error without the request around it.
func withoutURL(err error) string {
	var request *url.Error
	if errors.As(err, &request) {
		err = request.Err
	}
	return text.OneLine(secretQuery.ReplaceAllString(err.Error(), "token=…"))
}
