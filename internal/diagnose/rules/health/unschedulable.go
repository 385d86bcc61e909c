package health

import (
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/nodes"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var Unschedulable = &diagnose.Rule{
	ID:      "health/unschedulable",
	Needs:   append([]evidence.Kind{evidence.KindAll}, needs...),
	Outside: []evidence.Outside{evidence.OutsideNode},
	Doc: diagnose.Doc{
		Title:    "No node fits the pod",
		What:     "The scheduler finds no node for the pod: none has enough CPU or memory left, or none matches its node selector, affinity or tolerations. Its message counts the nodes per reason; check the largest count first.",
		Decisive: "Condition PodScheduled=False or event FailedScheduling: \"0/N nodes are available: …\". Neither of them after a minute: no scheduler looks at the pod.",
		Example:  "0/6 nodes are available: 3 Insufficient cpu, 2 node(s) had untolerated taint {dedicated: gpu}, 1 node(s) didn't match Pod's node affinity/selector.",
		Fix:      "Request less, add nodes, or correct the node selector, affinity or tolerations.",
		Links:    []string{"https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.Unscheduled}},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		if s.Symptom.Reason == pods.Unseen {
			return unseenFinding(in, s)
		}
		said := text.OneLine(s.Symptom.Text)
		if e := pods.LastEvent(s.Events, "TriggeredScaleUp"); e != nil && !s.Overdue() {
			return diagnose.Finding{}, false // a node is on its way
		}
		reasons := pods.DecidingReasons(said)
		before := evictedBefore(p, s)
		before.first(reasons)
		placed := placementOf(in, s, said, reasons)
		reasons = placed.leads(said, reasons)
		reason := reasons[0].Text
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != "" && (placed.fits != nil || !ambiguous(said, reasons))),
			Title:      fmt.Sprintf("%s: no node fits%s", s.Ref, reasonsInBrackets(reasons)),
			Why:        fmt.Sprintf("%s %s.", s.PodName(), waitsForNode(s)),
			Says:       says("The scheduler says", withoutPreemption(said)),
			Fix:        append(placeSteps(s, said, reasons, before), s.Describe("Show the pod's requests and constraints")),
		}
		if !in.Fits(f.Title) { // a headline may have room for the first
			f.Title = fmt.Sprintf("%s: no node fits%s", s.Ref, reasonsInBrackets(reasons[:1]))
		}
		if node := pinnedNode(s); node != "" {
			ofPinned(s, &f, node)
		}
		if node := s.Object.Text("spec", "nodeName"); node != "" { // it was placed there, and the kubelet does not take it
			f.Title = fmt.Sprintf("%s: node %s rejects its pod", s.Ref, node)
			f.Why = fmt.Sprintf("%s was scheduled there, and the kubelet refused it.", s.PodName())
			f.Says = says("The kubelet says", strings.TrimPrefix(said, "Pod was rejected: "))
			f.Fix = append(f.Fix, describeNode(node))
			return f, true
		}
		if reasonsInBrackets(reasons) != "" { // the title has the reason, so the headline needs no second one
			said, f.Says = withoutPreemption(said), diagnose.Said{}
		} else {
			said = ""
		}
		if strings.Contains(reason, "scheduling gate") {
			f.Title = fmt.Sprintf("%s: pod has a scheduling gate%s", s.Ref, inBrackets(strings.Join(schedulingGates(s), ", ")))
			f.Why = fmt.Sprintf("%s is not scheduled until its gates are removed.", s.PodName())
		}
		f.Why = text.Paragraph(f.Why, asked(s, said))
		placed.explain(s, &f)
		f.Why = text.Paragraph(f.Why, noNewNode(s), before.sentence(s), message.After("The scheduler says: ", text.Sentence(said)))
		return f, true
	}),
}

// unseenAfter is how long a scheduler may take to look at a pod: it writes its first word within seconds, also where no node fits.
const unseenAfter = time.Minute

