package nodes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Term is one thing that a pod requires of the labels of its node.
type Term struct {
	Key, Operator string
	Values        []string
	// Selector: it stands in the nodeSelector, else in the node affinity.
	Selector bool
}

// String is the term as the pod writes it: "hardware=large" for a selector, "zone In a, b" for an affinity.
func (t Term) String() string {
	if t.Selector {
		return t.Key + "=" + strings.Join(t.Values, "")
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", t.Key, t.Operator, strings.Join(t.Values, ", ")))
}

// operators of node affinities, as the library calls them.
var operators = map[string]selection.Operator{
	"In": selection.In, "NotIn": selection.NotIn, "Exists": selection.Exists, "DoesNotExist": selection.DoesNotExist, "Gt": selection.GreaterThan, "Lt": selection.LessThan,
}

// met reports whether a node has what the term requires. A term that the API server would not have accepted is met by none.
func (t Term) met(node labels.Set) bool {
	r, err := labels.NewRequirement(t.Key, operators[t.Operator], t.Values)
	return err == nil && r.Matches(node)
}

const (
	// maxTerms is how many labels, alternatives, or expressions of one are listed. Nobody writes more.
	maxTerms = 100
	// maxCompared is how many of them are held against every node: the labels once for each alternative, and each value.
	maxCompared = 500
)

// within is a list without what is beyond maxTerms.
func within[T any](list []T) []T { return list[:min(len(list), maxTerms)] }

// alternatives are those of a pod's node affinity.
func alternatives(pod evidence.Object) []evidence.Object {
	return pod.List("spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
}

// overlong reports whether a pod requires more of its node than is compared, or tolerates more.
func overlong(pod evidence.Object) bool {
	wanted, _ := pod.At("spec", "nodeSelector").(map[string]any)
	either := alternatives(pod)
	n := len(pod.List("spec", "tolerations")) + max(1, len(either))*len(wanted) + len(either)
	for _, o := range either {
		for _, e := range o.List("matchExpressions") {
			n += 1 + len(e.Texts("values"))
		}
	}
	return n > maxCompared
}

// Required is what a pod requires of its node: one of the lists has to be met as a whole, each with the terms of the nodeSelector. A pod that
// requires nothing has one empty list.
func Required(pod evidence.Object) [][]Term {
	var selector []Term
	wanted, _ := pod.At("spec", "nodeSelector").(map[string]any)
	for _, key := range within(slices.Sorted(maps.Keys(wanted))) {
		selector = append(selector, Term{key, "In", []string{fmt.Sprint(wanted[key])}, true})
	}
	either := within(alternatives(pod))
	if len(either) == 0 {
		return [][]Term{selector}
	}
	var out [][]Term
	for _, alternative := range either {
		terms := slices.Clone(selector)
		for _, e := range within(alternative.List("matchExpressions")) {
			terms = append(terms, Term{Key: e.Text("key"), Operator: e.Text("operator"), Values: within(e.Texts("values"))})
		}
		out = append(out, terms)
	}
	return out
}

// unmet are the terms that a node does not meet, of the alternative that it comes nearest to.
func unmet(either [][]Term, node labels.Set) []Term {
	var least []Term
	for i, terms := range either {
		lacks := slices.DeleteFunc(slices.Clone(terms), func(t Term) bool { return t.met(node) })
		if i == 0 || len(lacks) < len(least) {
			least = lacks
		}
	}
	return least
}
