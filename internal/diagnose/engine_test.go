package diagnose_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// source is a live source in memory: it counts what is read, and each read takes a while.
type source struct {
	evidence.Source
	subject evidence.Subject
	err     error
	latency time.Duration
	trees   atomic.Int32
	logs    atomic.Int32
	windows atomic.Int32
	treeErr error
	mu      sync.Mutex
	open    int
	maxOpen int // reads under way at the same time
}

func (s *source) pass(ctx context.Context) error {
	s.mu.Lock()
	s.open++
	s.maxOpen = max(s.maxOpen, s.open)
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.open--; s.mu.Unlock() }()
	select {
	case <-time.After(s.latency):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *source) Subject(ctx context.Context) (evidence.Subject, error) {
	return s.subject, errors.Join(s.pass(ctx), s.err)
}

func (s *source) Tree(ctx context.Context) (*evidence.Tree, error) {
	s.trees.Add(1)
	return &evidence.Tree{}, errors.Join(s.pass(ctx), s.treeErr)
}

func (s *source) Log(ctx context.Context, _ evidence.LogQuery) (evidence.Log, error) {
	s.logs.Add(1)
	return evidence.Log{Text: "boom"}, s.pass(ctx)
}

func (s *source) SyncWindows(ctx context.Context) (*evidence.SyncWindows, error) {
	s.windows.Add(1)
	return &evidence.SyncWindows{}, s.pass(ctx)
}

func app(status, health string) evidence.Subject {
	a := &evidence.Application{}
	a.Metadata.Name = "web"
	a.Status.Sync.Status, a.Status.Health.Status = status, health
	return evidence.Subject{Application: a}
}

// rule makes a rule with docs of a check.
func rule(id string, check func(*diagnose.In) diagnose.Outcome, needs ...evidence.Kind) *diagnose.Rule {
	return &diagnose.Rule{
		ID: id, Needs: needs, Check: check, Sync: diagnose.Advice{Verdict: diagnose.SyncPointless, Why: "x"},
		Doc: diagnose.Doc{Title: "x", What: "x", Decisive: "x", Example: "x", Fix: "x"},
	}
}

func finds(f diagnose.Finding) func(*diagnose.In) diagnose.Outcome {
	return func(*diagnose.In) diagnose.Outcome { return diagnose.Found(f) }
}

// wantsTree finds something once it has the tree.
func wantsTree(in *diagnose.In) diagnose.Outcome {
	if _, ok := diagnose.Get(in, evidence.FactTree); !ok {
		return diagnose.Unknown
	}
	return diagnose.Found(diagnose.Finding{Title: "from the tree"})
}

func run(t *testing.T, s *source, rules ...*diagnose.Rule) *diagnose.Report {
	t.Helper()
	e, err := diagnose.New(rules)
	if err != nil {
		t.Fatal(err)
	}
	e.Timeout = time.Second
	r, err := e.Diagnose(t.Context(), s, time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAFactIsReadOnceWhoeverAsks(t *testing.T) {
	s := &source{subject: app("OutOfSync", "Healthy")}
	run(t, s, rule("hook/a", wantsTree, evidence.KindTree), rule("hook/b", wantsTree, evidence.KindTree))
	if n := s.trees.Load(); n != 1 {
		t.Errorf("the tree was read %d times", n)
	}
}

func TestIndependentFactsAreReadTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{subject: app("OutOfSync", "Healthy"), latency: 50 * time.Millisecond}
		start := time.Now()
		run(t, s, rule("hook/a", wantsTree, evidence.KindTree), rule("hook/b", func(in *diagnose.In) diagnose.Outcome {
			_, one := diagnose.Get(in, evidence.FactWindows)
			_, two := diagnose.Get(in, evidence.FactLog(evidence.LogQuery{Pod: "p"}))
			if !one || !two {
				return diagnose.Unknown
			}
			return diagnose.Nothing
		}, evidence.KindWindows, evidence.KindLog))
		if s.maxOpen != 3 {
			t.Errorf("at most %d reads were under way together, want 3", s.maxOpen)
		}
		if took := time.Since(start); took != 100*time.Millisecond {
			t.Errorf("two levels of reading took %s, want two round trips (100ms)", took)
		}
	})
}

