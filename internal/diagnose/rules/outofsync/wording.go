package outofsync

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// subjectWithVerb is the subject of a sentence with its verb.
func subjectWithVerb(list []*resource, one, many string) string {
	return subjectText(list) + " " + verb(len(list), one, many)
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func subjectText(list []*resource) string {
	if len(list) == 1 {
		return list[0].Ref.String()
	}
	return fmt.Sprintf("%s and %d more", list[0].Ref, len(list)-1)
}

// names are the first resources of a list.
func names(list []*resource) string {
	first, others := refs(list)
	return advice.Names(append([]evidence.Ref{first}, others...))
}

const (
	// shownFields is how many fields a finding quotes: what a screen holds beside the rest of the report.
	shownFields = 6
	// shownValue is how much of a value is quoted, in bytes: half a line of a terminal.
	shownValue = 60
)

// firstField is the field to speak of.
func (g *explained) firstField() (*resource, drift.Field) {
	r := g.resources[0]
	return r, r.explainedBy(g.rule)[0]
}

// countFields is how many fields differ in all.
func (g *explained) countFields() int {
	n := 0
	for _, r := range g.resources {
		n += len(r.explainedBy(g.rule))
	}
	return n
}

// fieldsLabel names the fields for a title: "spec.replicas of Deployment/web", "3 fields of Deployment/web", "fields of 4
// resources".
func (g *explained) fieldsLabel() string {
	r, f := g.firstField()
	switch {
	case len(g.resources) > 1:
		return fmt.Sprintf("%d fields of %d resources (%s, …)", g.countFields(), len(g.resources), r.Ref)
	case g.countFields() > 1:
		return fmt.Sprintf("%d fields of %s", g.countFields(), r.Ref)
	}
	return fmt.Sprintf("%s of %s", f.Path.Short(), r.Ref)
}

// valuesClause are those of the first field on both sides: "is 3 in the cluster and 1 in Git".
func (g *explained) valuesClause() string {
	r, f := g.firstField()
	live, desired := bothValues(r, f)
	if live == hidden {
		return fmt.Sprintf("%s of %s differs", f.Path.Short(), r.Ref)
	}
	switch {
	case !f.InLive:
		return fmt.Sprintf("%s of %s is %s in Git and not there in the cluster", f.Path.Short(), r.Ref, desired)
	case !f.InDesired:
		return fmt.Sprintf("%s of %s is %s in the cluster and not there in Git", f.Path.Short(), r.Ref, live)
	}
	return fmt.Sprintf("%s of %s is %s in the cluster and %s in Git", f.Path.Short(), r.Ref, live, desired)
}

// quotes are the first fields, a line each, and how many more there are.
func (g *explained) quotes() []diagnose.Quote {
	var out []diagnose.Quote
	for _, r := range g.resources {
		for _, f := range r.explainedBy(g.rule) {
			if len(out) < shownFields {
				out = append(out, diagnose.Quote{From: "diff of " + r.Ref.String(), Text: fieldLine(g.in, r, f)})
			}
		}
	}
	if more := g.countFields() - len(out); more > 0 {
		out = append(out, diagnose.Quote{From: "diff", Text: fmt.Sprintf("and %d more; see them with %s", more, diagnose.Shell("argocd app diff %s", advice.AppName(g.in)))})
	}
	if left := g.picture.left; left > 0 {
		out = append(out, diagnose.Quote{From: "status.resources", Text: fmt.Sprintf("%d more resources are out of sync and were not compared", left)})
	}
	return out
}

func fieldLine(in *diagnose.In, r *resource, f drift.Field) string {
	live, desired := bothValues(r, f)
	said := fmt.Sprintf("%s: Git %s, live %s", f.Path, desired, live)
	if live == hidden {
		said = fmt.Sprintf("%s: differs (secret values are not shown)", f.Path)
	}
	if o := ownerOf(f); o.Manager != "" {
		said += ", written by " + writerText(in, o)
	}
	return said
}

// bothValues are both values of a field, on one line each. Those of Secrets are hidden, and what is called like one elsewhere.
func bothValues(r *resource, f drift.Field) (live, desired string) {
	if isConfidential(r, f) {
		return hidden, hidden
	}
	return valueText(f.InLive, f.Live), valueText(f.InDesired, f.Desired)
}

func valueText(there bool, v any) string {
	if !there {
		return "nothing"
	}
	return text.Clip(drift.Show(v), shownValue)
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
