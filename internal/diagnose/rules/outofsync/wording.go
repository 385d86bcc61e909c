package outofsync

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// them is the pronoun for what a title names.
func them(n int) string { return verb(n, "it", "them") }

// subjectText is what a title begins with: "Deployment/web", "Deployment/web and 2 more".
func subjectText(list []*resource) string {
	if len(list) == 1 {
		return list[0].Ref.String()
	}
	return list[0].Ref.String() + " and " + text.More(len(list)-1)
}

// namesAnd are the resources of a list in a sentence: "a and b".
func namesAnd(list []*resource) string {
	if len(list) == 2 {
		return list[0].Ref.String() + " and " + list[1].Ref.String()
	}
	return names(list)
}

// names are the first resources of a list.
func names(list []*resource) string {
	first, others := refs(list)
	return advice.Names(append([]evidence.Ref{first}, others...))
}

const (
	// shownFields is how many fields a finding quotes: what a screen holds beside the rest of the report.
	shownFields = 6
	// shownValue is the longest value that is quoted, in characters: half a line of a terminal. Longer ones are described.
	shownValue = 60
	// shownName is the same for a value of one word, such as an image with its digest: cut, it would not say which.
	shownName = 120
	// titleField is how much of a field's path fits in a title.
	titleField = 24
	// titleValue is the longest value in a title.
	titleValue = 16
	// titleMember is the same for a path with the keys of a list's member.
	titleMember = 32
	// namedFields is how many fields a step names: somebody has to find each of them.
	namedFields = 10
)

// firstField is the field to speak of.
func (g *explained) firstField() (*resource, drift.Field) {
	r := g.resources[0]
	return r, g.fieldsOf(r)[0]
}

// subject is what the title begins with.
func (g *explained) subject() string { return subjectText(g.resources) }

// fieldsLabel names the fields for a title: "spec.replicas", "image and 2 more fields", "clientConfig.caBundle in 2 places".
func (g *explained) fieldsLabel() string {
	_, first := g.firstField()
	label, n := fieldLabel(first), g.countFields()
	if n == 1 {
		return label
	}
	for _, r := range g.resources {
		for _, f := range g.fieldsOf(r) {
			if fieldLabel(f) != label {
				return fmt.Sprintf("%s and %s", label, text.Count(n-1, "more field", "more fields"))
			}
		}
	}
	if len(g.resources) > 1 {
		return label // the title says of how many resources
	}
	return fmt.Sprintf("%s in %d places", label, n)
}

// titleValues are the values of the field in a title; ok is false where there are several fields, or a value does not fit there.
func (g *explained) titleValues() (live, desired string, ok bool) {
	r, f := g.firstField()
	live, desired = bothValues(r, f)
	fits := len(live) <= titleValue && len(desired) <= titleValue && live != desired
	return live, desired, fits && f.InLive && f.InDesired && g.countFields() == 1
}

// valuesClause are the values of the first field on both sides: "spec.replicas is 3 in the cluster and 1 in Git". Of several
// fields it is an example.
func (g *explained) valuesClause() string {
	r, f := g.firstField()
	clause := f.Path.Short()
	if len(g.resources) > 1 {
		clause += " of " + r.Ref.String()
	}
	clause += " " + difference(r, f)
	if g.countFields() > 1 {
		return "For example, " + clause
	}
	return clause
}

// difference is how the two values of a field differ.
func difference(r *resource, f drift.Field) string {
	live, desired := bothValues(r, f)
	switch {
	case live == hidden && !f.InLive:
		return "is set in Git and not in the cluster"
	case live == hidden && !f.InDesired:
		return "is set in the cluster and not in Git"
	case live == hidden:
		return "differs; its values are not shown"
	case live == desired:
		return "has different content in the cluster and in Git"
	}
	return fmt.Sprintf("is %s in the cluster and %s in Git", live, desired)
}

// resets is what a sync does to the fields.
func (g *explained) resets() string {
	r, f := g.firstField()
	_, desired := bothValues(r, f)
	switch {
	case g.countFields() > 1 && !g.setInGit():
		return fmt.Sprintf("it removes %s, which Git does not set", g.fieldsLabel())
	case g.countFields() > 1:
		return fmt.Sprintf("it resets %s to what Git has", g.fieldsLabel())
	case !f.InDesired:
		return fmt.Sprintf("it removes %s, which Git does not set", fieldLabel(f))
	case desired == "empty":
		return "it empties " + fieldLabel(f)
	case desired == hidden || len(desired) > titleValue:
		return fmt.Sprintf("it resets %s to what Git has", fieldLabel(f))
	}
	return fmt.Sprintf("it resets %s to %s", fieldLabel(f), desired)
}

// paths are the fields of the first resource for a step: whole, so that they can be found in its manifest.
func (g *explained) paths() string {
	r := g.resources[0]
	var out []string
	for _, f := range g.fieldsOf(r) {
		out = append(out, f.Path.String())
	}
	return text.List(out, namedFields)
}

