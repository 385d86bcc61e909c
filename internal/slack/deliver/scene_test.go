package deliver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

// scene is a workspace with two channels that the bot is in, and a Sender.
type scene struct {
	*workspace.Workspace
	app              workspace.App
	deploys, billing *workspace.Channel
	team             string     // what is configured; empty for any
	key              button.Key // nil for messages without buttons that act
	sender           *deliver.Threads
	metrics          *prometheus.Registry
}

func newScene(t *testing.T, options ...workspace.Options) *scene {
	t.Helper()
	s := &scene{Workspace: workspacetest.New(t, options...), metrics: prometheus.NewRegistry()}
	s.app = s.AddApp(workspace.App{Name: "argo"})
	s.AddUser(workspace.User{Name: "alice"})
	s.deploys = s.AddChannel("deploys", "alice", "argo")
	s.billing = s.AddChannel("billing", "alice", "argo")
	s.sender = s.newSender(t)
	return s
}

// newSender is a Sender that knows nothing, as after a restart.
func (s *scene) newSender(t *testing.T) *deliver.Threads {
	t.Helper()
	client := slack.New(s.app.BotToken, slack.OptionAPIURL("http://slack.test/api/"), slack.OptionHTTPClient(&http.Client{Transport: s.Transport()}))
	s.metrics = prometheus.NewRegistry()
	sender := deliver.New(deliver.Options{
		Client: client, Team: s.team, Key: s.key, Audience: func(context.Context, string) audience.Audience { return audience.All() }, Registerer: s.metrics, Links: render.Links{ArgoCD: map[string]string{"": "https://argocd.example.com"}},
	})
	t.Cleanup(func() {
		if err := sender.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return sender.Threads(nil)
}

// failing is an incident that nobody was told of.
func failing(name string, replies ...incident.Reply) *incident.Incident {
	app := incident.App{Namespace: "argocd", Name: name}
	now := time.Now()
	return &incident.Incident{
		ID: name + "-k3v9q2mz", Phase: incident.Open, Channel: "deploys", Since: now, Seen: now, OpenedAt: now, Outbox: replies,
		Cause: incident.Cause{Rule: "hook/job-failed"}, Members: []incident.Member{{App: app, Since: now}},
		Report: &diagnose.Report{App: app, Verdict: diagnose.VerdictFailing, Headline: name + ": PreSync hook failed", Findings: []diagnose.Finding{{
			Rule: "hook/job-failed", Confidence: diagnose.Certain, Why: "Job/migrate exited 1.", Fix: []diagnose.Fix{{Text: "Repair it", Command: "kubectl get job"}},
			Evidence: []diagnose.Quote{{From: "log", Text: "connection refused"}},
		}}},
	}
}

func reply(number int, headline string) incident.Reply {
	return incident.Reply{Number: number, Reason: incident.CauseChanged, Headline: headline, Rule: "hook/job-failed"}
}

// tell tells all there is to tell, message by message, and takes over what was told, as the Syncer does. It comes again where the
// error says when, as long as that is soon, and where it is not known what became of an attempt.
func (s *scene) tell(t *testing.T, i *incident.Incident, uncertain bool) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for failures := 0; ; {
		told, err := s.sender.Notify(ctx, i, why(i), uncertain)
		i.Thread = told.Thread
		i.Outbox = slices.DeleteFunc(i.Outbox, func(r incident.Reply) bool { return slices.Contains(told.Numbers, r.Number) })
		if err == nil && told.All {
			return nil
		}
		var known *incident.NotifyError
		if errors.As(err, &known) {
			uncertain = uncertain || !known.Certain
			if failures++; known.Permanent || known.After > 5*time.Minute || known.After == 0 && known.Certain || !known.Certain && known.Code != "unanswered" && failures > 3 {
				return err
			}
			time.Sleep(known.After)
			continue
		}
		uncertain = false
	}
}

// why is the reason for which an incident is told next.
func why(i *incident.Incident) incident.Due {
	switch {
	case i.Thread.TS == "":
		return incident.NewRoot
	case i.Thread.DetailsTS == "" || len(i.Outbox) > 0:
		return incident.History
	}
	return incident.Correction
}

func (s *scene) told(t *testing.T, i *incident.Incident, uncertain bool) {
	t.Helper()
	if err := s.tell(t, i, uncertain); err != nil {
		t.Fatal(err)
	}
}

// seqs are the numbers in the metadata of messages, in the order in which they stand.
func seqs(t *testing.T, messages []workspace.Message) string {
	t.Helper()
	var out []string
	for _, m := range messages {
		var data slack.SlackMetadata
		if err := json.Unmarshal(m.Metadata, &data); err != nil {
			t.Fatalf("%s: %v", m.Metadata, err)
		}
		out = append(out, fmt.Sprint(data.EventPayload["seq"]))
	}
	return strings.Join(out, " ")
}

// thread is what stands in the only thread of a channel.
func thread(t *testing.T, c *workspace.Channel) []workspace.Message {
	t.Helper()
	roots := c.Messages()
	if len(roots) != 1 {
		t.Fatalf("%d root messages, want one", len(roots))
	}
	return c.Thread(roots[0].TS)
}

// count is the sum of a metric.
func (s *scene) count(t *testing.T, name string) float64 {
	t.Helper()
	families, err := s.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name {
				sum += m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	return sum
}

// gone deletes messages as their author.
func (s *scene) gone(t *testing.T, c *workspace.Channel, messages ...workspace.Message) {
	t.Helper()
	client := slack.New(s.app.BotToken, slack.OptionAPIURL("http://slack.test/api/"), slack.OptionHTTPClient(&http.Client{Transport: s.Transport()}))
	for _, m := range messages {
		if _, _, err := client.DeleteMessageContext(t.Context(), c.ID(), m.TS); err != nil {
			t.Fatal(err)
		}
	}
}
