package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// In is a rule's only door to the evidence. Through it the engine knows what was asked for, by whom, and at what cost.
type In struct {
	rule *Rule
	run  *run
	// wants are facts that were asked for and are not read yet.
	wants []*entry
	err   error
}

// App is the application; an empty one, never nil, when Argo CD refused to show it.
func (in *In) App() *evidence.Application { return in.run.app }

// Now is the one clock of the diagnosis.
func (in *In) Now() time.Time { return in.run.now }

// Since is how long ago a moment was; 0 for the zero moment and for the future.
func (in *In) Since(t evidence.Time) time.Duration {
	if t.IsZero() || t.After(in.run.now) {
		return 0
	}
	return in.run.now.Sub(t.Time)
}

// Statements are the things Argo CD says are wrong, each once. See [Statement].
func (in *In) Statements() []Statement { return in.run.statements }

// Get is a fact. ok is false while it is not read yet and when it could not be read: in both cases the rule answers
// [Unknown] unless it can tell without it. Ask for everything that is needed before giving up, so that it is read in
// parallel.
func Get[T any](in *In, f evidence.Fact[T]) (v T, ok bool) {
	if !slices.Contains(in.rule.Needs, f.Kind) {
		in.err = fmt.Errorf("rule %s: asked for %s, which it does not declare", in.rule.ID, f.Kind)
		return v, false
	}
	e := ask(in.run, f)
	switch e.state {
	case read:
		v, ok = e.value.(T)
		return v, ok
	case pending:
		in.wants = append(in.wants, e)
	case unreadable:
	}
	return v, false
}

// Warnings are the conditions that speak of something odd, not of a failure: SharedResourceWarning and the like.
func (in *In) Warnings() []Statement { return in.run.warnings }

// Once computes something once per diagnosis, whichever rule asks first. What it depends on must not change between two
// checks: a fact that is read does not.
func Once[T any](in *In, key string, compute func() T) T {
	if v, ok := in.run.computed[key].(T); ok {
		return v
	}
	v := compute()
	in.run.computed[key] = v
	return v
}

// Peek is a fact if it costs nothing: it was read already, or lies in a case file. It is for evidence that makes a
// finding better and is not worth a call.
func Peek[T any](in *In, f evidence.Fact[T]) (v T, ok bool) {
	e, known := in.run.ledger[ledgerKey{f.Kind, f.Key}]
	if known && e.state == read {
		v, ok = e.value.(T)
		return v, ok
	}
	if _, free := in.run.source.(interface{ Free() }); !free {
		return v, false
	}
	v, err := f.Read(in.run.ctx, in.run.source)
	return v, err == nil
}
