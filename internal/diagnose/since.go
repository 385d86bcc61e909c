package diagnose

import (
	"time"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

// causeSince is when that began which the cause rests on, as Argo CD dates it: the condition that states it, or the application's health.
// Zero where Argo CD has no date for it (none for a difference from Git), or where the operation's is its date.
func (r *run) causeSince(root *Finding) time.Time {
	if root == nil {
		return time.Time{}
	}
	if n := root.statement; n > 0 && n <= len(r.statements) && r.statements[n-1].Condition != "" {
		return r.firstSaid(&r.statements[n-1])
	}
	health := r.app.Status.Health
	switch {
	case health.Status == "Healthy" || health.Status == "":
	case GroupHealth.Has(root.Rule), GroupDrift.Has(root.Rule) && health.Status == "Missing":
		return health.LastTransitionTime.Time
	}
	return time.Time{}
}

// firstSaid is the earliest date at which Argo CD reported what a condition says. It updates the condition's date whenever the wording changes,
// for example by "(cached)". Another condition, or the operation that failed because of it, may have said the same before.
func (r *run) firstSaid(s *Statement) (first time.Time) {
	says := func(f message.Failure, at time.Time) {
		if (first.IsZero() || at.Before(first)) && !at.IsZero() && s.alike(f) {
			first = at
		}
	}
	for _, c := range r.app.Status.Conditions {
		says(message.ParseCondition(c.Type, c.Message), c.LastTransitionTime.Time)
	}
	if op := r.app.Status.OperationState; op.Failed() {
		for _, f := range operationSaid(op) {
			says(f, op.FinishedAt.Time)
		}
	}
	return first
}

// alike reports whether a failure says what the statement says, or repeats it within other words.
func (s *Statement) alike(f message.Failure) bool {
	o := Statement{Failure: f, cause: text.OneLine(f.Cause)}
	return o.cause == s.cause || repeats([]Statement{*s}, o) || repeats([]Statement{o}, *s)
}
