package outofsync

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var ManualEdit = &diagnose.Rule{
	ID:    "drift/manual-edit",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Somebody changed the resource in the cluster",
		What:     "A field was changed past Git, with kubectl or another tool that people use. Git still has the old value; the next sync, or self-heal, undoes the change.",
		Decisive: "managedFields say that a person's tool (kubectl-edit, kubectl-set, kubectl scale, a dashboard, helm) wrote the live value last.",
		Example:  "spec.replicas: Git 2, live 5, written by kubectl through scale, 12 min ago",
		Fix:      "Decide: commit the live value to Git, or sync and lose it.",
		Links:    []string{"https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management"},
	},
	ExplainedBy: diagnose.SymptomOf(SelfhealLoop),
	Sync:        overwrites("it sets the fields that were changed by hand back to what Git has"),
	Recognises:  explains{{byPerson, writtenByPerson}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		o, told := personOf(r, &field)
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(told),
			Title:      fmt.Sprintf("%s changed by hand (%s)", g.fieldsLabel(), writerText(g.in, o)),
			Why:        fmt.Sprintf("%s. %s wrote to it past Git%s.", g.valuesClause(), o.Manager, agoClause(g.in, o.Time)),
			Fix: []diagnose.Fix{
				g.commit("To keep it, write it into Git"),
				{Text: "To undo it, sync" + g.alsoApplied(), Command: syncOnly(g.in, g.resources)},
			},
		}
		if also := g.alsoApplied(); also != "" {
			f.Sync = overwrites("it sets the fields that were changed by hand back" + also)
		}
		switch {
		case told:
		case o.Manager == "":
			f.Title = fmt.Sprintf("%s was changed in the cluster, and nobody is noted as its writer", g.fieldsLabel())
			f.Why = fmt.Sprintf("%s. Argo CD applied it as Git wants it; somebody or something changed it since. The API server keeps no writer of a field that is taken out, or of replicas that are scaled to none.", g.valuesClause())
		default:
			f.Why = fmt.Sprintf("%s. Argo CD applied it and it is gone; %s wrote to the resource after that%s.", g.valuesClause(), o.Manager, agoClause(g.in, o.Time))
		}
		if isSecret(r.Ref) {
			f.Fix[0] = diagnose.Fix{Text: "To keep it, put the new value where the Secret of Git comes from"}
		}
		if health := r.status.Health; health != nil && (health.Status == "Degraded" || health.Status == "Progressing") && f.Fix[0].Patch != "" {
			slices.Reverse(f.Fix) // nobody wants to keep what does not run
		}
		return f
	}),
}

// alsoApplied says what else a sync of these resources brings along: what Git changed of them and nobody has synced.
func (g *explained) alsoApplied() string {
	for _, r := range g.resources {
		if fields := r.explainedBy(AutosyncOff); len(fields) > 0 {
			return fmt.Sprintf("; it also applies what Git changed since: %s of %s", fields[0].Path.Short(), r.Ref)
		}
	}
	return ""
}

// writtenByPerson: the last to write the field used a person's tool. A field that was removed has no owner: then it counts
// that such a tool wrote to the object after Argo CD did.
func writtenByPerson(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	o, told := personOf(r, f)
	switch {
	case told, leavesNoTrace(in, r, f):
		return true
	case o.Manager == "" || f.InLive || drift.Empty(f.Desired):
		return false
	}
	// Else the field may be new in Git, and the person's change another one.
	return f.WasApplied || !gitMoved(in) || o.Manager == "kubectl-client-side-apply"
}

// leavesNoTrace: what was applied is as Git wants it and nobody owns the field any more. The API server forgets the owner
// of replicas that are scaled to none, and of a field that is taken out; of built-in kinds it drops no fields itself.
func leavesNoTrace(in *diagnose.In, r *resource, f *drift.Field) bool {
	if len(f.Owners) > 0 || !f.WasApplied || !reflect.DeepEqual(f.Applied, f.Desired) || drift.Empty(f.Desired) {
		return false
	}
	// What is taken out by hand does not last where self-heal puts it back.
	return isReplicas(f) && f.Live == float64(0) || !f.InLive && !isCustomKind(r.Ref) && !selfHeals(in)
}

// personOf is who changed the field by hand; told is false where it is concluded from another field's owner.
func personOf(r *resource, f *drift.Field) (o drift.Owner, told bool) {
	if o, ok := foreignWriter(f); ok {
		return o, isPerson(o)
	}
	if f.InLive {
		return drift.Owner{}, false
	}
	managers := drift.Owners(r.Live)
	argo := slices.IndexFunc(managers, isArgo)
	for i, o := range managers {
		if isPerson(o) && o.Subresource != "status" && (argo < 0 || i < argo) {
			return o, false
		}
	}
	return drift.Owner{}, false
}
