package outofsync

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var ManualEdit = &diagnose.Rule{
	ID:    "drift/manual-edit",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Resource changed outside Git",
		What:     "A field was changed outside Git, with kubectl or another tool that people use. Git still has the old value; the next sync or self-heal undoes the change.",
		Decisive: "managedFields show that a tool that people use (kubectl-edit, kubectl-set, kubectl scale, a dashboard, helm) wrote the live value last.",
		Example:  "spec.replicas: 2 in Git, 5 in the cluster, written by kubectl scale 12 min ago",
		Fix:      "Decide: commit the live value to Git, or sync and lose it.",
		Links:    []string{"https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management"},
	},
	ExplainedBy: diagnose.SymptomOf(SelfhealLoop),
	Sync:        overwrites("it resets the fields that were changed outside Git"),
	Recognises:  explains{{byPerson, isRestart}, {byPerson, writtenByPerson}},
	Check: reportingEach(restartOrEdit, func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		if isRestart(g.in, g.picture, r, &field) {
			return g.restarted()
		}
		o, stated := personOf(r, &field)
		if o.Manager == "" && !field.InLive {
			return g.removedOrDropped()
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(stated),
			Title:      fmt.Sprintf("%s: %s %s outside Git", g.subject(), g.fieldsLabel(), g.howWritten()),
			Why:        g.valuesClause() + ".",
			Sync:       overwrites(g.resets() + g.alsoApplied()),
			Fix: []diagnose.Fix{
				g.keep(field),
				{Text: "To undo it, sync" + g.restartsPods() + g.alsoApplied(), Command: syncOnly(g.in, g.resources)},
			},
		}
		if live, desired, ok := g.titleValues(); ok {
			f.Title = fmt.Sprintf("%s: %s set to %s outside Git", g.subject(), fieldLabel(field), live)
			f.Why = fmt.Sprintf("It is %s in Git.", desired)
		}
		switch {
		case stated:
			f.Why += fmt.Sprintf(" It was changed with %s%s%s.", whoWrote(o), clientNote(o), agoClause(g.in, o.Time))
		case o.Manager == "":
			f.Why += " Argo CD applied the value from Git, and someone or something has changed it since. Kubernetes does not record who scales to zero."
		default:
			f.Why += fmt.Sprintf(" Argo CD applied the field, but it has since been removed; the resource was last changed with %s%s.", whoWrote(o), agoClause(g.in, o.Time))
		}
		if selfHeals(g.in) && !g.keepsLive() && !g.picture.beside {
			f.Why += " Self-heal is on, so Argo CD undoes it by itself."
		}
		if g.mergesBeside() {
			f.Fix[1] = diagnose.Fix{
				Text:    "To undo it, set it back manually" + g.restartsPods() + ": a sync merges this list by its keys and leaves the entry that was changed",
				Command: diagnose.Shell("kubectl %sedit %s", advice.InNamespace(r.Ref), r.Ref.Resource()),
			}
			f.Sync = overwrites(fmt.Sprintf("it applies Git's entry beside the one that was changed, or the API server refuses both together%s", g.alsoApplied()))
		}
		if g.picture.beside && !appliedLast(g.in, r.Ref) { // alone, it would be deployed without the hooks and waves before it
			f.Fix[1] = diagnose.Fix{Text: "Otherwise leave it: the next sync that gets through undoes it"}
		}
		if isSecret(r.Ref) && field.InLive {
			f.Fix[0] = diagnose.Fix{Text: "To keep the change, put the new value where the Secret in Git comes from"}
		}
		if health := r.status.Health; health != nil && (health.Status == "Degraded" || health.Status == "Progressing") && f.Fix[0].Patch != "" {
			slices.Reverse(f.Fix) // nobody wants to keep what fails
		}
		return f
	}),
}

// mergesBeside reports whether a sync puts Git's member of a list beside the live one instead of changing it back: someone changed what
// tells the members apart, and lists of built-in kinds are merged by that.
func (g *explained) mergesBeside() bool {
	return slices.ContainsFunc(g.resources, func(r *resource) bool {
		return evidence.BuiltIn(r.Ref.Group) && slices.ContainsFunc(g.fieldsOf(r), func(f drift.Field) bool {
			last := f.Path[len(f.Path)-1]
			// A list that is written as a whole (the rules of an Ingress) has no owners of its members.
			merged := slices.ContainsFunc(f.Owners, func(o drift.Owner) bool { return o.Exact })
			return f.KeyChanged && merged || !f.InLive && last.Keys["protocol"] != nil && hasNamesake(g.in, r, &f)
		})
	})
}

// hasNamesake reports whether the live list has a member of the name that the one in Git has.
func hasNamesake(in *diagnose.In, r *resource, f *drift.Field) bool {
	member, _ := f.Desired.(map[string]any)
	list, _ := drift.Lookup(r.Live, f.Path[:len(f.Path)-1])
	members, _ := list.([]any)
	in.Spend(len(members))
	return member["name"] != nil && slices.ContainsFunc(members, func(v any) bool {
		m, _ := v.(map[string]any)
		return m["name"] == member["name"]
	})
}

