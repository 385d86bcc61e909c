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
	// about is set where the rule is asked about one resource only: see At.
	about evidence.Ref
	asker *In
	// wants are facts that were asked for and are not read yet.
	wants []*entry
	// tried are what [Once] computed before what it needs is read: the rule may ask for it again for each of many things.
	tried map[string]any
	err   error
}

// Rule is the rule that asks.
func (in *In) Rule() *Rule { return in.rule }

// App is the application; an empty one, never nil, when Argo CD refused to show it.
func (in *In) App() *evidence.Application {
	in.Spend(1) // whatever a rule looks at, it asks for the application again
	return in.run.app
}

// Resource is the status line of an object of the application; nil when Argo CD does not list it.
func (in *In) Resource(ref evidence.Ref) *evidence.ResourceStatus {
	in.Spend(1)
	return in.run.resource(ref)
}

func (r *run) resource(ref evidence.Ref) *evidence.ResourceStatus {
	if r.resources == nil {
		r.resources = evidence.IndexOf(r.app.Status.Resources)
	}
	return r.resources.Find(ref)
}

// Now is the one clock of the diagnosis.
func (in *In) Now() time.Time { return in.run.now }

// Since is how long ago a moment was; 0 for the zero moment and for the future.
func (in *In) Since(t evidence.Time) time.Duration { return in.run.since(t) }

func (r *run) since(t evidence.Time) time.Duration {
	if t.IsZero() || t.After(r.now) {
		return 0
	}
	return r.now.Sub(t.Time)
}

// RunningFor is for how long the operation has been running; 0 when none is.
func (in *In) RunningFor() time.Duration {
	op := in.run.app.Status.OperationState
	if !op.Running() {
		return 0
	}
	return in.Since(op.StartedAt)
}

// Statements are the things Argo CD says are wrong, each once. See [Statement].
// Whoever asks for them looks at all, so they are counted by their length.
func (in *In) Statements() []Statement {
	in.Spend(in.run.said)
	return in.run.statements
}

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
		if in.asker != nil && in.run.depth >= maxDepth { // whoever asks answers now, with what there is
			return v, false
		}
		for asker := in; asker != nil; asker = asker.asker {
			asker.wants = append(asker.wants, e)
		}
	case unreadable:
	}
	return v, false
}

// Waiting reports whether evidence that the rule asked for has not been read yet, so that its answer is not final. While a rule waits, the rules that
// it asks wait as well: they look at the same evidence.
func (in *In) Waiting() bool { return len(in.wants) > 0 || in.asker != nil && in.asker.Waiting() }

// Warnings are the conditions that speak of something odd, not of a failure: SharedResourceWarning and the like.
func (in *In) Warnings() []Statement { return in.run.warnings }

// Once computes something once per diagnosis, whichever rule asks first. As long as it is not final, because evidence that it needs is not
// read yet, each rule computes it once whenever it is asked.
func Once[T any](in *In, key string, compute func() (v T, final bool)) (v T, final bool) {
	if !in.about.IsZero() { // the answer may be another one
		key += " at " + in.about.String()
	}
	if v, ok := in.run.computed[key].(T); ok {
		return v, true
	}
	if v, ok := in.tried[key].(T); ok {
		return v, false
	}
	if v, final = compute(); final {
		in.run.computed[key] = v
		return v, true
	}
	if in.tried == nil {
		in.tried = map[string]any{}
	}
	in.tried[key] = v
	return v, false
}

// Peek is a fact if it costs nothing: it was read already, or lies in a case file. It is for evidence that makes a
// finding better and is not worth a call.
func Peek[T any](in *In, f evidence.Fact[T]) (v T, ok bool) {
	if v, ok := had(in.run, f); ok {
		return v, true
	}
	if !in.run.free() {
		return v, false
	}
	if v, ok := in.run.peeked[ledgerKey{f.Kind, f.Key}].(T); ok {
		return v, true
	}
	v, err := readClean(in.run.ctx, in.run.source, f)
	if err == nil {
		in.run.peeked[ledgerKey{f.Kind, f.Key}] = v
	}
	return v, err == nil
}

// Asked reports whether a person waits for the answer, or it costs nothing: then more is worth reading.
func (in *In) Asked() bool { return in.run.worthMore() }

// Look is a fact that is worth a call only where a person asked: as [Get] then, as [Peek] otherwise.
func Look[T any](in *In, f evidence.Fact[T]) (v T, ok bool) {
	if in.run.closely && !in.run.free() {
		return Get(in, f)
	}
	return Peek(in, f)
}

// Unchecked notes resources of which nothing but Argo CD's word is known, where that word says little. A report says so of an
// application that it calls healthy, unless nobody asked.
func Unchecked(in *In, refs ...evidence.Ref) {
	if !in.Asked() {
		return
	}
	for _, ref := range refs {
		if !in.run.noted[ref] {
			in.run.noted[ref] = true
			in.run.unchecked = append(in.run.unchecked, ref)
		}
	}
}
