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
		Title:    "The API server fills in or drops values",
		What:     "Git leaves a field out and the API server or the CRD's schema fills in its default; or Git states an empty value or a field that the schema does not know, and the API server drops it. Both sides mean the same, and a sync changes nothing.",
		Decisive: "Fields that are live, not in Git and written by nobody but the apply itself; or empty or unknown fields of Git that are not live although they were applied.",
		Example:  "spec.preserveUnknownFields: Git false, live nothing",
		Fix:      "Write the default into Git (or take the dropped value out), or compare with server-side diff.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diff-strategies/"},
	},
	Sync:       advice.Pointless("the API server fills in, or drops, the same again"),
	Recognises: explains{{byDefault, isDefaulted}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		f := diagnose.Finding{Confidence: diagnose.CertainIf(g.hasNoOwner())}
		switch {
		case field.InLive:
			f.Title = fmt.Sprintf("the API server fills in %s", g.fieldsLabel())
			f.Why = fmt.Sprintf("%s. Nobody wrote it: it is a default of the API or of the resource's schema.", g.valuesClause())
			f.Fix = []diagnose.Fix{g.commit("Write the default into Git")}
		case drift.Empty(field.Desired):
			f.Title = fmt.Sprintf("the API server drops %s, which is empty", g.fieldsLabel())
			f.Why = fmt.Sprintf("%s. An empty value means the same as none; the API server does not keep it.", g.valuesClause())
			f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Take %s out of %s in Git%s", field.Path, r.Ref, inGit(g.in))}}
		default:
			f.Confidence = diagnose.Likely
			f.Title = fmt.Sprintf("the API server does not keep %s", g.fieldsLabel())
			f.Why = fmt.Sprintf("%s. Argo CD applied it and nobody removed it: the schema of %s does not know the field, or its feature is switched off.", g.valuesClause(), r.Ref.Kind)
			f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Correct the name or place of %s in %s in Git%s, or upgrade what knows it", field.Path, r.Ref, inGit(g.in))}}
		}
		if serverSideDiff(g.in) {
			f.Fix = append(f.Fix, g.ignore(false))
		} else {
			f.Fix = append(f.Fix, compareWith(g.in, "Or have Argo CD let the API server compare: annotate the Application", "ServerSideDiff=true"))
		}
		return f
	}),
}

// hasNoOwner reports whether managedFields show that nobody owns the fields, or that only an empty value is concerned. With
// client-side apply the API server notes a default as written by whoever applied: then a default is a conclusion.
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

// isDefaulted: nobody else wrote it, and one side is empty or not there.
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
