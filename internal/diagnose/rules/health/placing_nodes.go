package health

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/nodes"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// placement is what the nodes themselves say about a pod that the scheduler finds none for; the zero value where they were not read.
type placement struct {
	obstacle nodes.Obstacle
	// fits are of all nodes, near those that only the obstacle is in the way of.
	fits, near []nodes.Fit
}

// placementOf reads the nodes where the scheduler's word leaves open what is in the way: it names only the first check that a node fails,
// and a cordon comes before labels. If it counted other nodes than these, they are ignored.
func placementOf(in *diagnose.In, s *unhealthy.Resource, said string, reasons []pods.NodeReason) placement {
	if s.Object == nil || pinnedNode(s) != "" || !reasons[0].Cordoned() && !(reasons[0].Elsewhere() && !strings.Contains(said, "volume node affinity")) {
		return placement{}
	}
	all, ok := diagnose.Get(in, evidence.FactAll(evidence.OutsideNode))
	if !ok || len(all) != pods.NodeCount(said) {
		return placement{}
	}
	p := placement{fits: nodes.Fits(s.Object, all)}
	if len(p.fits) == 0 {
		return placement{}
	}
	p.obstacle, p.near = nodes.Decide(p.fits)
	return p
}

// ambiguous: cordoned nodes stand beside nodes that are not meant for the pod, and which of them it is for is not known.
func ambiguous(said string, reasons []pods.NodeReason) bool {
	if !reasons[0].Cordoned() && !reasons[0].Elsewhere() {
		return false
	}
	all := pods.NodeReasons(said)
	return slices.ContainsFunc(all, pods.NodeReason.Cordoned) && slices.ContainsFunc(all, pods.NodeReason.Elsewhere)
}

// leads are the scheduler's reasons that speak of the obstacle; all of them where none does.
func (p placement) leads(said string, reasons []pods.NodeReason) []pods.NodeReason {
	var out []pods.NodeReason
	for _, r := range pods.NodeReasons(said) {
		t := taint(r.Text)
		switch p.obstacle {
		case nodes.Labels:
			if r.OfLabels() {
				out = append(out, r)
			}
		case nodes.Tainted:
			if slices.ContainsFunc(p.near, func(f nodes.Fit) bool {
				return slices.ContainsFunc(f.Taints, func(o nodes.Taint) bool { return o.Key == t.key && o.Value == t.value })
			}) {
				out = append(out, r)
			}
		case nodes.Cordoned:
			if r.Cordoned() {
				out = append(out, r)
			}
		case nodes.None:
		}
	}
	if len(out) == 0 {
		return reasons
	}
	return out
}

// explain says in the finding what the nodes say.
func (p placement) explain(s *unhealthy.Resource, f *diagnose.Finding) {
	switch p.obstacle {
	case nodes.Labels:
		p.explainLabels(s, f)
	case nodes.Tainted:
		if terms := nodeTerms(s); len(terms) > 0 {
			f.Why = text.Paragraph(f.Why, fmt.Sprintf("Of the nodes, only %s %s these labels, and %s the taint.", nodeNames(p.near), one(p.near, "has", "have"), one(p.near, "it has", "they have")))
		}
	case nodes.Cordoned:
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("Only the cordon keeps it off %s.", nodeNames(p.near)))
		f.Fix[0].Text = fmt.Sprintf("Uncordon %s, or add a node", nodeNames(p.near))
	case nodes.None:
	}
}

// explainLabels names the label that no node has, what the nodes have instead, and the nodes that lack nothing else.
func (p placement) explainLabels(s *unhealthy.Resource, f *diagnose.Finding) {
	lacking := nodes.Lacking(p.fits)
	if len(lacking) == 0 { // each label is somewhere, and nowhere all of them
		var lacks []string
		for _, t := range p.near[0].Unmet {
			lacks = append(lacks, t.String())
		}
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("No node has all of this: %s, for example, lacks %s.", p.near[0].Node, strings.Join(lacks, " and ")))
		return
	}
	first, where := lacking[0], "node affinity"
	if first.Selector {
		where = "node selector"
	}
	f.Title = fmt.Sprintf("%s: no node fits (%s %s)", s.Ref, where, first)
	f.Short = fmt.Sprintf("%s: no node fits (%s %s)", s.Ref.Kind, where, first)
	var terms []string
	for _, t := range lacking {
		terms = append(terms, t.String())
	}
	fix := fmt.Sprintf("Correct %s in the %s in Git, or give that label to the nodes that the pod is meant for", first, map[bool]string{true: "nodeSelector", false: "node affinity"}[first.Selector])
	sentence := "No node has " + strings.Join(terms, " or ")
	if strings.HasPrefix(first.Operator, "Not") || first.Operator == "DoesNotExist" {
		sentence = fmt.Sprintf("Every node that may run pods is excluded by %s", strings.Join(terms, " or "))
		fix = fmt.Sprintf("Correct %s in the node affinity in Git, or remove that label from the nodes that the pod is meant for", first)
	}
	if values := nodes.Values(p.fits, first.Key); len(values) > 0 {
		sentence += fmt.Sprintf("; they have %s=%s", first.Key, text.List(values, 3))
	}
	f.Why = text.Paragraph(f.Why, sentence+".")
	if len(p.near) < len(p.fits) && len(p.near[0].Unmet) == 1 {
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("%s %s nothing else.", nodeNames(p.near), one(p.near, "lacks", "lack")))
	}
	f.Fix[0].Text = fix
}

// one is the word for a single node, or that for several.
func one(fits []nodes.Fit, single, several string) string {
	if len(fits) == 1 {
		return single
	}
	return several
}

// nodeNames are the names of a few nodes, for a sentence.
func nodeNames(fits []nodes.Fit) string {
	var names []string
	for _, f := range fits {
		names = append(names, f.Node)
	}
	if len(names) == 2 {
		return names[0] + " and " + names[1]
	}
	return text.List(names, 3)
}
