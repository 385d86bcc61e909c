package rules

import (
	"cmp"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// ailment is what a resource suffers from: the rule that knows it, and the facts for its sentences.
type ailment struct {
	rule string
	// container that fails; empty when not known or when it is not about one.
	container string
	init      bool
	// reason is Kubernetes' word for it, text what it says, from where that was read.
	reason, text, from string
	// exit is the exit code, exited whether there is one.
	exit     int
	exited   bool
	restarts int
}

// ailmentOf goes from the pod to the resource: what a pod says beats what its owner says about it.
func ailmentOf(s *sickResource) ailment {
	if s.leaving() && s.ref.Kind == "Namespace" {
		return ailment{rule: "health/namespace-terminating", text: s.text, from: s.ref.String()}
	}
	if s.leaving() {
		return ailment{rule: "health/deleting", text: s.text, from: s.ref.String()}
	}
	a := ailment{}
	switch {
	case s.status == "Suspended", s.status == "Missing":
	case s.pod != nil:
		a = podAilment(s)
	}
	if a.rule == "" {
		a.rule = byKind(s)
	}
	if (s.ref.Kind == "Job" || s.pod != nil && len(s.pod.ParentRefs) > 0 && s.pod.ParentRefs[0].Kind == "Job") && (a.rule == "health/crash-loop" || a.rule == "health/liveness") {
		a.rule = "health/job-failed" // what ends is not started again for ever
	}
	if e := lastOf(s.events, "FailedCreate"); s.pod == nil && e != nil {
		a.reason, a.text, a.from = e.Reason, createRefusal(e), eventName(e)
	}
	if a.text == "" && a.reason == "" {
		a.text, a.from = s.text, s.ref.String()
	}
	return a
}

// byKind is the rule about a resource whose pods tell nothing.
func byKind(s *sickResource) string {
	switch {
	case s.status == "Missing" && s.ref.Kind == "Application" && s.ref.Group == "argoproj.io":
		return "health/child-app" // the child is there; what it deploys is missing
	case s.status == "Missing":
		return "health/missing"
	case s.ref.Kind == "Rollout" && s.ref.Group == "argoproj.io":
		if s.status == "Degraded" {
			return "health/rollout-degraded"
		}
		return "health/rollout-paused"
	case s.status == "Suspended":
		return "health/suspended"
	}
	switch s.ref.Group + "/" + s.ref.Kind {
	case "apps/Deployment", "apps/DaemonSet", "apps/ReplicaSet", "/Pod", "/ReplicationController", "extensions/Deployment":
		return "health/progress-deadline"
	case "apps/StatefulSet":
		return "health/statefulset-stuck"
	case "batch/Job":
		return "health/job-failed"
	case "batch/CronJob":
		if s.job != nil {
			return "health/job-failed"
		}
	case "/PersistentVolumeClaim":
		return "health/volume-pending"
	case "/Service":
		return "health/load-balancer-pending"
	case "networking.k8s.io/Ingress", "extensions/Ingress":
		return "health/ingress-no-address"
	case "autoscaling/HorizontalPodAutoscaler":
		return "health/hpa-metrics"
	case "policy/PodDisruptionBudget":
		return "health/pdb"
	case "argoproj.io/Application":
		return "health/child-app"
	}
	switch {
	case s.ref.Group == "cert-manager.io", s.ref.Group == "acme.cert-manager.io", s.ref.Group == "certmanager.k8s.io":
		return "health/certificate"
	case s.ref.Group == "external-secrets.io", s.ref.Group == "kubernetes-client.io":
		return "health/external-secret"
	}
	return "health/custom-resource"
}

// podAilment is what the telling pod suffers from; its rule is empty when the pod names no reason.
func podAilment(s *sickResource) ailment {
	pod := s.object
	if s.usesClaim() {
		s.events = slices.Concat(s.claimEvents, s.events)
		evidence.SortEvents(s.events)
	}
	if s.podStays() {
		return ailment{rule: "health/deleting", reason: "Terminating", from: s.pod.Ref().String()}
	}
	if pod == nil {
		return nodeAilment(s.pod, s.events)
	}
	from := s.pod.Ref().String()
	all := containersOf(pod)
	for _, find := range []func(*sickResource, container) (ailment, bool){blockedContainer, killedContainer, crashedContainer} {
		for _, c := range all {
			if a, ok := find(s, c); ok {
				a.container, a.init, a.restarts = c.name, c.init, c.restarts()
				a.from = cmp.Or(a.from, from)
				return a
			}
		}
	}
	if c := pod.Condition("PodScheduled"); c != nil && c.Text("status") == "False" {
		text := c.Text("message")
		return ailment{rule: schedulingRule(text), reason: cmp.Or(c.Text("reason"), "Unschedulable"), text: text, from: from}
	}
	if a, ok := startAilment(s.events); ok && !slices.ContainsFunc(all, isRunning) {
		return a
	}
	for _, c := range all {
		if !c.ready() && isRunning(c) {
			return ailment{rule: "health/readiness", container: c.name, init: c.init, restarts: c.restarts(), text: probeAnswer(s.events), from: from}
		}
	}
	if c := pod.Condition("Ready"); c.Text("reason") == "ReadinessGatesNotReady" {
		return ailment{rule: "health/readiness", reason: "ReadinessGatesNotReady", text: c.Text("message"), from: from}
	}
	return ailment{reason: cmp.Or(pod.Text("status", "reason"), telling(podReason(s.pod))), text: pod.Text("status", "message"), from: from}
}

// usesClaim reports whether the claim that is not bound is one of the pod's.
func (s *sickResource) usesClaim() bool {
	return s.claim != "" && slices.ContainsFunc(s.object.List("spec", "volumes"), func(v evidence.Object) bool {
		return v.Text("persistentVolumeClaim", "claimName") == s.claim
	})
}

// podStays reports whether the pod is marked for deletion: it is the one that tells only where no other does.
func (s *sickResource) podStays() bool {
	return podReason(s.pod) == "Terminating" || s.object.Text("metadata", "deletionTimestamp") != ""
}

// forgetLeavingPod leaves out a pod that was marked for deletion a moment ago: it is about to be replaced, and says nothing
// about why its resource is not well.
func (s *sickResource) forgetLeavingPod(in *diagnose.In) {
	if s.pod == nil || s.leaving() || !s.podStays() {
		return
	}
	since := s.since
	if marked := s.object.Time("metadata", "deletionTimestamp"); !marked.IsZero() {
		since = in.Since(marked)
	}
	if since < briefly {
		s.pod, s.object, s.events, s.log = nil, nil, nil, evidence.Log{}
	}
}

func isRunning(c container) bool { return c.status.At("state", "running") != nil }
