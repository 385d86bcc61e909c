package outofsync

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var Defaulted = &diagnose.Rule{
	ID:    "drift/defaulted",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "API server fills in or drops values",
		What:     "Git leaves a field out and the API server or the CRD's schema fills in its default; or Git sets an empty value or a field that the schema does not have, and the API server drops it. Both sides mean the same, and a sync changes nothing.",
		Decisive: "Fields that are live, not in Git, and written only by the apply itself; or empty or unknown fields in Git that are not live although they were applied.",
		Example:  "spec.preserveUnknownFields: false in Git, not set in the cluster",
		Fix:      "Set the default in Git (or remove the dropped value), or compare with server-side diff.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diff-strategies/"},
	},
	Sync:       advice.Pointless("the API server will fill in or drop the same fields again"),
	Recognises: explains{{byDefault, isDefaulted}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		f := diagnose.Finding{Confidence: diagnose.CertainIf(g.hasNoOwner())}
		what := g.fieldsLabel()
		switch {
		case field.InLive:
			f.Title = fmt.Sprintf("%s: API server fills in %s", g.subject(), what)
			f.Why = g.valuesClause() + ". Nobody set it: it is a default of the API or of the resource's schema."
			f.Sync = advice.Pointless(fmt.Sprintf("the API server will fill %s in again", them(g.countFields())))
			f.Fix = []diagnose.Fix{g.commit("Set the default")}
		case drift.Empty(field.Desired):
			f.Title = fmt.Sprintf("%s: API server drops %s", g.subject(), what)
			f.Why = g.valuesClause() + ". Both mean the same: the API server does not keep values that are empty, zero or false."
			f.Sync = advice.Pointless(fmt.Sprintf("the API server will drop %s again", them(g.countFields())))
			f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Remove %s from %s", g.paths(), g.manifest())}}
		default:
			f.Confidence = diagnose.Likely
			f.Title = fmt.Sprintf("%s: API server does not keep %s", g.subject(), what)
			f.Why = fmt.Sprintf("%s. Argo CD applied it and nobody removed it: the schema of %s does not have the field, or its feature is turned off.", g.valuesClause(), r.Ref.Kind)
			f.Sync = advice.Pointless(fmt.Sprintf("the API server will drop %s again", them(g.countFields())))
			f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Correct the name or place of %s in %s; or upgrade the cluster or CRD to a version that has it", g.paths(), g.manifest())}}
		}
		if g.fillsAndDrops() {
			f.Title = fmt.Sprintf("%s: API server fills in or drops %s", g.subject(), what)
			f.Sync = g.rule.Sync
		}
		if serverSideDiff(g.in) {
			f.Fix = append(f.Fix, or(g.ignore(false)))
		} else {
			f.Fix = append(f.Fix, compareWith(g.in, "Or let the API server compute the diff", "ServerSideDiff=true"))
		}
		return f
	}),
}

// fillsAndDrops reports whether some of the fields are only in the cluster and some only in Git.
func (g *explained) fillsAndDrops() bool {
	filled := 0
	for _, r := range g.resources {
		for _, f := range r.explainedBy(g.rule) {
			if f.InLive {
				filled++
			}
		}
	}
	return filled > 0 && filled < g.countFields()
}

// hasNoOwner reports whether managedFields show that nobody owns the fields, or that only an empty value is concerned. With
// client-side apply the API server notes a default as written by the manager that applied: then a default is a conclusion.
func (g *explained) hasNoOwner() bool {
	for _, r := range g.resources {
		for _, f := range r.explainedBy(g.rule) {
			if f.InLive && (len(f.Owners) > 0 || len(drift.Owners(r.Live)) == 0) {
				return false
			}
		}
	}
	return true
}

// isDefaulted: nobody else wrote it, and one side is empty or not set.
func isDefaulted(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	if _, strange := foreignWriter(f); strange {
		return false
	}
	switch {
	case f.InLive && !f.InDesired, f.InLive && drift.Empty(f.Desired):
		return true
	case !f.InLive && drift.Empty(f.Desired):
		return true
	}
	// A field that was applied and is gone: of a custom resource its schema most likely pruned it; of any other, if
	// self-heal puts it there again and again.
	return !f.InLive && (isCustomKind(r.Ref) && (f.WasApplied || !gitMoved(in)) || selfHeals(in) && !gitMoved(in))
}
