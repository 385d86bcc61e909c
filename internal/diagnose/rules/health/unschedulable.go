package health

import (
	"fmt"
	"regexp"
	"strconv"
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
		reason, _ := largestReason(said)
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != ""),
			Title:      fmt.Sprintf("%s: no node fits%s", s.Ref, reasonInBrackets(reason)),
			Why:        fmt.Sprintf("%s is waiting for a node.", s.PodName()),
			Says:       says("The scheduler says", withoutPreemption(said)),
			Fix:        []diagnose.Fix{{Text: placeFix(reason)}, s.Describe("Show the pod's requests and constraints"), {Text: "Show what the nodes have left", Command: "kubectl describe nodes"}},
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

var (
	nodeReason = regexp.MustCompile(`(\d+) (node\(s\) (?:[^,.{]|\{[^}]*\})+|Insufficient [a-z0-9./\-]*[a-z0-9]|Too many pods|[A-Z][^,.]*)`)
	oldReason  = regexp.MustCompile(`([A-Z][A-Za-z ]+) \((\d+)\)`)
)

// withoutPreemption leaves out what the scheduler says about preemption, which helps nobody where it has found nothing.
func withoutPreemption(said string) string {
	before, _, _ := strings.Cut(said, " preemption:")
	return strings.TrimSuffix(before, ".")
}

// reasonInBrackets is the scheduler's most common reason for a title; "" where it is none of the usual.
func reasonInBrackets(reason string) string {
	lower := strings.ToLower(reason)
	for _, r := range []struct{ word, short string }{
		{"insufficient", lower},
		{"too many pods", lower},
		{"taint", "untolerated taint"},
		{"anti-affinity", "pod anti-affinity"},
		{"pod affinity", "pod affinity"},
		{"topology", "topology spread"},
		{"affinity", "node selector or affinity"},
		{"selector", "node selector"},
		{"port", "host port in use"},
		{"unschedulable", "nodes are cordoned"},
	} {
		if strings.Contains(lower, r.word) {
			return " (" + r.short + ")"
		}
	}
	return ""
}

// autoscalerWords is why the autoscaler adds no node, without the first half, which only says that it does not.
func autoscalerWords(said string) string {
	if _, why, ok := strings.Cut(said, "didn't trigger scale-up: "); ok {
		return why
	}
	return said
}

// largestReason is why most nodes do not fit a pod.
func largestReason(said string) (reason string, nodes int) {
	body := said
	if _, rest, ok := strings.Cut(said, "nodes are available:"); ok {
		body = rest
	} else if _, rest, ok := strings.Cut(said, "following predicates::"); ok {
		body = rest
	}
	body, _, _ = strings.Cut(body, "preemption:")
	for _, m := range nodeReason.FindAllStringSubmatch(body, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil && n > nodes {
			reason, nodes = strings.TrimSpace(m[2]), n
		}
	}
	for _, m := range oldReason.FindAllStringSubmatch(body, -1) {
		if n, err := strconv.Atoi(m[2]); err == nil && n > nodes {
			reason, nodes = strings.TrimSpace(m[1]), n
		}
	}
	if reason == "" {
		reason = text.Clip(said, message.MaxClause)
	}
	return reason, nodes
}

func placeFix(reason string) string {
	lower := strings.ToLower(reason)
	switch {
	case strings.Contains(lower, "insufficient"), strings.Contains(lower, "too many pods"):
		return "Lower the pod's requests in Git, free capacity, or add a node"
	case strings.Contains(lower, "taint {node.kubernetes.io/") && !strings.Contains(lower, "node.kubernetes.io/unschedulable"):
		return "Find out why these nodes are not healthy: Kubernetes itself sets this taint"
	case strings.Contains(lower, "taint {node.kubernetes.io/"):
		return "Uncordon a node, or add one"
	case strings.Contains(lower, "taint"):
		return "Add a toleration for the taint in Git, or remove the taint from the nodes"
	case strings.Contains(lower, "selector"), strings.Contains(lower, "affinity"), strings.Contains(lower, "topology"):
		return "Correct the nodeSelector, affinity or topology spread constraints in Git, or label the nodes to match"
	case strings.Contains(lower, "port"):
		return "Free the host port, or remove hostPort from the pod template in Git"
	case strings.Contains(lower, "unschedulable"):
		return "Uncordon a node, or add one"
	case strings.Contains(lower, "gate"):
		return "Check why the controller that set the scheduling gate has not removed it"
	}
	return "Compare the pod's requests and constraints with the nodes, and correct them in Git"
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
