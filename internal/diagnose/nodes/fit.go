package nodes

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Fit is what keeps a pod off one node; nothing of it where the node may take it.
type Fit struct {
	Node     string
	Labels   map[string]string
	Cordoned bool
	Taints   []Taint
	// Unmet is what the pod requires of labels and the node does not have.
	Unmet []Term
	// control: it is for the control plane, so ordinary pods are not meant to run there, cordoned or not.
	control bool
}

// Fits are those of a pod and all nodes, in their order; without the nodes of the control plane where there are others. None where the pod
// requires more than anybody writes.
func Fits(pod evidence.Object, all []evidence.Object) []Fit {
	if overlong(pod) {
		return nil
	}
	either := Required(pod)
	var out []Fit
	for _, n := range all {
		f := Fit{Node: n.Text("metadata", "name"), Labels: map[string]string{}, Taints: untolerated(pod, n)}
		f.Cordoned, _ = n.At("spec", "unschedulable").(bool)
		has, _ := n.At("metadata", "labels").(map[string]any)
		for key, v := range has {
			f.Labels[key], _ = v.(string)
		}
		f.control = isControl(f.Labels)
		f.Unmet = unmet(either, labels.Set(f.Labels))
		out = append(out, f)
	}
	if workers := slices.DeleteFunc(slices.Clone(out), func(f Fit) bool { return f.control }); len(workers) > 0 {
		return workers
	}
	return out
}

// Obstacle is what of its own checks keeps the pod off the cluster.
type Obstacle int

const (
	// None: some node passes the checks; what it lacks is something else.
	None Obstacle = iota
	// Labels: no node has the labels that the pod requires, so nothing else matters.
	Labels
	// Tainted: nodes have the labels, and a taint that the pod does not tolerate.
	Tainted
	// Cordoned: nodes would take the pod if they were not cordoned.
	Cordoned
)

// Decide says what keeps a pod off all nodes, and the nodes that come nearest: with them only that is in the way.
func Decide(fits []Fit) (Obstacle, []Fit) {
	var tainted, cordoned []Fit
	matching := false
	for _, f := range fits {
		if len(f.Unmet) > 0 {
			continue
		}
		matching = true
		switch {
		case !f.Cordoned && len(f.Taints) == 0:
			return None, nil
		case !f.Cordoned:
			tainted = append(tainted, f)
		case len(f.Taints) == 0:
			cordoned = append(cordoned, f)
		}
	}
	switch {
	case !matching:
		return Labels, nearest(fits)
	case len(cordoned) >= len(tainted) && len(cordoned) > 0:
		return Cordoned, cordoned
	case len(tainted) > 0:
		return Tainted, tainted
	}
	return None, nil // cordoned and tainted at once: either word would be half of it
}

// isControl reports whether labels are those that installers give to the nodes of a control plane.
func isControl(has map[string]string) bool {
	for _, key := range []string{"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"} {
		if _, ok := has[key]; ok {
			return true
		}
	}
	return has["kubernetes.io/role"] == "master"
}

// nearest are the nodes that lack the fewest labels.
func nearest(fits []Fit) []Fit {
	if len(fits) == 0 {
		return nil
	}
	least := len(slices.MinFunc(fits, func(a, b Fit) int { return len(a.Unmet) - len(b.Unmet) }).Unmet)
	return slices.DeleteFunc(slices.Clone(fits), func(f Fit) bool { return len(f.Unmet) > least })
}

// Lacking are the terms that no node meets: none where each is met by some node, and all by none.
func Lacking(fits []Fit) []Term {
	type written struct {
		text     string
		selector bool
	}
	var out []Term
	seen := map[written]bool{} // hundreds of nodes lack the same
	for _, f := range nearest(fits) {
		for _, t := range f.Unmet {
			as := written{t.String(), t.Selector}
			if seen[as] {
				continue
			}
			seen[as] = true
			if !slices.ContainsFunc(fits, func(o Fit) bool { return t.met(labels.Set(o.Labels)) }) {
				out = append(out, t)
			}
		}
	}
	return out
}

// Values are the values that nodes have of a label, each once, in order.
func Values(fits []Fit, key string) []string {
	seen := map[string]bool{}
	for _, f := range fits {
		if v, ok := f.Labels[key]; ok {
			seen[v] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
