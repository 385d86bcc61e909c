package unhealthy

import (
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Concealment says why Argo CD calls a resource healthy that is not.
type Concealment int

// The reasons.
const (
	// Shown: it does not.
	Shown Concealment = iota
	// Unassessed: it has no health check for the kind.
	Unassessed
	// Overlooked: its health check does not look at what is wrong.
	Overlooked
	// OnPurpose: a rollout waits for somebody, as its manifest asks for.
	OnPurpose
)

// Resource is a resource of the application that is not healthy.
type Resource struct {
	Ref evidence.Ref
	// Of is the custom resource whose operator made it; zero where it is itself one of the application.
	Of           evidence.Ref
	Status, Text string
	Since        time.Duration
	OutOfSync    bool
	node         *evidence.Node
	// Pod is the node of the most informative pod, nil where there is none.
	Pod *evidence.Node
	// Job is the last failed Job of a CronJob.
	Job *evidence.Node
	// Object, Events and Log are the pod's; the resource's own where there is no pod. Only the worst resource is examined.
	Object evidence.Object
	Events []evidence.Event
	Log    evidence.Log
	// Claim is a volume claim that lies beside the pod and is not bound, claimEvents are its events. Whether it is the
	// pod's the pod says.
	Claim       string
	claimEvents []evidence.Event
	Examined    bool
	podAge      time.Duration
	Symptom     pods.Symptom
	// Concealed says why Argo CD calls it healthy, and Settling that what is wrong with it began a moment ago and may pass.
	Concealed Concealment
	Settling  bool
	// Below is the object that it owns and that knows most: the Challenge of a Certificate, the AnalysisRun of a Rollout.
	Below evidence.Object
	// Owner is the StatefulSet that its pod is one of: how it replaces pods is its own.
	Owner evidence.Object
	// Refers is what it gets what it makes from, nil where its object names nothing: see RefersTo.
	Refers *Resource
	// Need is the part of the application that it cannot reach, nil where its log names none.
	Need *Need
	// hook: it is one that a sync stopped at.
	hook bool
	// Rule is the one that the resource belongs to, once rules/health has found it.
	Rule *diagnose.Rule
}

// isUnhealthy reports whether the resource is part of why the application is not healthy. What is missing and out of sync is
// the business of drift. Where Argo CD lists no resources, a pod that is in trouble makes its owner unhealthy.
func (s *Resource) isUnhealthy(unlisted bool) bool {
	switch s.Status {
	case "Degraded", "Progressing", "Suspended", "Unknown":
		return true
	case "Missing":
		return !s.OutOfSync
	}
	return unlisted && s.Pod != nil && pods.Rank(s.Pod) >= pods.RankPending
}

// rank orders by how informative a resource is.
func (s *Resource) rank() int {
	pod := -1
	if s.Pod != nil {
		pod = pods.Rank(s.Pod)
	}
	switch {
	case s.Leaving() && s.Ref.Kind == "Namespace":
		return 0 // it knows what blocks the rest
	case s.Leaving():
		return 1
	case pod == pods.RankFailing:
		return 2
	case s.Status == "Degraded":
		return 3 + s.dependencyRank()
	case pod == pods.RankPending:
		return 5
	case pod >= 0:
		return 6
	case s.Status == "Progressing", s.Status == "Unknown":
		return 7 + s.dependencyRank()
	case s.Status == "Missing":
		return 9
	}
	return 10
}

// dependencyRank is 0 for the kinds that others depend on, and largest for a child application, which has a diagnosis of its own.
func (s *Resource) dependencyRank() int {
	if s.isChild() {
		return 2
	}
	switch s.Ref.Kind {
	case "SecretStore", "ClusterSecretStore", "Issuer", "ClusterIssuer", "CustomResourceDefinition":
		return 0
	}
	return 1
}

// Leaving reports whether the resource is marked for deletion and still there.
func (s *Resource) Leaving() bool { return strings.EqualFold(s.Text, "Pending deletion") }
