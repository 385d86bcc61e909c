package statement

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

// PodRefusals are the pods that the API server did not let a controller create. They are looked for only when nothing
// that Argo CD says explains why the application is not healthy. known is false while the evidence is missing.
func PodRefusals(in *diagnose.In) (out []diagnose.Statement, known bool) {
	return diagnose.Once(in, "pod refusals", func() ([]diagnose.Statement, bool) { return lookForPodRefusals(in) })
}

func lookForPodRefusals(in *diagnose.In) (out []diagnose.Statement, known bool) {
	app := in.App()
	health := app.Status.Health.Status
	if about := in.About(); !about.IsZero() {
		return refusedTo(in, about)
	}
	if unhealthy.ExplainedByArgoCD(in) || health != "Progressing" && health != "Degraded" && !app.Status.OperationState.Running() {
		return nil, true
	}
	tree, ok := diagnose.Get(in, evidence.FactTree)
	if !ok {
		return nil, false
	}
	if podInTrouble(in, tree) {
		return nil, true
	}
	return refusals(in, tree, func(evidence.Ref) bool { return true })
}

// refusedTo are those of one resource.
func refusedTo(in *diagnose.In, ref evidence.Ref) (out []diagnose.Statement, known bool) {
	tree, ok := diagnose.Get(in, evidence.FactTree)
	if !ok {
		return nil, false
	}
	return refusals(in, tree, func(owner evidence.Ref) bool { return owner == ref })
}

func refusals(in *diagnose.In, tree *evidence.Tree, of func(owner evidence.Ref) bool) (out []diagnose.Statement, known bool) {
	known = true
	for i, node := range unhealthy.IdleControllers(in, tree) {
		owner := pods.RootOf(tree.Find, &node)
		if !of(owner) {
			continue
		}
		events, ok := diagnose.Get(in, evidence.FactEvents(node.Query()))
		known = known && ok
		if e := pods.LastEvent(events, "FailedCreate"); e != nil {
			out = append(out, diagnose.Derive(i, pods.EventName(e), pods.CreateRefusal(e), owner))
		} else if c := replicaFailure(in, owner); c != "" && !in.Waiting() {
			out = append(out, diagnose.Derive(i, "condition ReplicaFailure of "+owner.String(), c, owner))
			known = true
		}
	}
	return out, known
}

// replicaFailure is what a Deployment says about pods that could not be created, where its object was read anyway.
func replicaFailure(in *diagnose.In, ref evidence.Ref) string {
	o, ok := diagnose.Peek(in, evidence.FactObject(evidence.ObjectQuery{Ref: ref}))
	if c := o.Condition("ReplicaFailure"); ok && c.Text("status") == "True" && strings.Contains(c.Text("message"), " ") {
		return c.Text("message")
	}
	return ""
}

// podInTrouble reports whether a pod is in trouble in an application that is not syncing: then the calls are spent on it.
func podInTrouble(in *diagnose.In, tree *evidence.Tree) bool {
	if !unhealthy.Unexplained(in) {
		return false
	}
	p := unhealthy.List(in, tree)
	return len(p.Resources) > 0 && p.Resources[0].Pod != nil
}
