package outofsync

import (
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var Normalized = &diagnose.Rule{
	ID:    "drift/normalized",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Same value, different notation",
		What:     "Git and the cluster mean the same but write it differently: 1000m and 1, 0644 and 420, \"true\" and true, the members of a list in another order. The API server uses its own notation, so a sync changes nothing. Argo CD knows the notations of built-in kinds, but not those of custom resources.",
		Decisive: "The two values of the field are equal once they are read as a quantity, a number, a duration or an unordered list.",
		Example:  "spec.resources.limits.cpu: 500m in Git, 0.5 in the cluster",
		Fix:      "Use the cluster's notation in Git; for custom resources, tell Argo CD the type of the field (knownTypeFields).",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/#known-kubernetes-types-in-crds-resource-limits-volume-mounts-etc"},
	},
	Sync:       advice.Pointless("the API server will use the same notation again"),
	Recognises: explains{{byField, meansTheSame}},
	Check: reportingEach(notation, func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		how := notation(r, &field)
		why := g.valuesClause() + ". Both mean the same and differ"
		if live, desired := bothValues(r, field); live == desired {
			why = "Both sides mean the same and differ"
		}
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s: %s %s only in notation", g.subject(), g.fieldsLabel(), verb(g.countFields(), "differs", "differ")),
			Why:        fmt.Sprintf("%s only in %s.", why, how),
		}
		what, spelling := "notation", g.commit("Use the cluster's notation")
		if how == drift.ListOrder {
			what = "order"
			f.Title = fmt.Sprintf("%s: %s %s only in order", g.subject(), g.fieldsLabel(), verb(g.countFields(), "differs", "differ"))
			spelling = g.commit("Use the cluster's order")
		}
		f.Sync = advice.Pointless(fmt.Sprintf("the API server will use the same %s again", what))
		if isCustomKind(r.Ref) { // the API server keeps it as it is; a webhook or the operator does not
			f.Sync = advice.Pointless(fmt.Sprintf("the cluster will have the same %s again", what))
		}
		if r.Ref.Kind == "HorizontalPodAutoscaler" && field.Path.Under("spec", "metrics") && how == drift.ListOrder {
			f.Why += " Converting an HPA between API versions can reorder its metrics."
		}
		f.Fix = g.either(spelling, g.ignore(false))
		if step, ok := g.knownTypes(fmt.Sprintf("Or tell Argo CD the %s:", verb(g.countFields(), "type of the field", "types of these fields"))); ok {
			f.Fix = slices.Insert(f.Fix, 1, step)
		}
		return f
	}),
}

// notation is what the two values differ in.
func notation(_ *resource, f *drift.Field) string {
	how, _ := drift.Same(f.Desired, f.Live)
	return how
}

func meansTheSame(_ *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	if !f.InLive || !f.InDesired {
		return false
	}
	if isText(r, f) {
		return false
	}
	how, same := drift.Same(f.Desired, f.Live)
	return same && (how != drift.LetterCase || ignoresCase(f))
}

// isText: only the program that reads it knows what means the same there. "1.10" is not "1.1", and " a" is not "a".
func isText(r *resource, f *drift.Field) bool {
	if r.Ref.Group == "" && (r.Ref.Kind == "ConfigMap" || r.Ref.Kind == "Secret") {
		return true
	}
	_, list := f.Desired.([]any) // the order of a list of variables or arguments is a notation of its own
	return f.Path.Under("metadata") || f.Path.Has("annotations") || f.Path.Has("labels") || !list && (f.Path.Has("env") || f.Path.Has("args") || f.Path.Has("command"))
}

// ignoresCase are fields whose values are compared without regard to case wherever they are used.
func ignoresCase(f *drift.Field) bool {
	switch lastField(f.Path) {
	case "host", "hosts", "hostname", "hostnames", "dnsNames", "domain", "protocol", "scheme", "method", "methods":
		return true
	}
	return false
}
