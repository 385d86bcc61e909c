package health

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

var Unschedulable = &diagnose.Rule{
	ID:    "health/unschedulable",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "No node fits the pod",
		What:     "The scheduler finds no node for the pod: none has enough CPU or memory left, or none matches its node selector, affinity or tolerations. Its message counts the nodes per reason; check the largest count first.",
		Decisive: "Condition PodScheduled=False or event FailedScheduling: \"0/N nodes are available: …\".",
		Example:  "0/6 nodes are available: 3 Insufficient cpu, 2 node(s) had untolerated taint {dedicated: gpu}, 1 node(s) didn't match Pod's node affinity/selector.",
		Fix:      "Request less, add nodes, or correct the node selector, affinity or tolerations.",
		Links:    []string{"https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.Unscheduled}},
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		said := text.OneLine(s.Symptom.Text)
		if e := pods.LastEvent(s.Events, "TriggeredScaleUp"); e != nil && !s.Overdue() {
			return diagnose.Finding{}, false // a node is on its way
		}
		reason, _ := pods.LargestReason(said)
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != ""),
			Title:      fmt.Sprintf("%s: no node fits%s", s.Ref, reasonInBrackets(reason)),
			Why:        fmt.Sprintf("%s %s.", s.PodName(), waitsForNode(s)),
			Says:       says("The scheduler says", withoutPreemption(said)),
			Fix:        append(placeSteps(s, reason), s.Describe("Show the pod's requests and constraints")),
		}
		if node := s.Object.Text("spec", "nodeName"); node != "" { // it was placed there, and the kubelet does not take it
			f.Title = fmt.Sprintf("%s: node %s rejects its pod", s.Ref, node)
			f.Why = fmt.Sprintf("%s was scheduled there, and the kubelet refused it.", s.PodName())
			f.Says = says("The kubelet says", strings.TrimPrefix(said, "Pod was rejected: "))
			f.Fix = append(f.Fix, describeNode(node))
			return f, true
		}
		if reasonInBrackets(reason) != "" { // the title has the reason, so the headline needs no second one
			said, f.Says = withoutPreemption(said), diagnose.Said{}
		} else {
			said = ""
		}
		if strings.Contains(reason, "scheduling gate") {
			f.Title = fmt.Sprintf("%s: pod has a scheduling gate", s.Ref)
			f.Why = fmt.Sprintf("%s is not scheduled until its gates are removed.", s.PodName())
		}
		if asks := requests(s); asks != "" {
			f.Why = fmt.Sprintf("%s requests %s.", s.PodName(), asks)
		}
		if e := pods.LastEvent(s.Events, "NotTriggerScaleUp"); e != nil {
			f.Why += " The cluster autoscaler does not add a node: " + text.Sentence(message.LastClause(autoscalerWords(e.Message)))
		}
		f.Why = text.Paragraph(f.Why, message.After("The scheduler says: ", text.Sentence(said)))
		return f, true
	}),
}

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
