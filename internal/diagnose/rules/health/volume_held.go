package health

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// holder is the pod that has a volume which only one node may use, and its node.
type holder struct {
	pod  *evidence.Node
	node string
	// leaving: it is marked for deletion, and still there. down: its node is known not to be ready.
	leaving, down bool
	ready         evidence.Object
}

// usedByPods is how Kubernetes names the pods that use a volume on another node.
var usedByPods = pattern.MustCompile(`already used by pod\(s\) (.+)$`)

// holderOf is the other pod of the resource that has the volume: the one that Kubernetes names, else the only one on another node. Nil
// where the evidence leaves several.
func holderOf(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource, said string) *holder {
	if s.Pod == nil {
		return nil
	}
	var named []string
	if m := usedByPods.FindStringSubmatch(said); m != nil {
		named = strings.Split(m[1], ", ")
	}
	var found []evidence.Node
	for _, n := range p.Descendants(s.Ref) {
		elsewhere := n.InfoValue("Node") != "" && n.InfoValue("Node") != s.Object.Text("spec", "nodeName")
		if n.Kind == "Pod" && n.Name != s.Pod.Name && elsewhere && !wasEvicted(&n) && pods.ActivityOf(&n) != pods.Done && (named == nil || slices.Contains(named, n.Name)) {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		return nil
	}
	h := &holder{pod: &found[0], node: found[0].InfoValue("Node")}
	o, _ := diagnose.Look(in, evidence.FactObject(h.pod.Query()))
	h.leaving = pods.Reason(h.pod) == "Terminating" || o.Text("metadata", "deletionTimestamp") != ""
	if node := nodeObject(in, h.node); isDown(node) {
		h.down, h.ready = true, node.Condition("Ready")
	}
	return h
}

// heldVolume makes the finding about a volume that another node has: which pod and node that is, and how it gets free.
func heldVolume(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource, f *diagnose.Finding, said string) {
	look := f.Fix[1:]
	h := holderOf(in, p, s, said)
	if h == nil {
		if usedByPods.MatchString(said) {
			f.Title, f.Terse = fmt.Sprintf("%s: volume is in use on another node", s.Ref), "Volume is in use on another node"
		}
		f.Fix = append(freeVolume(in, s, said), look...)
		return
	}
	f.Title = fmt.Sprintf("%s: volume is still in use on node %s", s.Ref, h.node)
	f.Terse = "Volume is still in use on another node"
	where := fmt.Sprintf("%s is still on node %s", h.pod.Ref(), h.node)
	if h.leaving {
		where = fmt.Sprintf("%s is marked for deletion and still on node %s", h.pod.Ref(), h.node)
	}
	switch {
	case h.down:
		f.Title, f.Terse = fmt.Sprintf("%s: node %s is down and keeps the volume", s.Ref, h.node), "A node that is down keeps the volume"
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("%s, which %s: nothing there ends the pod or detaches the volume.", where, silence(in, h.ready)))
		f.OutsideGit = true
		f.Fix = append(outOfService(h.node), look...)
	case h.leaving:
		f.Why = text.Paragraph(f.Why, where+".")
		f.Fix = append([]diagnose.Fix{{Text: fmt.Sprintf("Check node %s: the pod ends by itself if the node works", h.node), Command: diagnose.Shell("kubectl get node %s", h.node)}}, outOfService(h.node)[:1]...)
		f.Fix[1].Text = "If it is not ready and certainly off, tell Kubernetes, which then ends its pods and detaches their volumes"
		f.Fix = append(f.Fix, look...)
	case h.sameController(s):
		f.Why = text.Paragraph(f.Why, where+", and "+s.Ref.String()+" wants both pods.")
		f.Fix = append(shareVolume(s), look...)
	default:
		f.Why = text.Paragraph(f.Why, where+".")
		f.Fix = append(freeVolume(in, s, "already used by pod(s) "+h.pod.Name), look...)
	}
}

// outOfService are the steps for a node that is gone and still has volumes.
func outOfService(node string) []diagnose.Fix {
	return []diagnose.Fix{
		{Text: "If the node is certainly off, tell Kubernetes, which then ends its pods and detaches their volumes", Command: diagnose.Shell("kubectl taint nodes %s node.kubernetes.io/out-of-service=nodeshutdown:NoExecute", node)},
		{Text: "Remove that taint when the node is back", Command: diagnose.Shell("kubectl taint nodes %s node.kubernetes.io/out-of-service-", node)},
		describeNode(node),
	}
}

// sameController reports whether the pod that has the volume is of the same version as the one that waits for it: no update ends it.
func (h *holder) sameController(s *unhealthy.Resource) bool {
	if s.Ref.Kind != "Deployment" || len(h.pod.ParentRefs) == 0 || len(s.Pod.ParentRefs) == 0 || h.pod.ParentRefs[0].Kind != "ReplicaSet" {
		return false
	}
	return h.pod.ParentRefs[0].Name == s.Pod.ParentRefs[0].Name
}

// shareVolume are the steps where several replicas use a volume that only one node may use.
func shareVolume(s *unhealthy.Resource) []diagnose.Fix {
	return []diagnose.Fix{
		{Text: "If one pod is enough, run one", Patch: fmt.Sprintf("# on %s\nspec:\n  replicas: 1\n", s.Ref)},
		{Text: "Else give each pod a volume of its own (a StatefulSet), use a claim with access mode ReadWriteMany if the storage has it, or keep the pods on one node by pod affinity"},
	}
}

// freeVolume are the steps that free a volume which a working node has. A Deployment whose pods use it must not start the new pod before the
// old one has ended; then a deleted pod is not recreated either.
func freeVolume(in *diagnose.In, s *unhealthy.Resource, said string) []diagnose.Fix {
	end := diagnose.Fix{Text: "Find the pod that has the volume, and end it; if none has it, or its node is gone, delete the VolumeAttachment of that volume"}
	m := usedByPods.FindStringSubmatch(said)
	if m != nil {
		end = diagnose.Fix{Text: fmt.Sprintf("End %s, which still uses the volume", m[1])}
		if !strings.Contains(m[1], ",") {
			end.Command = diagnose.Shell("kubectl %sdelete pod %s", advice.InNamespace(s.Target()), m[1])
		}
	}
	if s.Ref.Kind != "Deployment" {
		return []diagnose.Fix{end}
	}
	owner, _ := diagnose.Look(in, evidence.FactObject(evidence.ObjectQuery{Ref: s.Ref}))
	if owner.Text("spec", "strategy", "type") == "Recreate" {
		return []diagnose.Fix{end}
	}
	recreate := diagnose.Fix{
		Text:  "Let the Deployment stop its old pod before it starts the new one: set this in Git",
		Patch: fmt.Sprintf("# on %s\nspec:\n  strategy:\n    type: Recreate\n    rollingUpdate: null\n", s.Ref),
	}
	if m != nil {
		end.Text += ", if that cannot wait. Its ReplicaSet recreates it, and the new one may take the volume again"
		return []diagnose.Fix{recreate, end}
	}
	recreate.Text = "So that it does not happen with each update, let the Deployment stop its old pod first: set this in Git"
	return []diagnose.Fix{end, recreate}
}
