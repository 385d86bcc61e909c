package health

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

// lostNodes is how the scheduler counts nodes that do not respond or take no pods, before and since Kubernetes 1.20.
var lostNodes = pattern.MustCompile(`(\d+) (?:node\(s\)|nodes?) (?:had (?:untolerated )?taints? \{node\.kubernetes\.io/(unreachable|not-ready|out-of-service|unschedulable)\b|were (unschedulable))`)

// boundElsewhere is the trouble of a pod whose volume exists, and can only be used where no node takes the pod. One of the nodes that do
// not respond may be where it is.
func boundElsewhere(said string) volumeTrouble {
	w := volumeTrouble{short: "volume is bound to another zone or node", elsewhere: true, fix: "Allow the pod to run where its volume is: its node selector, affinity and tolerations in Git, or a node there with room"}
	m := lostNodes.FindStringSubmatch(said)
	if m == nil {
		return w
	}
	state, what := "is unreachable", "Bring it back"
	switch m[2] + m[3] {
	case "not-ready":
		state = "is not ready"
	case "out-of-service":
		state = "is out of service"
	case "unschedulable":
		state, what = "is cordoned", "Uncordon it"
	}
	n := "1 node"
	if m[1] != "1" {
		n = m[1] + " nodes"
		state, what = "are"+state[len("is"):], what[:len(what)-len("it")]+"them"
	}
	w.lost = !strings.HasSuffix(state, "cordoned")
	w.short = fmt.Sprintf("volume is tied to a node, and %s %s", n, state)
	w.fix = what + ", if the volume is there. Else let the pod run where the volume is"
	return w
}

// elsewhereSteps are the looks at the nodes and at where the volume of a claim may be used, and the way out that loses its data.
func elsewhereSteps(s *unhealthy.Resource, w volumeTrouble, claim string) []diagnose.Fix {
	ns := advice.InNamespace(s.Target())
	out := []diagnose.Fix{{Text: "List the nodes with their state and zone", Command: "kubectl get nodes -L topology.kubernetes.io/zone"}}
	if claim == "" {
		out = append(out, diagnose.Fix{Text: "Show which volumes its claims are bound to; each volume's nodeAffinity names its nodes", Command: diagnose.Shell("kubectl %sget pvc", ns)})
	} else {
		out = append(out, diagnose.Fix{Text: "Show where the volume may be used", Command: diagnose.Shell("kubectl get pv $(kubectl %sget pvc %s -o jsonpath='{.spec.volumeName}') -o jsonpath='{.spec.nodeAffinity}'", ns, claim)})
	}
	only := "Only if its data is not needed, or saved elsewhere"
	if w.lost {
		only = "Only if that node is gone for good"
	}
	if claim == "" || s.Ref.Kind != "StatefulSet" {
		return append(out, diagnose.Fix{Text: only + ", replace the claim: a new volume begins empty, and what the old one has is lost"})
	}
	return append(out, diagnose.Fix{
		Text:    only + ", delete claim and pod: the new volume begins empty, and what the old one has is lost",
		Command: diagnose.Shell("kubectl %sdelete pvc/%s pod/%s --wait=false", ns, claim, s.Pod.Name),
	})
}

// tiedToPlace says that a pod waits for a node because of its volume.
func tiedToPlace(s *unhealthy.Resource, volume string) string {
	return fmt.Sprintf("%s %s: its volume%s exists, but no node that can use it takes the pod.", s.PodName(), waitsForNode(s), inBrackets(volume))
}
