package deliver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
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
	sender           *deliver.Sender
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
func (s *scene) newSender(t *testing.T) *deliver.Sender {
	t.Helper()
	client := slack.New(s.app.BotToken, slack.OptionAPIURL("http://slack.test/api/"), slack.OptionHTTPClient(&http.Client{Transport: s.Transport()}))
	s.metrics = prometheus.NewRegistry()
	sender := deliver.New(deliver.Options{
		Client: client, Registerer: s.metrics, Links: render.Links{ArgoCD: map[string]string{"": "https://argocd.example.com"}},
	})
	t.Cleanup(func() {
		if err := sender.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return sender
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

// tell tells and takes over what was told, as the reconciler does.
func (s *scene) tell(t *testing.T, i *incident.Incident, uncertain bool) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	told, err := s.sender.Tell(ctx, i, uncertain)
	i.Thread = told.Thread
	i.Outbox = slices.DeleteFunc(i.Outbox, func(r incident.Reply) bool { return slices.Contains(told.Numbers, r.Number) })
	return err
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

func TestAnIncidentGetsRootDetailsAndRepliesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web", reply(2, "first"), reply(3, "second"), reply(5, "third"))
		s.told(t, i, false)
		got := thread(t, s.deploys)
		if n := seqs(t, got); n != "0 1 2 3 5" {
			t.Errorf("messages %s", n)
		}
		if !strings.Contains(got[0].Text, "web: PreSync hook failed\nJob/migrate exited 1.\nFix: Repair it") {
			t.Errorf("notification %q", got[0].Text)
		}
		if len(i.Outbox) != 0 || i.Thread.Permalink != s.deploys.Permalink(got[0].TS) || i.Thread.Channel != s.deploys.ID() {
			t.Errorf("told %+v, left %v", i.Thread, i.Outbox)
		}
		for _, call := range s.Log("chat.postMessage") {
			if call.Args.Get("unfurl_links") != "false" || call.Args.Get("unfurl_media") != "false" || call.Args.Get("parse") == "full" {
				t.Errorf("texts would be unfurled: %v", call.Args)
			}
		}
	})
}

func TestNothingNewIsNotTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, i, false)
		before := s.Calls("")
		s.told(t, i, false)
		if n := s.Calls("") - before; n != 0 {
			t.Errorf("%d calls for nothing new", n)
		}
	})
}

func TestManyChangesAreOneUpdateInPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, i, false)
		for n := range 20 { // all before the next Tell
			r := *i.Report
			r.Headline = fmt.Sprintf("web: attempt %d failed", n)
			i.Report = &r
		}
		s.told(t, i, false)
		got := thread(t, s.deploys)
		if got[0].Updates != 1 || !strings.Contains(got[0].Text, "attempt 19") {
			t.Errorf("%d updates, shows %q", got[0].Updates, got[0].Text)
		}
		if s.Calls("chat.postMessage") != 2 {
			t.Errorf("%d posts", s.Calls("chat.postMessage"))
		}
	})
}

func TestKilledBetweenAnyPostAndTheJournalNothingIsToldTwice(t *testing.T) {
	for lost := range 4 { // the answer of this post never reaches the journal
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			i := failing("web", reply(2, "first"), reply(3, "second"))
			s.Fault(workspace.Fault{Method: "chat.postMessage", Skip: lost + 1, Times: -1, Hang: true})
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			if _, err := s.sender.Tell(ctx, i, false); err == nil && lost < 3 {
				t.Fatal("told although Slack was silent")
			}
			s.ClearFaults()
			s.sender = s.newSender(t) // nothing of what it was told survived
			s.told(t, i, true)
			if n := seqs(t, thread(t, s.deploys)); n != "0 1 2 3" {
				t.Errorf("killed after %d posts: messages %s", lost+1, n)
			}
		})
	}
}

func TestALostAnswerIsLookedForBeforeItIsToldAgain(t *testing.T) {
	for at := range 4 {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			s.Fault(workspace.Fault{Method: "chat.postMessage", Skip: at, LoseAnswer: true})
			s.told(t, failing("web", reply(2, "first"), reply(3, "second")), false)
			if n := seqs(t, thread(t, s.deploys)); n != "0 1 2 3" {
				t.Errorf("answer %d lost: messages %s", at, n)
			}
		})
	}
}

func TestFaultsOfSlackPass(t *testing.T) {
	for name, fault := range map[string]workspace.Fault{
		"429":                  {Status: 429, RetryAfter: 20 * time.Second, Times: 3},
		"503":                  {Status: 503},
		"broken connection":    {Drop: true},
		"internal_error":       {Error: "internal_error"},
		"silence":              {Hang: true},
		"429 without a moment": {Status: 429},
		"slow":                 {Delay: 8 * time.Second, Times: 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				fault.Method = "chat.postMessage"
				s.Fault(fault)
				s.told(t, failing("web", reply(2, "first")), false)
				if n := seqs(t, thread(t, s.deploys)); n != "0 1 2" {
					t.Errorf("messages %s", n)
				}
			})
		})
	}
}