func TestACauseMakesReadingForLaterGroupsNeedless(t *testing.T) {
	s := &source{subject: app("Unknown", "Healthy")}
	r := run(t, s,
		rule("render/a", finds(diagnose.Finding{Title: "does not render"})),
		rule("hook/a", wantsTree, evidence.KindTree))
	if n := s.trees.Load(); n != 0 {
		t.Errorf("the tree was read %d times although the cause was known", n)
	}
	if len(r.Examined) != 1 || r.Examined[0].Calls != 1 {
		t.Errorf("examined %+v, want one call", r.Examined)
	}
}

func TestReadingAnUndeclaredFactIsAnError(t *testing.T) {
	e, err := diagnose.New([]*diagnose.Rule{rule("hook/a", wantsTree)})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Diagnose(t.Context(), &source{subject: app("Synced", "Healthy")}, time.Now())
	if err == nil || !strings.Contains(err.Error(), "hook/a") || !strings.Contains(err.Error(), "resource-tree") {
		t.Errorf("got error %v", err)
	}
}

func TestWhatCannotBeReadIsUnknownAndNotHealth(t *testing.T) {
	s := &source{subject: app("OutOfSync", "Progressing"), treeErr: errors.New("permission denied")}
	r := run(t, s, rule("hook/a", wantsTree, evidence.KindTree))
	if r.Verdict == diagnose.VerdictHealthy || len(r.Findings) != 0 {
		t.Errorf("verdict %s, findings %v", r.Verdict, r.Findings)
	}
	if len(r.Unread) != 1 || r.Unread[0] != "hook/a" {
		t.Errorf("unread is %v", r.Unread)
	}
	if i := r.Examined[1]; i.Error != "permission denied" {
		t.Errorf("examined %+v", r.Examined)
	}
}

func TestEachFactHasItsOwnTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &source{subject: app("OutOfSync", "Healthy")}
		slow := rule("hook/a", func(in *diagnose.In) diagnose.Outcome {
			s.latency = time.Hour
			return wantsTree(in)
		}, evidence.KindTree)
		r := run(t, s, slow)
		if len(r.Examined) != 2 || !strings.Contains(r.Examined[1].Error, "gave up after 1s") {
			t.Errorf("examined %+v", r.Examined)
		}
	})
}

func TestReadingIsAtMostFourCallsDeep(t *testing.T) {
	s := &source{subject: app("OutOfSync", "Healthy")}
	depth := 0
	r := run(t, s, rule("hook/a", func(in *diagnose.In) diagnose.Outcome {
		for depth = range 10 { // each asks for one fact after the other
			if _, ok := diagnose.Get(in, evidence.FactLog(evidence.LogQuery{Pod: string(rune('a' + depth))})); !ok {
				return diagnose.Unknown
			}
		}
		return diagnose.Nothing
	}, evidence.KindLog))
	if n := s.logs.Load(); n != 3 { // the application is the first level
		t.Errorf("%d logs were read one after the other, want 3", n)
	}
	if len(r.Unread) != 1 {
		t.Errorf("unread is %v", r.Unread)
	}
}

func TestASymptomBecomesAnEffect(t *testing.T) {
	symptom := rule("apply/b", finds(diagnose.Finding{Title: "symptom"}))
	symptom.ExplainedBy = []string{"hook/*"}
	r := run(t, &source{subject: app("OutOfSync", "Healthy")}, symptom, rule("hook/a", finds(diagnose.Finding{Title: "cause"})))
	if r.Findings[0].Title != "cause" || r.Findings[1].Role != diagnose.RoleEffect {
		t.Errorf("findings %+v", r.Findings)
	}
}

