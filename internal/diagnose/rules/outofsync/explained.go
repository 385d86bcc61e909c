package outofsync

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/text"
)

// explainedBy are the fields that a rule explains.
func (r *resource) explainedBy(rule *diagnose.Rule) []drift.Field { return r.byRule[rule.ID] }

// explained are the resources with fields that one rule explains in one way.
type explained struct {
	in        *diagnose.In
	rule      *diagnose.Rule
	picture   *picture
	resources []*resource
	fields    map[*resource][]drift.Field
	// ignored: the application's ignoreDifferences cover the fields.
	ignored bool
}

// fieldsOf are the fields of a resource that belong here.
func (g *explained) fieldsOf(r *resource) []drift.Field { return g.fields[r] }

// countFields is how many fields differ in all.
func (g *explained) countFields() int {
	n := 0
	for _, r := range g.resources {
		n += len(g.fieldsOf(r))
	}
	return n
}

// further is how many more of their fields differ, too many or too large to be listed.
func (g *explained) further() (n int) {
	for _, r := range g.resources {
		n += r.Further
	}
	return n
}

// reporting is a check of all fields that the rule explains: one finding, about the first resource and others like it.
func reporting(report func(g *explained) diagnose.Finding) func(*diagnose.In) diagnose.Outcome {
	return reportingEach(func(*resource, *drift.Field) string { return "" }, report)
}

// reportingEach is the same with a finding for each cause that the rule tells apart: two controllers that write to two fields are
// two causes.
func reportingEach(cause func(*resource, *drift.Field) string, report func(g *explained) diagnose.Finding) func(*diagnose.In) diagnose.Outcome {
	return func(in *diagnose.In) diagnose.Outcome {
		d := look(in)
		if d == nil {
			return diagnose.Nothing
		}
		var found []diagnose.Finding
		for _, g := range d.split(in, cause) {
			found = append(found, g.finding(report))
		}
		if len(found) == 0 && !d.compared {
			return diagnose.Unknown
		}
		return diagnose.Found(found...)
	}
}

// split divides what a rule explains by cause, in the order of the resources. What the application ignores already is on its own: the
// steps for the rest would not help there.
func (d *picture) split(in *diagnose.In, cause func(*resource, *drift.Field) string) []*explained {
	var out []*explained
	type sort struct {
		cause   string
		ignored bool
	}
	bySort := map[sort]*explained{}
	for _, r := range d.resources {
		for _, f := range r.explainedBy(in.Rule()) {
			key := sort{cause(r, &f), isIgnored(in, r, f.Path)}
			g := bySort[key]
			if g == nil {
				g = &explained{in: in, rule: in.Rule(), picture: d, fields: map[*resource][]drift.Field{}, ignored: key.ignored}
				bySort[key], out = g, append(out, g)
			}
			if g.fields[r] == nil {
				g.resources = append(g.resources, r)
			}
			g.fields[r] = append(g.fields[r], f)
		}
	}
	for _, g := range out {
		for _, r := range g.resources {
			slices.SortStableFunc(g.fields[r], func(a, b drift.Field) int { return cmp.Compare(rankField(a), rankField(b)) })
		}
	}
	return out
}

// rankField puts what has another value first: it says more than what is only on one side.
func rankField(f drift.Field) int {
	switch {
	case f.InLive && f.InDesired:
		return 0
	case f.InLive:
		return 1
	}
	return 2
}

// finding is what the rule reports, with what all drift findings have.
func (g *explained) finding(report func(g *explained) diagnose.Finding) diagnose.Finding {
	f := g.withRefusal(report(g))
	if g.ignored {
		f = g.ignoredAlready(f)
	}
	f.Resource, f.Others = refs(g.resources)
	f.Short, _ = strings.CutPrefix(f.Title, g.subject()+": ")
	f.Terse = g.terse(f.Short)
	f.InPods = g.inPods()
	f.Evidence = append(g.quotes(), f.Evidence...)
	return f
}

// terse is a title with the last name of a single field, or the number of several, instead of what names them.
func (g *explained) terse(title string) string {
	_, field := g.firstField()
	label := text.Count(g.countFields(), "field", "fields")
	if name := field.Path.Last(); g.countFields() == 1 && name != "" {
		label = name
	}
	return strings.Replace(title, g.fieldsLabel(), label, 1)
}

// inPods reports whether a field is in what the pods of a resource are made of.
func (g *explained) inPods() bool {
	return slices.ContainsFunc(g.resources, func(r *resource) bool {
		return slices.ContainsFunc(g.fieldsOf(r), func(f drift.Field) bool { return f.Path.Under("spec", "template") })
	})
}
