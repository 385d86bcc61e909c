package pods

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// LastFailedJob is the newest of the failed Jobs among the nodes, nil when none failed.
func LastFailedJob(nodes []evidence.Node) *evidence.Node {
	var last *evidence.Node
	for i := range nodes {
		n := &nodes[i]
		newer := last == nil || cmp.Or(n.CreatedAt.Compare(last.CreatedAt.Time), strings.Compare(n.Name, last.Name)) > 0
		if n.Kind == "Job" && n.HealthStatus() == "Degraded" && newer {
			last = n
		}
	}
	return last
}

// LastRun is the newest of the Jobs among the nodes that ended, nil when none did.
func LastRun(nodes []evidence.Node) *evidence.Node {
	var last *evidence.Node
	for i := range nodes {
		n := &nodes[i]
		ended := n.Kind == "Job" && (n.HealthStatus() == "Degraded" || n.HealthStatus() == "Healthy")
		if ended && (last == nil || cmp.Or(n.CreatedAt.Compare(last.CreatedAt.Time), strings.Compare(n.Name, last.Name)) > 0) {
			last = n
		}
	}
	return last
}
