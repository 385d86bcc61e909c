package hooks

import (
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// wait is what a sync waits for, or waited for in vain.
type wait struct {
	in  *diagnose.In
	ref evidence.Ref
	// status is its health in one word, health what Argo CD says about it.
	status, health string
	// found is its worst pod, nil if no pod says anything.
	found *unhealthy.Resource
	// object and events are its own where it has no such pod; the events those of the controller that should create its pods.
	object evidence.Object
	events []evidence.Event
	// below is what it owns.
	below []evidence.Node
	// child is the diagnosis of an application that it is.
	child *diagnose.Report
	since time.Duration
}

// look goes from the resource to what says why it is not healthy: its worst pod, or else its own object and events. known is false
// while the evidence has not been read.
func (w *wait) look(tree *evidence.Tree) (known bool) {
	if w.ref.IsApplication() && evidence.HasPrivate(w.ref.Name) {
		return true // nothing of it is to be read
	}
	if w.ref.Kind == "Application" && w.ref.Group == "argoproj.io" {
		app, ok := diagnose.Get(w.in, evidence.FactChild(w.ref))
		if ok {
			w.child = w.in.Alone(app)
		}
		return ok
	}
	below := tree.Descendants(w.ref)
	w.below = below
	if w.ref.Kind == "Pod" {
		if n := tree.Find(w.ref); n != nil {
			below = append(below, *n)
		}
	}
	if pod := pods.Worst(below); pod != nil {
		return w.lookAtPod(pod, below)
	}
	q := evidence.ObjectQuery{Ref: w.ref}
	if n := tree.Find(w.ref); n != nil {
		q = n.Query()
	}
	object, ok1 := diagnose.Get(w.in, evidence.FactObject(q))
	for _, n := range pods.ControllersWithout(tree) { // a Deployment's pods are refused to its ReplicaSet
		if slices.ContainsFunc(below, func(b evidence.Node) bool { return b.Ref() == n.Ref() }) {
			q = n.Query()
		}
	}
	events, ok2 := diagnose.Get(w.in, evidence.FactEvents(q))
	w.object, w.events = object, events
	return ok1 && ok2
}

// lookAtPod reads a pod, its log if it has one, and the events of a claim beside it that is not bound.
func (w *wait) lookAtPod(pod *evidence.Node, below []evidence.Node) (known bool) {
	s := &unhealthy.Resource{Ref: w.ref, Status: w.status, Text: w.health, Examined: true, Pod: pod}
	q := pod.Query()
	object, ok1 := diagnose.Get(w.in, evidence.FactObject(q))
	events, ok2 := diagnose.Get(w.in, evidence.FactEvents(q))
	if pods.Rank(pod) != pods.RankPending && pods.HasLog(pod) { // also of one that runs: it may say what it waits for
		s.Log, _ = diagnose.Get(w.in, evidence.FactLog(pods.LogQuery(pod)))
	}
	for _, n := range below {
		if n.Kind == "PersistentVolumeClaim" && n.HealthStatus() != "Healthy" && pods.Rank(pod) == pods.RankPending {
			w.events, _ = diagnose.Get(w.in, evidence.FactEvents(n.Query()))
			break
		}
	}
	s.Object, s.Events = object, events
	s.Symptom = s.PodSymptom()
	if s.Symptom.Clause() != "" && (s.Symptom.Trouble != pods.NoTrouble || s.Symptom.Text != "") {
		w.found = s
	}
	return ok1 && ok2
}

// explained reports whether something says why it is not healthy, so that waiting longer is no answer.
func (w *wait) explained() bool {
	return w.found != nil || w.awaitsConsumer() || w.installPlan() != "" || pods.LastEvent(w.events, "FailedCreate") != nil
}

// noAddress reports whether it is an Ingress or a Service of a load balancer that has no address.
func (w *wait) noAddress() bool {
	return (w.ref.Kind == "Ingress" || w.ref.Kind == "Service") && w.object != nil && len(w.object.List("status", "loadBalancer", "ingress")) == 0
}

// externalIPs explains a Service that has addresses which do not count for Argo CD; false where it has none.
func (w *wait) externalIPs(f *diagnose.Finding) bool {
	why, steps, ok := unhealthy.ExternalIPs(w.in, w.ref, w.object)
	if !ok || pods.LastWarning(w.events) != nil {
		return false
	}
	f.Why = text.Paragraph(f.Why, why)
	f.Fix = append(steps, f.Fix...)
	return true
}

// awaitsConsumer reports whether it is a claim whose storage class creates the volume for the first pod that uses it.
func (w *wait) awaitsConsumer() bool {
	return w.ref.Kind == "PersistentVolumeClaim" && w.found == nil && pods.LastEvent(w.events, "WaitForFirstConsumer") != nil
}
