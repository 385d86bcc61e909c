package outofsync

import (
	"cmp"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

// explains is what a drift rule recognises: the ways for a field to differ that are its own.
type explains []explanation

// Recognition marks explains as what rules recognise.
func (explains) Recognition() {}

// presence is what a drift rule recognises that is about resources as a whole: missing, or there and not in Git. It picks them
// by itself.
type presence struct{}

// Recognition marks presence as what rules recognise.
func (presence) Recognition() {}

// explanation is one way for a field to differ: its place among those of all rules, and whether a field differs so.
type explanation struct {
	by    precedence
	holds func(in *diagnose.In, d *picture, r *resource, f *drift.Field) bool
}

// precedence is when an explanation is tried: a field belongs to the first that holds, so the special come before the
// general, and who wrote the field before the conclusion that nobody did. The order of the list of rules is another one: it
// says which finding is reported first, where what a sync does not cure comes first. Of explanations with the same
// precedence, the list decides.
type precedence int

const (
	// byWarning: Argo CD warns of the resource, whatever the field.
	byWarning precedence = iota
	// byComparison: the comparison itself makes the difference.
	byComparison
	// byField: the field and its values show it, whoever wrote them.
	byField
	// byAutoscaler: an autoscaler sets it. It is also a controller, and people scale manually.
	byAutoscaler
	// byKnownName: an annotation or label that is known to be a controller's.
	byKnownName
	// byPerson: someone wrote it with a tool that people use.
	byPerson
	// byMetadata: anything else wrote an annotation or label.
	byMetadata
	// byPolicyEngine and byController: anything else wrote it.
	byPolicyEngine
	byController
	// From here on, nobody but Argo CD wrote it.

	// byConversion: the two sides are of different API versions.
	byConversion
	// byAdmission: it was changed while it was applied.
	byAdmission
	// byOverride: the Application's own parameters set it.
	byOverride
	// byRendering: each rendering gives another value.
	byRendering
	// byCommit: what Git has now is not what was applied.
	byCommit
	// byPrediction: only the API server's dry run differs.
	byPrediction
	// byDefault: the API server filled it in, or dropped it.
	byDefault
	// byNothing: whatever is left.
	byNothing
)

// comesBack reports whether the difference comes back after a sync. What a person did stays undone, a commit is
// applied, and of unexplained differences nothing is known.
func (p precedence) comesBack() bool { return p != byPerson && p != byCommit && p != byNothing }

// mechanism is an explanation with its rule.
type mechanism struct {
	explanation
	rule *diagnose.Rule
}

// ruleFor is the id of the rule with an explanation of that precedence. Code that all checks use cannot name a rule: the rule names
// the check.
func (d *picture) ruleFor(by precedence) string {
	if i := slices.IndexFunc(d.mechanisms, func(m mechanism) bool { return m.by == by }); i >= 0 {
		return d.mechanisms[i].rule.ID
	}
	return ""
}

// mechanisms are the explanations of all rules, in the order in which they are tried.
func mechanisms(rules []diagnose.Recogniser[explains]) []mechanism {
	var out []mechanism
	for _, r := range rules {
		for _, e := range r.Recognises {
			out = append(out, mechanism{e, r.Rule})
		}
	}
	slices.SortStableFunc(out, func(a, b mechanism) int { return cmp.Compare(a.by, b.by) })
	return out
}