func TestWhileSlackIsDownTheErrorIsNotPermanentAndLaterItIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.Fault(workspace.Fault{Status: 503, Times: -1})
		err := s.tell(t, i, false)
		var told *incident.TellError
		if !errors.As(err, &told) || told.Permanent {
			t.Fatalf("got %v", err)
		}
		s.ClearFaults()
		s.told(t, i, true)
		if n := seqs(t, thread(t, s.deploys)); n != "0 1" {
			t.Errorf("messages %s", n)
		}
	})
}

func TestNoPostBeforeTheMomentThatSlackNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", Status: 429, RetryAfter: 30 * time.Second})
		start := time.Now()
		s.told(t, failing("web"), false)
		calls := s.Log("chat.postMessage")
		if wait := calls[1].At.Sub(start); wait < 30*time.Second || wait > 32*time.Second {
			t.Errorf("came back after %s", wait)
		}
	})
}

func TestARetryAfterBeyondTheDeadlineIsHandedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", Status: 429, RetryAfter: time.Hour})
		start := time.Now()
		err := s.tell(t, failing("web"), false)
		var told *incident.TellError
		if !errors.As(err, &told) || told.Code != "ratelimited" || !told.Certain || told.Permanent || told.After < 59*time.Minute {
			t.Errorf("got %+v", told)
		}
		if time.Since(start) > time.Second {
			t.Errorf("waited %s in vain", time.Since(start))
		}
	})
}

func TestAChannelThatWaitsHoldsUpNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{
			Method: "chat.postMessage", Status: 429, RetryAfter: time.Minute,
			Match: func(args url.Values) bool { return args.Get("channel") == s.deploys.ID() },
		})
		start := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() { s.told(t, failing("web"), false) })
		wg.Go(func() {
			time.Sleep(time.Second)
			i := failing("bills")
			i.Channel = s.billing.ID()
			s.told(t, i, false)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("the other channel was told after %s", took)
			}
		})
		wg.Wait()
		if took := time.Since(start); took < time.Minute {
			t.Errorf("told after %s", took)
		}
	})
}

func TestAStormKeepsThePaceOfSlack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, workspace.Options{Pace: true})
		const many = 20
		var wg sync.WaitGroup
		for n := range many {
			wg.Go(func() { s.told(t, failing(fmt.Sprintf("web-%d", n)), false) })
		}
		wg.Wait()
		if n := len(s.deploys.Messages()); n != many {
			t.Errorf("%d threads", n)
		}
		limited := 0
		for _, call := range s.Log("chat.postMessage") {
			if call.Status == http.StatusTooManyRequests {
				limited++
			}
		}
		if limited > 0 {
			t.Errorf("Slack had to say %d times that it is too much", limited)
		}
	})
}

func TestWhatAPersonMustRepairIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		harm   func(s *scene)
		code   string
		remedy string
	}{
		"archived": {func(s *scene) { s.deploys.Archive() }, "is_archived", "unarchive the channel"},
		"not invited": {func(s *scene) {
			s.SetScopes(s.app, "chat:write", "channels:read", "groups:read")
			s.deploys.Kick("argo")
		}, "not_in_channel", "/invite"},
		"token":        {func(s *scene) { s.Revoke(s.app) }, "token_revoked", "install the app again"},
		"scope":        {func(s *scene) { s.SetScopes(s.app, "channels:read", "groups:read") }, "missing_scope", "add the scope"},
		"no channel":   {func(s *scene) {}, "channel_not_found", "check the channel in the configuration"},
		"no bot there": {func(s *scene) { s.Fault(workspace.Fault{Method: "chat.postMessage", Error: "restricted_action"}) }, "restricted_action", "ask an administrator"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				i := failing("web")
				if name == "no channel" {
					i.Channel = "#nowhere"
				}
				c.harm(s)
				err := s.tell(t, i, false)
				var told *incident.TellError
				if !errors.As(err, &told) || told.Code != c.code || !told.Permanent || !told.Certain || !strings.Contains(told.Remedy, c.remedy) {
					t.Fatalf("got %+v", err)
				}
				if n := s.count(t, "argo_why_slack_permanent_errors_total"); n != 1 {
					t.Errorf("counted %v times", n)
				}
			})
		})
	}
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

func TestARefusedMessageIsToldAsPlainText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", Error: "invalid_blocks"})
		s.told(t, failing("web"), false)
		got := thread(t, s.deploys)
		if len(got) != 2 || got[0].Blocks != nil || !strings.Contains(got[0].Text, "PreSync hook failed") {
			t.Errorf("shows %+v", got[0])
		}
		if n := s.count(t, "argo_why_slack_plain_messages_total"); n != 1 {
			t.Errorf("counted %v times", n)
		}
	})
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

func TestADeletedThreadIsToldAnewWhileItFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, i, false)
		all := thread(t, s.deploys)
		s.gone(t, s.deploys, all[1], all[0])
		r := *i.Report
		r.Headline = "web: fails in another way"
		i.Report, i.Outbox = &r, []incident.Reply{reply(2, "changed")}
		s.told(t, i, false)
		if n := seqs(t, thread(t, s.deploys)); n != "0 1 2" {
			t.Errorf("messages %s", n)
		}
	})
}

func TestDeletedDetailsComeBackInTheSameThread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, i, false)
		s.gone(t, s.deploys, thread(t, s.deploys)[1])
		r := *i.Report
		r.Headline, r.Findings = "web: fails in another way", slices.Clone(r.Findings)
		r.Findings[0].Evidence = []diagnose.Quote{{From: "log", Text: "no route to host"}}
		i.Report = &r
		s.told(t, i, false)
		got := thread(t, s.deploys)
		if n := seqs(t, got); n != "0 1" || got[0].Updates != 1 {
			t.Errorf("messages %s, %d updates", n, got[0].Updates)
		}
	})
}

func TestADeletedThreadStaysDeletedWhenAllIsWell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, i, false)
		all := thread(t, s.deploys)
		s.gone(t, s.deploys, all[1], all[0])
		i.Phase, i.RecoveredAt, i.Outbox = incident.Recovered, time.Now().Add(time.Hour), []incident.Reply{reply(2, "well")}
		s.told(t, i, false)
		if len(s.deploys.All()) != 0 || len(i.Outbox) != 0 {
			t.Errorf("%d messages, %d due", len(s.deploys.All()), len(i.Outbox))
		}
	})
}

func TestAForeignMessageWithOurMetadataIsNotTakenForOurs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		other := s.AddApp(workspace.App{Name: "impostor"})
		s.deploys.Invite("impostor")
		i := failing("web")
		client := slack.New(other.BotToken, slack.OptionAPIURL("http://slack.test/api/"), slack.OptionHTTPClient(&http.Client{Transport: s.Transport()}))
		if _, _, err := client.PostMessageContext(t.Context(), s.deploys.ID(), slack.MsgOptionText("x", false),
			slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "argo_why", EventPayload: map[string]any{"incident": i.ID, "seq": 0}})); err != nil {
			t.Fatal(err)
		}
		s.told(t, i, true)
		if n := len(s.deploys.Messages()); n != 2 {
			t.Errorf("%d messages", n)
		}
	})
}

func TestTheRootIsFoundInABusyChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, failing("web"), false)
		for n := range 450 {
			if _, err := s.Say("alice", "deploys", fmt.Sprint("chatter ", n), ""); err != nil {
				t.Fatal(err)
			}
		}
		s.told(t, i, true)
		if n := s.Calls("chat.postMessage"); n != 2 {
			t.Errorf("%d posts, want the two of the first time", n)
		}
	})
}

func TestAnswerAndDetailsStandInOneThread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		root, details := render.Report(failing("web").Report, render.Links{})
		s.Fault(workspace.Fault{Method: "chat.postMessage", LoseAnswer: true})
		ts, err := s.sender.Answer(t.Context(), "#deploys", "", root, render.Message{}, details)
		if err != nil {
			t.Fatal(err)
		}
		if got := thread(t, s.deploys); len(got) != 2 || got[0].TS != ts {
			t.Errorf("%d messages", len(got))
		}
		if _, err := s.sender.Answer(t.Context(), s.deploys.ID(), ts, root); err != nil {
			t.Fatal(err)
		}
		if got := thread(t, s.deploys); len(got) != 3 {
			t.Errorf("%d messages", len(got))
		}
	})
}

func TestAHintIsSeenByOnePersonOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		root, _ := render.Report(failing("web").Report, render.Links{})
		alice := s.Users()[slices.IndexFunc(s.Users(), func(u workspace.User) bool { return u.Name == "alice" })]
		if err := s.sender.Ephemeral(t.Context(), s.deploys.ID(), "", alice.ID, root); err != nil {
			t.Fatal(err)
		}
		if len(s.deploys.Ephemerals("alice")) != 1 || len(s.deploys.All()) != 0 {
			t.Error("everybody saw it, or nobody")
		}
	})
}

func TestShutdownLetsWhatHasBegunEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", Delay: 5 * time.Second})
		i := failing("web", reply(2, "first"))
		done := make(chan error, 1)
		go func() { done <- s.tell(t, i, false) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := s.sender.Close(ctx); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := seqs(t, thread(t, s.deploys)); n != "0 1 2" {
			t.Errorf("messages %s", n)
		}
		if err := s.tell(t, failing("late"), false); !errors.Is(err, deliver.ErrClosed) {
			t.Errorf("after that: %v", err)
		}
	})
}

func TestShutdownDoesNotWaitForASilentSlack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", Hang: true, Times: -1})
		done := make(chan error, 1)
		go func() { done <- s.tell(t, failing("web"), false) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if err := s.sender.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if err := <-done; err == nil {
			t.Error("told although Slack was silent")
		}
	})
}
