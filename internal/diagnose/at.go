package diagnose

import (
	"slices"

	"github.com/argo-why/argo-why/internal/evidence"
)

// At is what the rules of a group find at one resource, the most telling first. How a resource fares has one answer, whoever asks: a sync that
// waits for it, or a report on what is not healthy. known is false while evidence is missing.
func (in *In) At(group RuleGroup, ref evidence.Ref) (found []Finding, known bool) {
	if !in.about.IsZero() { // a rule that answers such a question asks none
		return nil, true
	}
	found, known = Once(in, "found at "+string(group)+" "+ref.String(), func() ([]Finding, bool) {
		found, known := in.at(group, ref)
		return found, known && !in.Waiting()
	})
	found = slices.Clone(found)
	for i := range found { // who takes one over changes it
		f := &found[i]
		f.Others, f.Evidence, f.Fix, f.Offers = slices.Clone(f.Others), slices.Clone(f.Evidence), slices.Clone(f.Fix), slices.Clone(f.Offers)
	}
	return found, known
}

func (in *In) at(group RuleGroup, ref evidence.Ref) (found []Finding, known bool) {
	known = true
	for _, c := range in.run.engine.checks {
		if !group.Has(c.rule.ID) {
			continue
		}
		asked := in.Asking(ref)
		asked.rule = c.rule
		out := c.rule.Check(asked)
		if in.err = asked.err; in.err != nil {
			return nil, false
		}
		known = known && !out.unknown && !asked.Waiting()
		for _, f := range out.Findings {
			if f.Resource == ref || slices.Contains(f.Others, ref) {
				f = f.of(c.rule, c.order)
				f.as, f.Variant, f.source = "", "", f.Rule // who takes the finding over has an id of its own
				f.Resource, f.Others = ref, nil            // of the others nothing was read
				found = append(found, f)
			}
		}
	}
	all := slices.Clone(found)
	found = slices.DeleteFunc(found, func(f Finding) bool {
		return slices.ContainsFunc(all, func(g Finding) bool { return g.Rule != f.Rule && explains(g.Rule, f.explainedBy) })
	})
	slices.SortStableFunc(found, func(a, b Finding) int { return roleRank(a.Role) - roleRank(b.Role) })
	return found, known
}

// Asking is the door through which to look at one resource alone. What is asked for through it is asked for by the same rule.
func (in *In) Asking(ref evidence.Ref) *In {
	return &In{rule: in.rule, run: in.run, about: ref, asker: in}
}

// About is the resource that a rule is asked about, zero where it is asked about the whole application: see [In.At].
func (in *In) About() evidence.Ref { return in.about }
