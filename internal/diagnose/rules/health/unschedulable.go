package health

import (
	"cmp"
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
		Title:    "No node takes the pod",
		What:     "The scheduler finds no node for the pod: none has enough CPU or memory left, or none matches its node selector, affinity or tolerations. Its message counts the nodes per reason; the largest count is what to look at first.",
		Decisive: "Condition PodScheduled=False or event FailedScheduling: \"0/N nodes are available: …\".",
		Example:  "0/6 nodes are available: 3 Insufficient cpu, 2 node(s) had untolerated taint {dedicated: gpu}, 1 node(s) didn't match Pod's node affinity/selector.",
		Fix:      "Ask for less, add nodes, or correct selector, affinity or tolerations.",
		Links:    []string{"https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.Unscheduled}},
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		said := text.OneLine(s.Symptom.Text)
		if e := pods.LastEvent(s.Events, "TriggeredScaleUp"); e != nil && !s.Overdue() {
			return diagnose.Finding{}, false // a node is on its way
		}
		reason, nodes := largestReason(said)
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != ""),
			Title:      fmt.Sprintf("%s: no node takes %s: %s", s.Ref, s.PodName(), cmp.Or(reason, "it is not scheduled")),
			Why:        fmt.Sprintf("The scheduler finds no node for %s. ", s.PodName()),
			Fix:        []diagnose.Fix{{Text: placeFix(reason)}, s.Describe("See what it asks for"), {Text: "See what the nodes have left", Command: "kubectl describe nodes"}},
		}
		if asks := requests(s); asks != "" {
			f.Why += "It asks for " + asks + ". "
		}
		if nodes > 0 {
			f.Why += fmt.Sprintf("The largest reason, on %s: %s. ", text.Count(nodes, "node", "nodes"), reason)
		}
		f.Why += text.Sentence(text.Clip(said, 2*message.MaxClause))
		if e := pods.LastEvent(s.Events, "NotTriggerScaleUp"); e != nil {
			f.Why += " The cluster autoscaler adds none: " + text.Sentence(text.Clip(e.Message, message.MaxClause))
		}
		return f, true
	}),
}

var (
	nodeReason = regexp.MustCompile(`(\d+) (node\(s\) [^,.]+(?:\{[^}]*\})?|Insufficient [a-z0-9./\-]*[a-z0-9]|Too many pods|[A-Z][^,.]*)`)
	oldReason  = regexp.MustCompile(`([A-Z][A-Za-z ]+) \((\d+)\)`)
)

// largestReason is why most nodes do not take a pod.
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
		return "Ask for less in the manifest, free something, or add a node"
	case strings.Contains(lower, "taint"):
		return "Tolerate the taint in the manifest, or take it from the nodes"
	case strings.Contains(lower, "selector"), strings.Contains(lower, "affinity"), strings.Contains(lower, "topology"):
		return "Correct nodeSelector, affinity or topology spread in the manifest, or label the nodes so that they match"
	case strings.Contains(lower, "port"):
		return "Free the host port, or do without one"
	case strings.Contains(lower, "unschedulable"):
		return "Uncordon the nodes, or add one"
	case strings.Contains(lower, "gate"):
		return "Have the controller that set the scheduling gate remove it"
	}
	return "Make a node suit the pod, or the pod suit a node"
}

// requests is what the containers of a pod ask for.
func requests(s *unhealthy.Resource) string {
	var out []string
	for _, c := range s.Object.List("spec", "containers") {
		for _, what := range []string{"cpu", "memory", "nvidia.com/gpu"} {
			if v := c.Text("resources", "requests", what); v != "" {
				out = append(out, fmt.Sprintf("%s %s (%s)", what, v, c.Text("name")))
			}
		}
	}
	return strings.Join(out, ", ")
}