// manifest is where the first resource is written: "Deployment/web in Git (apps/web in https://…)". The manifests of a chart out of a
// repository of charts are in nobody's Git; what its values say about them is known to the chart alone.
func (g *explained) manifest() string {
	return manifestOf(g.in, g.resources[0].Ref) + doTheSame(len(g.resources)-1)
}

// manifestOf is the same of any resource.
func manifestOf(in *diagnose.In, ref evidence.Ref) string {
	if isChart(in) {
		return fmt.Sprintf("%s, with values of chart %s if it has any for this", ref, source(in).Chart)
	}
	return ref.String() + " in Git" + inGit(in)
}

// doTheSame says of how many other resources a step has to be taken as well.
func doTheSame(others int) string {
	if others == 0 {
		return ""
	}
	return "; do the same for " + text.Count(others, "more resource", "more resources")
}

// quotes are the first fields, a line each, and how many more there are.
func (g *explained) quotes() []diagnose.Quote {
	var out []diagnose.Quote
	for _, r := range g.resources {
		for _, f := range g.fieldsOf(r) {
			if len(out) < shownFields {
				out = append(out, diagnose.Quote{From: "diff of " + r.Ref.String(), Text: g.fieldLine(r, f)})
			}
		}
	}
	if more := g.countFields() - len(out); more > 0 {
		out = append(out, diagnose.Quote{From: "diff", Text: fmt.Sprintf("%s; list them with %s", text.Count(more, "more field", "more fields"), diagnose.Shell("argocd app diff %s", advice.AppName(g.in)))})
	}
	if further := g.further(); further > 0 {
		out = append(out, diagnose.Quote{From: "diff", Text: text.Count(further, "more field differs", "more fields differ") + " and could not be examined: too large to compare"})
	}
	if unseen := g.picture.unseen(); len(unseen) > 0 && len(unseen) < len(g.picture.resources) {
		out = append(out, diagnose.Quote{From: "status.resources", Text: names(unseen) + verb(len(unseen), " is", " are") + " out of sync as well, without a diff in the evidence"})
	}
	if left := g.picture.left; left > 0 {
		out = append(out, diagnose.Quote{From: "status.resources", Text: text.Count(left, "more resource is", "more resources are") + " out of sync and not compared"})
	}
	return out
}

// fieldLine is a field with both values and who wrote the live one. Argo CD counts as the writer of what was defaulted or changed while
// it applied, too: that it wrote a value says something only where each rendering gives another one.
func (g *explained) fieldLine(r *resource, f drift.Field) string {
	live, desired := bothValues(r, f)
	line := fmt.Sprintf("%s: %s in Git, %s in the cluster", f.Path, desired, live)
	switch {
	case live == hidden:
		line = fmt.Sprintf("%s: differs (secret values are not shown)", f.Path)
	case live == desired:
		line = fmt.Sprintf("%s: different content in Git and in the cluster (%s each)", f.Path, live)
	}
	if o := ownerOf(f); o.Manager != "" && (!isArgo(o) || g.rule.ID == g.picture.ruleFor(byRendering)) {
		line += ", written by " + writerText(g.in, o)
	}
	return line
}

// bothValues are both values of a field, on one line each. Those of Secrets are hidden, and elsewhere those whose names say that
// they are secret.
func bothValues(r *resource, f drift.Field) (live, desired string) {
	if isConfidential(r, f) {
		return hidden, hidden
	}
	live, desired = valueText(f.InLive, f.Live), valueText(f.InDesired, f.Desired)
	if live == desired && len(live) <= shownValue {
		return quotedText(f.Live, live), quotedText(f.Desired, desired) // 20 and "20"
	}
	return live, desired
}

// quotedText is a value with the quotes of a text.
func quotedText(v any, shown string) string {
	if s, ok := v.(string); ok && s == shown {
		return strconv.Quote(s)
	}
	return shown
}

// valueText is a value as a sentence has it: "3", "empty", "not set", "a list of 2 entries".
func valueText(exists bool, v any) string {
	if !exists {
		return "not set"
	}
	shown := drift.Show(v)
	switch v := v.(type) {
	case string:
		switch {
		case v == "":
			return "empty"
		case len(shown) > shownName, len(shown) > shownValue && !isName(v):
			return "a string of " + text.Count(utf8.RuneCountInString(v), "character", "characters")
		}
	case []any:
		switch {
		case len(v) == 0:
			return "empty"
		case len(shown) > shownValue:
			return "a list of " + text.Count(len(v), "entry", "entries")
		}
	case map[string]any:
		switch {
		case len(v) == 0:
			return "empty"
		case len(shown) > shownValue:
			return "an object with " + text.Count(len(v), "key", "keys")
		}
	}
	return shown
}

// isName: one word that people recognise, unlike a hash or what is encoded.
func isName(s string) bool {
	return !strings.ContainsAny(s, " \n\t{[\"") && strings.ContainsAny(s, ":@")
}

// lastField is the name of the field a path ends at, the list's name for a member of it.
func lastField(p drift.Path) string {
	for i := len(p) - 1; i >= 0; i-- {
		if !p[i].Member {
			return p[i].Field
		}
	}
	return strings.TrimSpace(p.String())
}
