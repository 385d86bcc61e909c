package gateway

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/simulator"
)

// fixed is the commit that repairs what is wrong in Git.
const fixed = "f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1"

// stage is a simulated Argo CD with one application, asked as `bot why` asks.
type stage struct {
	*simulator.Server
	t    *testing.T
	conn *Connection
	app  simulator.Name
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s, err := simulator.New(simulator.Options{Token: "t", Recent: true, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Connect(t.Context(), Options{Argo: argo.Options{Server: s.Address(), PlainText: true, AuthToken: "t"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &stage{Server: s, t: t, conn: c}
}

func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) why() *diagnose.Report {
	s.t.Helper()
	engine, err := diagnose.New(rules.All())
	s.must(err)
	report, err := Diagnose(s.t.Context(), engine, s.conn.App(s.app.Name, s.app.Namespace, "").Source(), time.Now().UTC().Truncate(time.Second))
	s.must(err)
	return report
}

func (s *stage) wantWell(when string) {
	s.t.Helper()
	state, err := s.State(s.app)
	s.must(err)
	if state.Sync != "Synced" || state.Health != "Healthy" || state.Operation != "Succeeded" || state.Running || state.Pushed != "" || state.FailedJobs != nil {
		s.t.Errorf("%s: %+v", when, state)
	}
	if r := s.why(); r.Verdict != diagnose.VerdictHealthy {
		s.t.Errorf("%s: %s: %s", when, r.Verdict, r.Headline)
	}
}

// repair takes the cause away and does what a person then does in Argo CD.
func (s *stage) repair(e *rules.Example) {
	s.t.Helper()
	s.takeAway(e)
	s.must(s.Refresh(s.app, true))
	state, err := s.State(s.app)
	s.must(err)
	for _, job := range state.FailedJobs {
		if s.must(s.Sync(s.app, false)); s.why().Verdict == diagnose.VerdictHealthy {
			s.t.Errorf("Job %s was in nobody's way", job.Name)
		}
		s.must(s.Delete(s.app, job))
	}
	if state.Running {
		s.must(s.Terminate(s.app))
	}
	s.must(s.Sync(s.app, true))
}

// TestExamples: each fails as it says, is well once its cause is gone, and was well before.
func TestExamples(t *testing.T) {
	names, groups, size := map[string]bool{}, map[string]int{}, 0
	for _, e := range rules.Examples() {
		if names[e.App] {
			t.Errorf("two examples are called %s", e.App)
		}
		names[e.App] = true
		groups[e.Group()]++
		text, err := e.Case()
		if err != nil {
			t.Fatal(err)
		}
		size += len(text)
		t.Run(e.App, func(t *testing.T) {
			s := newStage(t)
			s.must(s.Put(text))
			if s.app = s.Names()[0]; s.app != (simulator.Name{Namespace: "argocd", Name: e.App}) {
				t.Fatalf("its application is %s", s.app)
			}
			s.wantCause(e)
			s.repair(e)
			s.wantWell("repaired")

			s.must(s.Settle(s.app))
			s.wantWell("settled")
			s.must(s.Put(text))
			s.wantCause(e)
			s.must(s.Settle(s.app))
			s.wantWell("settled again")
			s.edited(e)
		})
	}
	for group, n := range groups {
		if n < 2 || group == "" {
			t.Errorf("%d examples in the group %q", n, group)
		}
	}
	if want := groupsOfRules(); len(groups) != len(want) {
		t.Errorf("%d groups of %d: %v", len(groups), len(want), want)
	}
	t.Logf("%d examples, %d kB", len(names), size/1024)
}

// TestTheMigrationWaitsForTheDatabaseAndItsJob is the first minute of the demo: the failed Job stays in the way, also when the
// database is back.
func TestTheMigrationWaitsForTheDatabaseAndItsJob(t *testing.T) {
	examples := rules.Examples()
	e := examples[slices.IndexFunc(examples, func(e *rules.Example) bool { return e.App == rules.Migration })]
	text, err := e.Case()
	s := newStage(t)
	s.must(err)
	s.must(s.Put(text))
	s.app = s.Names()[0]
	sync := func(want string) {
		t.Helper()
		s.must(s.Sync(s.app, false))
		if got, err := s.State(s.app); err != nil || got.Operation != want {
			t.Errorf("%+v, %v", got, err)
		}
	}
	state, err := s.State(s.app)
	s.must(err)
	if len(state.FailedJobs) != 1 || state.FailedJobs[0].Name != "db-migrate" {
		t.Fatalf("in the way: %v", state.FailedJobs)
	}
	job := state.FailedJobs[0]
	s.must(s.Delete(s.app, job))
	sync("Failed") // the database is still down
	s.wantCause(e)
	s.must(s.Repair(s.app))
	sync("Failed") // the Job is still there
	s.wantCause(e)
	s.must(s.Delete(s.app, job))
	sync("Succeeded")
	s.wantWell("migrated")
}

// TestExamplesTogether: none changes what another one looks like.
func TestExamplesTogether(t *testing.T) {
	s := newStage(t)
	for _, e := range rules.Examples() {
		text, err := e.Case()
		s.must(err)
		s.must(s.Put(text))
	}
	if n := len(s.Names()); n != len(rules.Examples()) {
		t.Errorf("%d applications", n)
	}
	for _, e := range rules.Examples() {
		s.app = simulator.Name{Namespace: "argocd", Name: e.App}
		s.wantCause(e)
	}
	for _, name := range s.Names() {
		s.must(s.Settle(name))
	}
	for _, name := range s.Names() {
		s.app = name
		s.wantWell("settled")
	}
}

// TestFortyApplicationsWithOneCause: they were well, fail as one outage, and a refresh each is enough once it is over.
func TestFortyApplicationsWithOneCause(t *testing.T) {
	examples := rules.Examples()
	text, err := examples[slices.IndexFunc(examples, func(e *rules.Example) bool { return e.App == rules.Outage })].Case()
	s := newStage(t)
	s.must(err)
	var names []simulator.Name
	for i := range 40 {
		names = append(names, simulator.Name{Namespace: "argocd", Name: fmt.Sprintf("shop-%02d", i)})
	}
	s.must(s.Put(text, names...))
	for _, name := range names {
		s.must(s.Settle(name))
	}
	s.app = names[39]
	s.wantWell("before")
	s.must(s.Put(text, names...))
	groups := map[string]bool{}
	for _, s.app = range names {
		groups[incident.CauseOf(s.why()).Group] = true
		s.must(s.Repair(s.app))
	}
	if len(groups) != 1 || groups[""] {
		t.Errorf("causes: %v", groups)
	}
	for _, s.app = range names {
		s.must(s.Refresh(s.app, false))
		s.wantWell("afterwards")
	}
}

func groupsOfRules() []string {
	var out []string
	for _, r := range rules.All() {
		if g := (&rules.Example{Rule: r.ID}).Group(); !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

func (s *stage) wantCause(e *rules.Example) {
	s.t.Helper()
	r := s.why()
	cause := r.Root()
	if cause == nil || cause.Rule != e.Rule {
		s.t.Fatalf("diagnosed as %+v: %s", r.Findings, r.Headline)
	}
	if shared := incident.CauseOf(r).Group != ""; shared != e.Shared {
		s.t.Errorf("other applications can fail with the same cause: %v", shared)
	}
	s.t.Logf("%s | %s", r.Headline, r.Sync.Verdict)
}

// edited: where the case holds what somebody could edit, the diagnosis says who did, and a sync reverts it.
func (s *stage) edited(e *rules.Example) {
	s.t.Helper()
	edit, err := s.Edit(s.app)
	if (err == nil) != e.Editable {
		s.t.Errorf("edit: %v", err)
	}
	if err != nil {
		return
	}
	r := s.why()
	if cause := r.Root(); cause == nil || cause.Rule != "drift/manual-edit" || cause.Confidence != diagnose.Certain {
		s.t.Errorf("%s: diagnosed as %s", edit, r.Headline)
	}
	s.t.Logf("%s | %s", edit, r.Headline)
	s.must(s.Sync(s.app, false))
	s.wantWell("reverted")
}