// removedOrDropped is the finding about fields that were applied and are not there, without a trace of anyone: either someone took them out
// with a tool that sets nothing, or the API server does not know them.
func (g *explained) removedOrDropped() diagnose.Finding {
	r, field := g.firstField()
	n := g.countFields()
	f := diagnose.Finding{
		Confidence: diagnose.Possible,
		Title:      fmt.Sprintf("%s: %s applied, but not in the cluster", g.subject(), g.fieldsLabel()),
		Why:        fmt.Sprintf("%s. Argo CD applied %s: either the API server drops %s, because %s misspelled, misplaced or unknown to this version, or someone has removed %s since, which Kubernetes does not record.", g.valuesClause(), them(n), them(n), verb(n, "it is", "they are"), them(n)),
		Sync:       overwrites(fmt.Sprintf("it puts %s back if someone removed %s; if the API server drops %s, it changes nothing", g.fieldsLabel(), them(n), them(n))),
	}
	if path, ok := field.Path.Schema(); ok {
		f.Fix = append(f.Fix, diagnose.Fix{Text: "Check whether the cluster's API has the field", Command: diagnose.Shell("kubectl explain %s --api-version=%s", strings.ToLower(r.Ref.Kind)+"."+path, r.Target.Text("apiVersion"))})
	}
	f.Fix = append(f.Fix,
		diagnose.Fix{Text: fmt.Sprintf("If not, correct the name or place of %s in %s", g.paths(), g.manifest())},
		diagnose.Fix{Text: "If it does, sync to put back what was removed" + g.restartsPods() + g.alsoApplied(), Command: syncOnly(g.in, g.resources)},
	)
	return f
}

// whoWrote is a manager as people know it: kubectl scale, kubectl edit.
func whoWrote(o drift.Owner) string {
	if o.Manager == "kubectl" && o.Subresource != "" {
		return o.Manager + " " + o.Subresource
	}
	switch o.Manager {
	case "kubectl-edit", "kubectl-patch", "kubectl-set", "kubectl-label", "kubectl-annotate", "kubectl-replace", "kubectl-create", "kubectl-rollout":
		return strings.Replace(o.Manager, "-", " ", 1)
	case "kubectl-client-side-apply":
		return "kubectl apply"
	case "argocd-server":
		return "Argo CD's UI or API"
	case "node-fetch":
		return "a tool in JavaScript, such as Lens (field manager node-fetch)"
	case "Mozilla":
		return "a dashboard in a browser (field manager Mozilla)"
	}
	return managerText(o)
}

// keep is the step that makes Git follow the live state.
func (g *explained) keep(field drift.Field) diagnose.Fix {
	if !field.InLive { // then none is
		return diagnose.Fix{Text: fmt.Sprintf("To keep the change, remove %s from %s", g.paths(), g.manifest())}
	}
	step := "To keep the change, set the live value"
	if removed := g.onlyInGit(); removed != nil {
		step = fmt.Sprintf("To keep the change, remove %s and set the live value of the rest", text.List(removed, namedFields))
	}
	return g.commit(step)
}

// restartsPods says of a change in what pods are made of that undoing it replaces them.
func (g *explained) restartsPods() string {
	if g.inPods() {
		return ", which replaces the pods"
	}
	return ""
}

// alsoApplied says what else a sync of these resources applies: what Git changed in them and nobody has synced.
func (g *explained) alsoApplied() string {
	for _, r := range g.resources {
		if fields := r.explainedBy(AutosyncOff); len(fields) > 0 {
			return fmt.Sprintf(", which also applies what Git changed since: %s", fieldLabel(fields[0]))
		}
	}
	return ""
}

// writtenByPerson: the last to write the field used a person's tool. A field that was removed has no owner: then it counts
// that such a tool wrote to the object after Argo CD did.
func writtenByPerson(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	o, stated := personOf(r, f)
	switch {
	case stated, leavesNoTrace(in, r, f):
		return true
	case o.Manager == "" || f.InLive || drift.Empty(f.Desired):
		return false
	}
	// Else the field may be new in Git, and the person's change another one.
	return f.WasApplied || !gitMoved(in) || o.Manager == "kubectl-client-side-apply"
}

// leavesNoTrace: what was applied matches Git and nobody owns the field itself now. The API server forgets the owner
// of replicas that are scaled to none, and of a field that is taken out; of built-in kinds it drops no fields itself.
func leavesNoTrace(in *diagnose.In, r *resource, f *drift.Field) bool {
	owned := slices.ContainsFunc(f.Owners, func(o drift.Owner) bool { return !isArgo(o) || o.Exact || f.InLive })
	if owned || !f.WasApplied || !reflect.DeepEqual(f.Applied, f.Desired) || drift.Empty(f.Desired) {
		return false
	}
	// What is removed manually does not last where self-heal puts it back.
	return isReplicas(f) && f.Live == float64(0) || !f.InLive && !isCustomKind(r.Ref) && !selfHeals(in)
}

// personOf is the tool with which a person changed the field; stated is false where it is inferred from another field's owner.
func personOf(r *resource, f *drift.Field) (o drift.Owner, stated bool) {
	if o, ok := foreignWriter(f); ok {
		return o, isPerson(o)
	}
	if f.InLive {
		return drift.Owner{}, false
	}
	managers := r.owners()
	argo := slices.IndexFunc(managers, isArgo)
	for i, o := range managers {
		if isPerson(o) && o.Subresource != "status" && (argo < 0 || i < argo) {
			return o, false
		}
	}
	return drift.Owner{}, false
}
