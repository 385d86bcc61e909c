package evidence

// Tree is the ApplicationTree: the resources of the application and everything they own.
type Tree struct {
	Nodes         []Node `json:"nodes,omitempty"`
	OrphanedNodes []Node `json:"orphanedNodes,omitempty"`
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
}

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
	for i := range t.Nodes {
		if t.Nodes[i].Ref().Same(ref) {
			return &t.Nodes[i]
		}
	}
	return nil
}

// Descendants returns what an object owns, directly or through others, in the order of the tree.
func (t *Tree) Descendants(ref Ref) []Node {
	if t == nil {
		return nil
	}
	owned := map[Ref]bool{ref: true}
	var out []Node
	// Parents may come after their children in the tree, so walk until nothing is added. A cycle ends, too: a node is
	// added once.
	for again := true; again; {
		again = false
		for _, n := range t.Nodes {
			if owned[n.Ref()] {
				continue
			}
			for _, p := range n.ParentRefs {
				parent := p.Ref()
				if owned[parent] || parent.Same(ref) {
					owned[n.Ref()], again = true, true
					out = append(out, n)
					break
				}
			}
		}
	}
	return out
}