// unseenFinding is about a pod that no scheduler has looked at.
func unseenFinding(in *diagnose.In, s *unhealthy.Resource) (diagnose.Finding, bool) {
	if in.Since(s.Pod.CreatedAt) < unseenAfter {
		return diagnose.Finding{}, false
	}
	f := diagnose.Finding{
		Confidence: diagnose.Likely, OutsideGit: true,
		Title:    fmt.Sprintf("%s: the scheduler has not looked at its pod", s.Ref),
		Why:      fmt.Sprintf("%s has existed%s without a node, a condition or an event. Most likely kube-scheduler is not running.", s.PodName(), s.PodForLong()),
		Evidence: []diagnose.Quote{{From: s.Pod.Ref().String(), Text: "phase Pending; no conditions, no spec.nodeName, no event of a scheduler"}},
		Fix: []diagnose.Fix{
			{Text: "Check that kube-scheduler runs, and what its log says", Command: "kubectl -n kube-system get pods -l component=kube-scheduler -o wide"},
			s.Describe("Show the pod and its events"),
		},
	}
	if own := s.Object.Text("spec", "schedulerName"); own != "" && own != "default-scheduler" {
		f.Why = fmt.Sprintf("%s has existed%s without a node, a condition or an event. It asks for the scheduler %s, which most likely is not running.", s.PodName(), s.PodForLong(), own)
		f.Fix[0] = diagnose.Fix{Text: fmt.Sprintf("Check that the scheduler %s runs, or correct schedulerName in Git", own)}
		f.OutsideGit = false
	}
	return f, true
}

// schedulingGates are the gates that a pod waits for.
func schedulingGates(s *unhealthy.Resource) []string {
	var out []string
	for _, g := range s.Object.List("spec", "schedulingGates") {
		out = append(out, g.Text("name"))
	}
	return withoutRepeats(out)
}

// asked is what the pod asks for of what the nodes lack, and which nodes it asks for.
func asked(s *unhealthy.Resource, said string) string {
	said = withoutPreemption(said)
	out := ""
	if strings.Contains(said, "Insufficient") {
		out = text.Sentence(message.After("It requests ", requests(s)))
	}
	if pinnedNode(s) != "" {
		return out
	}
	if strings.Contains(said, "selector") || strings.Contains(said, " match Pod's node affinity") || strings.Contains(said, " match node affinity") {
		out = text.Paragraph(out, text.Sentence(message.After("It asks for nodes with ", strings.Join(nodeTerms(s), " and "))))
	}
	return out
}

// nodeTerms are the labels that a pod requires of its node, as its selector and affinity write them.
func nodeTerms(s *unhealthy.Resource) []string {
	either := nodes.Required(s.Object)
	var out []string
	for _, t := range either[0] {
		if t.Selector || len(either) == 1 {
			out = append(out, t.String())
		}
	}
	if len(either) > 1 { // one of them is enough, which no list joined by "and" says
		out = append(out, "one of the terms of its node affinity")
	}
	return out
}

// selectorKeys are the keys of a pod's nodeSelector.
func selectorKeys(s *unhealthy.Resource) []string {
	var out []string
	for _, t := range nodes.Required(s.Object)[0] {
		if t.Selector {
			out = append(out, t.Key)
		}
	}
	return out
}

// noNewNode is why nothing adds a node for the pod: the cluster autoscaler's words, or Karpenter's.
func noNewNode(s *unhealthy.Resource) string {
	if e := pods.LastEvent(s.Events, "NotTriggerScaleUp"); e != nil {
		return "The cluster autoscaler does not add a node: " + text.Sentence(message.LastClause(autoscalerWords(e.Message)))
	}
	if e := pods.LastEvent(s.Events, "FailedScaleUp"); e != nil {
		return "The cluster autoscaler could not add a node: " + text.Sentence(text.OneLine(e.Message))
	}
	for i := len(s.Events) - 1; i >= 0; i-- {
		if e := &s.Events[i]; e.Reason == "FailedScheduling" && strings.HasPrefix(e.Message, "Failed to schedule pod, ") {
			return "Karpenter does not add a node: " + text.Sentence(karpenterOverhead.ReplaceAllString(strings.TrimPrefix(text.OneLine(e.Message), "Failed to schedule pod, "), ""))
		}
	}
	return ""
}

// karpenterOverhead is what Karpenter counts for DaemonSets before it says what does not fit.
var karpenterOverhead = pattern.MustCompile(`daemonset overhead=\{[^}]*\},? ?`)

// requests is what the containers of a pod request.
func requests(s *unhealthy.Resource) string {
	var out []string
	containers := s.Object.List("spec", "containers")
	for _, c := range containers {
		var own []string
		for _, what := range []string{"cpu", "memory", "nvidia.com/gpu"} {
			if v := c.Text("resources", "requests", what); v != "" {
				own = append(own, what+" "+v)
			}
		}
		if of := strings.Join(own, ", "); of != "" && len(containers) > 1 {
			out = append(out, fmt.Sprintf("%s for container %s", of, c.Text("name")))
		} else if of != "" {
			out = append(out, of)
		}
	}
	return strings.Join(out, "; ")
}
