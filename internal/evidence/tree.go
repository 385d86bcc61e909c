package evidence

import (
	"slices"
	"sync"
)

// Tree is the ApplicationTree: the resources of the application and everything they own.
type Tree struct {
	Nodes         []Node `json:"nodes,omitempty"`
	OrphanedNodes []Node `json:"orphanedNodes,omitempty"`

	// index is of Nodes, made when the first of them is looked for: from then on they do not change.
	index *Index[Node]
	once  sync.Once
}

// Node is one object of the tree.
type Node struct {
	Group      string     `json:"group,omitempty"`
	Version    string     `json:"version,omitempty"`
	Kind       string     `json:"kind"`
	Namespace  string     `json:"namespace,omitempty"`
	Name       string     `json:"name"`
	UID        string     `json:"uid,omitempty"`
	ParentRefs []Parent   `json:"parentRefs,omitempty"`
	Info       []InfoItem `json:"info,omitempty"`
	Health     *Health    `json:"health,omitempty"`
	Images     []string   `json:"images,omitempty"`
	CreatedAt  Time       `json:"createdAt,omitzero"`
	// Networking is how Services find pods; nil of anything else.
	Networking *Networking `json:"networkingInfo,omitempty"`
}

// Networking are the labels of a pod, or those that a Service selects pods by.
type Networking struct {
	Labels       map[string]string `json:"labels,omitempty"`
	TargetLabels map[string]string `json:"targetLabels,omitempty"`
}

// Query names the object of the node as it is now.
func (n *Node) Query() ObjectQuery {
	return ObjectQuery{Ref: n.Ref(), UID: n.UID, Created: n.CreatedAt}
}

// Lives reports whether Argo CD saw the object in the cluster. Its tree has what Git wants and the cluster lacks as well, even where the
// project does not permit it.
func (n *Node) Lives() bool { return n.UID != "" }

// Parent is the owner of a node, or the resource it came from.
type Parent struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	UID       string `json:"uid,omitempty"`
}

// Ref names the object of the parent.
func (p Parent) Ref() Ref {
	return Ref{Group: p.Group, Kind: p.Kind, Namespace: p.Namespace, Name: p.Name}
}

// InfoItem is what Argo CD shows beside a node, e.g. "Status Reason": "ImagePullBackOff", "Containers": "0/1".
type InfoItem struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Ref names the object of the node.
func (n Node) Ref() Ref {
	return Ref{Group: n.Group, Kind: n.Kind, Namespace: n.Namespace, Name: n.Name}
}

// InfoValue is the value of an info item, or "".
func (n Node) InfoValue(name string) string {
	for _, i := range n.Info {
		if i.Name == name {
			return i.Value
		}
	}
	return ""
}

// HealthStatus is the node's health, or "" where Argo CD has no check.
func (n Node) HealthStatus() string {
	if n.Health == nil {
		return ""
	}
	return n.Health.Status
}

// Find returns the node of an object, or nil.
func (t *Tree) Find(ref Ref) *Node {
	if t == nil {
		return nil
	}
	t.once.Do(func() { t.index = IndexOf(t.Nodes) })
	return t.index.Find(ref)
}

// Descendants returns what an object owns, directly or through others, in the order of the tree. Who asks about many
// objects keeps the [Owners].
func (t *Tree) Descendants(ref Ref) []Node { return t.Owners(func(int) {}).Descendants(ref) }

// Owners says what each object of a tree owns, without going through the whole tree each time. It answers one question at a time.
type Owners struct {
	nodes []Node
	// owned are the nodes that name such an object as their parent.
	owned map[objectName][]owned
	// spend gets how many of them were looked at.
	spend func(int)
	// found is the question that each node was last an answer to, of those asked so far.
	found []int
	asked int
}

// owned is a node, by its place, and the one of its parents that it was found by: one object can have hundreds.
type owned struct {
	node   int
	parent Ref
}

// Owners reads the tree once for many questions. Spend gets how many owners were looked at: hundreds of resources can own hundreds of
// objects together.
func (t *Tree) Owners(spend func(int)) *Owners {
	o := &Owners{owned: map[objectName][]owned{}, spend: spend}
	if t == nil {
		return o
	}
	o.nodes, o.found = t.Nodes, make([]int, len(t.Nodes))
	for i := range t.Nodes {
		for _, p := range t.Nodes[i].ParentRefs {
			key := objectName{p.Kind, p.Name}
			o.owned[key] = append(o.owned[key], owned{i, p.Ref()})
		}
	}
	return o
}

// Descendants returns what an object owns, directly or through others, in the order of the tree.
func (o *Owners) Descendants(ref Ref) []Node {
	o.asked++
	below := o.collect(ref, Ref.Same, nil)
	slices.Sort(below)
	out := make([]Node, 0, len(below))
	for _, i := range below {
		if o.nodes[i].Ref() != ref { // a cycle leads back to it
			out = append(out, o.nodes[i])
		}
	}
	return out
}

// collect adds what an object owns to what was found. Below the first, references come from the tree and are complete. A cycle ends: a node
// is added once.
func (o *Owners) collect(ref Ref, same func(parent, ref Ref) bool, below []int) []int {
	candidates := o.owned[objectName{ref.Kind, ref.Name}]
	o.spend(len(candidates))
	for _, c := range candidates {
		if o.found[c.node] != o.asked && same(c.parent, ref) {
			o.found[c.node] = o.asked
			below = o.collect(o.nodes[c.node].Ref(), equalRef, append(below, c.node))
		}
	}
	return below
}

func equalRef(a, b Ref) bool { return a == b }
