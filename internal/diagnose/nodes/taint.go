package nodes

import "github.com/argo-why/argo-why/internal/evidence"

// Taint keeps pods off a node that do not tolerate it.
type Taint struct{ Key, Value, Effect string }

// cordon is the taint that a cordoned node gets.
const cordon = "node.kubernetes.io/unschedulable"

// untolerated are the taints of a node that keep a pod off it, without that of a cordon.
func untolerated(pod, node evidence.Object) []Taint {
	var out []Taint
	for _, o := range node.List("spec", "taints") {
		t := Taint{o.Text("key"), o.Text("value"), o.Text("effect")}
		if t.Key != cordon && t.Effect != "PreferNoSchedule" && !tolerates(pod, t) {
			out = append(out, t)
		}
	}
	return out
}

func tolerates(pod evidence.Object, t Taint) bool {
	for _, o := range pod.List("spec", "tolerations") {
		key, exists := o.Text("key"), o.Text("operator") == "Exists"
		switch {
		case key != t.Key && (key != "" || !exists): // without a key, Exists tolerates every taint
		case o.Text("effect") != "" && o.Text("effect") != t.Effect:
		case exists || o.Text("value") == t.Value:
			return true
		}
	}
	return false
}
