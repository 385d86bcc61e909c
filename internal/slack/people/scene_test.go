package people_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

const (
	organization = "E0ACME"
	second       = "T0SECOND" // another workspace of it, which has approved the app
	third        = "T0THIRD"  // one that has not
)

// scene is a workspace of an organization, with the people that it has.
type scene struct {
	*workspace.Workspace
	t   *testing.T
	bot workspace.App
	log bytes.Buffer
	// silent: Slack does not say of which organization somebody is.
	silent bool
}

// meet plays in a bubble, where minutes take no time.
func meet(t *testing.T, play func(t *testing.T, s *scene)) {
	t.Helper()
	meetIn(t, []string{second}, play)
}

// meetIn plays in an organization with these workspaces beside ours.
func meetIn(t *testing.T, others []string, play func(t *testing.T, s *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := workspacetest.New(t, workspace.Options{Enterprise: organization, Workspaces: others})
		play(t, &scene{Workspace: w, t: t, bot: w.AddApp(workspace.App{Name: "argo"})})
	})
}

// directory is that of a bot that serves a home.
func (s *scene) directory(home string) *people.Directory {
	client := slack.NewClient(s.bot.BotToken, "", "http://slack.test/api", &http.Client{Transport: s})
	return people.New(client, home, slog.New(slog.NewTextHandler(&s.log, nil)))
}

// RoundTrip is the way to Slack.
func (s *scene) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := s.Transport().RoundTrip(r)
	if err != nil || !s.silent {
		return answer, err
	}
	var body map[string]any
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		return nil, err
	}
	if user, ok := body["user"].(map[string]any); ok {
		delete(user, "enterprise_user")
	}
	raw, err := json.Marshal(body)
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	return answer, err
}

// is asks for the kind of a person; "" is an error.
func (s *scene) is(d *people.Directory, user string, want people.Kind) {
	s.t.Helper()
	s.claims(d, user, "", want)
}

// claims is is, of a payload that names a workspace.
func (s *scene) claims(d *people.Directory, user, claim string, want people.Kind) {
	s.t.Helper()
	got, err := d.Kind(s.t.Context(), user, claim)
	if got != want || (err == nil) != (want != "") {
		s.t.Errorf("%s, claimed by %q, is %q (%v), want %q", user, claim, got, err, want)
	}
}
