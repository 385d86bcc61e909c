package gateway

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/simulator"
)

// TestExamplesStepByStep: after each step of the way from the failure to its end, what is said about it and about a sync is sane.
func TestExamplesStepByStep(t *testing.T) {
	for _, e := range rules.Examples() {
		text, err := e.Case()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("//127.0.0.1")) {
			t.Errorf("%s: an address of the laboratory is in it", e.App)
		}
		t.Run(e.App, func(t *testing.T) {
			s := newStage(t)
			s.app = simulator.Name{Namespace: "argocd", Name: e.App}
			begin := func() {
				s.must(s.Put(text))
				s.must(s.Settle(s.app))
				s.must(s.Put(text))
			}
			begin()
			app, _ := s.plan("broken")
			s.isRecent(app)
			s.takeAway(e)
			s.saysSane("repaired, not seen", s.why())
			s.must(s.Refresh(s.app, false))
			s.saysSane("refreshed", s.why())
			s.must(s.Refresh(s.app, true))
			s.seen(e, "hard refreshed")
			s.finish("synced")

			begin()
			s.takeAway(e)
			s.plan("Slack's sync at once")
			s.finish("synced at once")
		})
	}
}

func (s *stage) takeAway(e *rules.Example) {
	s.t.Helper()
	switch {
	case e.Repair == "":
	case e.Outside:
		s.must(s.Repair(s.app))
	default:
		s.must(s.Push(s.app, simulator.Commit{Revision: fixed}))
	}
}

// plan is what Slack shows before a sync. It compares with Git.
func (s *stage) plan(when string) (*evidence.Application, *action.Plan) {
	s.t.Helper()
	engine, err := diagnose.New(rules.All())
	s.must(err)
	in := NewInstance(InstanceOptions{
		Name: "prod", Connection: s.conn, Engine: engine, Project: func(diagnose.AppName) string { return "" }, Log: slog.New(slog.DiscardHandler),
	})
	name := diagnose.AppName{Name: s.app.Name, Namespace: s.app.Namespace}
	req := action.Request{Kind: action.Sync, App: name}
	found, err := in.Situation(s.t.Context(), req, audience.All())
	s.must(err)
	state, err := s.State(s.app)
	s.must(err)
	if state.Sync != "Unknown" && len(found.Unread) > 0 {
		s.t.Errorf("%s: could not be read: %v", when, found.Unread)
	}
	p := action.Build(req, found, time.Now())
	s.saysSane(when, found.Report)
	s.t.Logf("%s: plan: %q, %d changes %v", when, p.RefusedBecause, len(p.Changes), p.Changes)
	if s.app.Name == rules.Migration && when == "broken" && (len(p.Hooks) != 1 || p.Hooks[0].Phase != "PreSync") {
		s.t.Errorf("%s: hooks that will run: %v", when, p.Hooks)
	}
	if state.Sync == "OutOfSync" && len(p.Changes) == 0 {
		s.t.Errorf("%s: out of sync, and a sync changes nothing", when)
	}
	return found.Application, p
}

func (s *stage) saysSane(when string, r *diagnose.Report) {
	s.t.Helper()
	state, err := s.State(s.app)
	s.must(err)
	s.t.Logf("%s: %s %s %s: %s | sync %s: %s | %v", when, state.Sync, state.Health, state.Operation, r.Headline, r.Sync.Verdict, r.Sync.Why, r.Sync.Affects)
	if strings.Contains(r.Headline, "0 resources differ") {
		s.t.Errorf("%s: %s", when, r.Headline)
	}
}

// notYetOffered are those whose repair a sync would apply, while the diagnosis does not know what a sync would do: a Certificate
// that is not ready differs from Git.
var notYetOffered = map[string]bool{"site": true}

// seen is once Argo CD has compared with what Git has now: where a sync would help, it is offered.
func (s *stage) seen(e *rules.Example, when string) {
	s.t.Helper()
	_, p := s.plan(when)
	state, err := s.State(s.app)
	s.must(err)
	if state.Sync == "Unknown" {
		s.t.Errorf("%s: not compared", when)
	}
	helps := state.Sync == "OutOfSync" && !state.Running && len(state.FailedJobs) == 0 && !e.Outside
	switch unknown := strings.HasPrefix(p.RefusedBecause, "unknown: "); {
	case !helps:
	case notYetOffered[e.App]:
		if !unknown {
			s.t.Errorf("%s: %q: take it off the list of those that are not offered yet", when, p.RefusedBecause)
		}
	case p.RefusedBecause != "":
		s.t.Errorf("%s: a sync would help, and is not offered: %s", when, p.RefusedBecause)
	}
}

// finish does what Argo CD waits for, and syncs.
func (s *stage) finish(when string) {
	s.t.Helper()
	state, err := s.State(s.app)
	s.must(err)
	if state.Running {
		s.must(s.Terminate(s.app))
		s.plan("terminated")
	}
	for _, job := range state.FailedJobs {
		s.must(s.Delete(s.app, job))
		s.plan("Job deleted")
	}
	s.must(s.Sync(s.app, true))
	s.wantWell(when)
	s.plan(when)
}

// isRecent: what fails has not failed for long. What hangs or waits does so as long as it had.
func (s *stage) isRecent(app *evidence.Application) {
	s.t.Helper()
	at, o := app.Status.Health.LastTransitionTime.Time, app.Status.OperationState
	if o.Running() || app.Status.Health.Status == "Progressing" {
		return
	}
	if o.Failed() {
		at = o.FinishedAt.Time
	}
	for _, c := range app.Status.Conditions {
		if c.LastTransitionTime.After(at) {
			at = c.LastTransitionTime.Time
		}
	}
	if age := time.Since(at); age > 3*time.Minute || age < 0 {
		s.t.Errorf("failed %s ago", age)
	}
}
