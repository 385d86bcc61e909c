package probe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/preflight"
)

// ErrUnanswered is in the error of a question that Slack did not answer: it says nothing about the token.
var ErrUnanswered = errors.New("not checked")

// Workspace is where a bot token is valid.
type Workspace struct {
	// IDs are that of the workspace, and of its organization if it is in one. Each can be slack.team.
	IDs []string
	// Host is its address: acme.slack.com.
	Host string
	// Shown is its name and ID, and what the bot is called there.
	Shown string
}

// WorkspaceOf asks for the workspace of a bot token.
func WorkspaceOf(ctx context.Context, apiURL, token string) (Workspace, error) {
	p := asked(Options{APIURL: apiURL, BotToken: token})
	who, err := p.client.AuthTestContext(ctx)
	if err != nil {
		return Workspace{}, asError(p.failed("slack bot token", err), err)
	}
	host := strings.Trim(strings.TrimPrefix(who.URL, "https://"), "/")
	w := Workspace{IDs: []string{who.TeamID}, Host: host, Shown: fmt.Sprintf("%s (%s), as @%s", who.Team, who.TeamID, who.User)}
	if who.EnterpriseID != "" {
		w.IDs = append(w.IDs, who.EnterpriseID)
	}
	return w, nil
}

// CheckSocket reports why no socket can be opened with an app-level token.
func CheckSocket(ctx context.Context, apiURL, token string) error {
	p := asked(Options{APIURL: apiURL, AppToken: token})
	_, _, err := p.client.StartSocketModeContext(ctx)
	if err == nil {
		return nil
	}
	return asError(p.socketFailed(err), err)
}

// asked is a probe of a token from a person, who has no configuration yet.
func asked(o Options) *probe {
	o.APISetting = "--slack-api-url"
	return &probe{Options: o, client: newClient(o)}
}

// asError is a finding in one line, with what caused it.
func asError(f preflight.Finding, err error) error {
	problem := f.Problem
	if f.Remedy != "" {
		problem += ": " + f.Remedy
	}
	var refused slack.SlackErrorResponse
	if errors.As(err, &refused) {
		return errors.New(problem)
	}
	return fmt.Errorf("%w: %s", ErrUnanswered, problem)
}

func newClient(o Options) *slack.Client {
	return slack.New(o.BotToken,
		slack.OptionAppLevelToken(o.AppToken),
		slack.OptionAPIURL(o.APIURL),
		slack.OptionHTTPClient(&http.Client{Timeout: callTimeout, Transport: o.Transport}),
	)
}
