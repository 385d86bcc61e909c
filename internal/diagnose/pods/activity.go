package pods

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Activity is what a pod does, as the tree shows it without reading the pod.
type Activity int

// The activities.
const (
	Running Activity = iota
	Waiting
	Failed
	Done
)

// ActivityOf is what the pod of a node does.
func ActivityOf(n *evidence.Node) Activity {
	reason := Reason(n)
	switch {
	case n.Health != nil && strings.Contains(n.Health.Message, "exit code"), reason == "Error", reason == "Failed", reason == "OOMKilled", reason == "CrashLoopBackOff", reason == "StartError", reason == "ContainerCannotRun", reason == "DeadlineExceeded", Lost(reason):
		return Failed
	case strings.Contains(reason, "/"): // Init:0/2: an init container runs
		return Running
	case reason == "Completed", reason == "Succeeded":
		return Done
	case reason == "Running", reason == "" && n.HealthStatus() == "Healthy":
		return Running
	case reason == "":
		if n.HealthStatus() == "Degraded" {
			return Failed
		}
		return Running
	}
	return Waiting
}

// Lost reports whether a pod ended for this reason: its node or the scheduler took it away, or its node refused it. Evictions have words
// of their own.
func Lost(reason string) bool {
	switch reason {
	case "Preempting", "NodeLost", "NodeShutdown", "Shutdown", "Terminated", "UnexpectedAdmissionError", "NodeAffinity", "OutOfcpu", "OutOfmemory", "OutOfpods":
		return true
	}
	return false
}

// OfJob is the decisive pod of a Job: the newest that failed, else the newest that waits, else the newest.
func OfJob(tree *evidence.Tree, job evidence.Ref) *evidence.Node {
	var pods []evidence.Node
	for _, n := range tree.Descendants(job) {
		if n.Kind == "Pod" {
			pods = append(pods, n)
		}
	}
	if len(pods) == 0 {
		return nil
	}
	rank := func(n evidence.Node) int {
		switch ActivityOf(&n) {
		case Failed:
			return 2
		case Waiting:
			return 1
		case Running, Done:
		}
		return 0
	}
	best := slices.MaxFunc(pods, func(a, b evidence.Node) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), a.CreatedAt.Compare(b.CreatedAt.Time), cmp.Compare(a.Name, b.Name))
	})
	return &best
}
