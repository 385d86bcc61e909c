package diagnose

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Rule recognises one mechanism of failure.
type Rule struct {
	// ID is an id of the taxonomy, "group/name". The group decides the order of causes.
	ID  string
	Doc Doc
	// Needs are the kinds of evidence the check may ask for, beside the application itself. Asking for another is an error.
	Needs []evidence.Kind
	// Outside are the kinds of objects outside of the application that the rule has the cluster asked for, and without which it says
	// less. The roles in deploy/rbac are made of them.
	Outside []evidence.Outside
	// ExplainedBy are the rules whose symptom this is, made by [SymptomOf]: ids, or "group/*". A finding of theirs makes ours
	// an effect.
	ExplainedBy []string
	// ExplainedByEach picks further such rules out of the list by what they are, so that a new one is named nowhere.
	// [Resolve] adds their ids to ExplainedBy.
	ExplainedByEach func(*Rule) bool
	// MayReportAs is a rule of another group whose id a finding may take instead (see [Finding.ReportedAs]). Only the list knows other
	// groups, so it is set there. Nil where there is none.
	MayReportAs *Rule
	// Sync is the verdict on pressing Sync while this is the cause, unless the finding says otherwise.
	Sync Advice
	// Check is pure: it looks at the evidence through in and nowhere else. It may be called several times in one
	// diagnosis, because evidence that it asks for is read between two calls.
	Check func(in *In) Outcome
	// Recognises is for rules that share one picture of the evidence: how this rule tells what of it is its own. The package
	// of such rules knows the type, and finds those of all rules with [FromRules]. Nil where Check recognises by itself.
	Recognises Recognition
}

// Doc explains a rule to a person. docs/rules.md and `bot rules` are made from it.
type Doc struct {
	// Title is a short name in words.
	Title string
	// What happens and why, in two or three sentences.
	What string
	// Decisive is the evidence that decides.
	Decisive string
	// Example is a message as it is seen in real life.
	Example string
	// Fix is what helps.
	Fix   string
	Links []string
}

// Group is the group of the rule.
func (r *Rule) Group() string { return Group(r.ID) }

// Resolve is the list with the rules that ExplainedByEach picks out of it in ExplainedBy, in the order of the list behind
// those that are named there.
func Resolve(rules []*Rule) []*Rule {
	out := slices.Clone(rules)
	for i, r := range rules {
		if r.ExplainedByEach == nil {
			continue
		}
		resolved := *r
		resolved.ExplainedBy = slices.Clone(r.ExplainedBy)
		for _, other := range rules {
			if other.ID != r.ID && r.ExplainedByEach(other) && !explains(other.ID, resolved.ExplainedBy) {
				resolved.ExplainedBy = append(resolved.ExplainedBy, other.ID)
			}
		}
		out[i] = &resolved
	}
	return out
}

// Validate reports every fault of a list of rules: missing docs, double ids, unknown ids in ExplainedBy, cycles.
func Validate(rules []*Rule) error {
	var faults []error
	byID := map[string]*Rule{}
	for _, r := range rules {
		if byID[r.ID] != nil {
			faults = append(faults, fmt.Errorf("rule %s: is listed twice", r.ID))
		}
		byID[r.ID] = r
		faults = append(faults, r.incomplete()...)
	}
	for _, r := range rules {
		for _, by := range r.ExplainedBy {
			if strings.HasSuffix(by, "/*") {
				continue
			}
			switch other := byID[by]; {
			case other == nil:
				faults = append(faults, fmt.Errorf("rule %s: is explained by %s, which does not exist", r.ID, by))
			case explains(r.ID, other.ExplainedBy):
				faults = append(faults, fmt.Errorf("rule %s: and %s explain each other", r.ID, by))
			}
		}
	}
	return errors.Join(faults...)
}

func (r *Rule) incomplete() []error {
	var faults []error
	if groupRank(r.ID) == len(groups) || !strings.Contains(r.ID, "/") {
		faults = append(faults, fmt.Errorf("rule %s: its group is none of %s", r.ID, groupNames()))
	}
	for _, part := range []struct{ what, text string }{
		{"title", r.Doc.Title}, {"what", r.Doc.What}, {"decisive evidence", r.Doc.Decisive}, {"example", r.Doc.Example},
		{"fix", r.Doc.Fix}, {"sync verdict", string(r.Sync.Verdict)}, {"reason for the sync verdict", r.Sync.Why},
	} {
		if part.text == "" {
			faults = append(faults, fmt.Errorf("rule %s: its docs have no %s", r.ID, part.what))
		}
	}
	if r.Check == nil {
		faults = append(faults, fmt.Errorf("rule %s: has no check", r.ID))
	}
	return faults
}

func groupNames() string {
	var out []string
	for _, g := range groups {
		out = append(out, string(g.group))
	}
	return strings.Join(out, ", ")
}