func TestAnEarlierGroupOutranksALater(t *testing.T) {
	r := run(t, &source{subject: app("OutOfSync", "Degraded")},
		rule("apply/a", finds(diagnose.Finding{Title: "refused"})),
		rule("render/a", finds(diagnose.Finding{Title: "does not render"})))
	if r.Findings[0].Title != "does not render" || r.Findings[1].Role != diagnose.RoleEffect {
		t.Errorf("findings %+v", r.Findings)
	}
}

func TestTheWorstOfARuleComesFirst(t *testing.T) {
	both := func(*diagnose.In) diagnose.Outcome {
		return diagnose.Found(
			diagnose.Finding{Title: "starts slowly", Resource: evidence.Ref{Kind: "Deployment", Name: "a"}, Rank: 1},
			diagnose.Finding{Title: "crashes", Resource: evidence.Ref{Kind: "Deployment", Name: "z"}})
	}
	if r := run(t, &source{subject: app("Synced", "Degraded")}, rule("health/a", both)); r.Findings[0].Title != "crashes" {
		t.Errorf("findings %+v", r.Findings)
	}
}

func TestAnOutageComesBeforeADifference(t *testing.T) {
	for outage, first := range map[bool]string{false: "edited", true: "down"} {
		r := run(t, &source{subject: app("OutOfSync", "Progressing")},
			rule("drift/a", finds(diagnose.Finding{Title: "edited"})),
			rule("health/a", finds(diagnose.Finding{Title: "down", Outage: outage})))
		if r.Findings[0].Title != first || r.Findings[1].Role != diagnose.RoleCause {
			t.Errorf("outage %v: findings %+v", outage, r.Findings)
		}
	}
}

func TestOneStatementHasOneMeaning(t *testing.T) {
	s := &source{subject: app("Unknown", "Healthy")}
	s.subject.Application.Status.Conditions = []evidence.Condition{{Type: "ComparisonError", Message: "rpc error: code = Unknown desc = boom"}}
	claim := func(title string) func(*diagnose.In) diagnose.Outcome {
		return func(in *diagnose.In) diagnose.Outcome {
			return diagnose.Found(diagnose.Finding{Title: title}.On(&in.Statements()[0]))
		}
	}
	r := run(t, s, rule("render/special", claim("special")), rule("render/general", claim("general")))
	if len(r.Findings) != 1 || r.Findings[0].Title != "special" {
		t.Errorf("findings %+v", r.Findings)
	}
}

func TestATextThatNoRuleKnowsIsShownRaw(t *testing.T) {
	s := &source{subject: app("Unknown", "Healthy")}
	s.subject.Application.Status.Conditions = []evidence.Condition{{Type: "ComparisonError", Message: "a thing nobody has seen before"}}
	r := run(t, s, rule("render/a", func(*diagnose.In) diagnose.Outcome { return diagnose.Nothing }))
	f := r.Findings[0]
	if r.Verdict != diagnose.VerdictFailing || f.Rule != "unknown" || f.Role == diagnose.RoleCause || f.Evidence[0].Text != "a thing nobody has seen before" {
		t.Errorf("verdict %s, finding %+v", r.Verdict, f)
	}
	if r.Sync.Verdict != diagnose.SyncUnknown {
		t.Errorf("sync verdict %s", r.Sync.Verdict)
	}
}

func TestNothingCanBeReadAtAll(t *testing.T) {
	e, err := diagnose.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	down := errors.New("Argo CD is down")
	if _, err := e.Diagnose(t.Context(), &source{err: down}, time.Now()); !errors.Is(err, down) {
		t.Errorf("got %v", err)
	}
}

// TestInterrupted: no rule is asked after the context has ended, however many are left.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := 0
	var list []*diagnose.Rule
	for _, id := range []string{"render/a", "render/b", "render/c"} {
		list = append(list, rule(id, func(*diagnose.In) diagnose.Outcome {
			asked++
			cancel()
			return diagnose.Nothing
		}))
	}
	e, err := diagnose.New(list)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Diagnose(ctx, &source{subject: evidence.Subject{Application: &evidence.Application{}}}, time.Now()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if asked != 1 {
		t.Errorf("%d rules were asked", asked)
	}
}
