package evidence

import "strings"

// Destination is the cluster (by URL or by name) and the default namespace.
type Destination struct {
	Server    string `json:"server,omitempty"`
	Name      string `json:"name,omitempty"`
	Namespace string `json:"namespace,omitempty"`
}

// Cluster is what sentences call the cluster: its name, else its URL; empty without both. Whoever writes the Application writes both, so what does
// not look like a name or a URL stands in quotation marks, and only its beginning.
func (d Destination) Cluster() string {
	if d.Name != "" {
		return quotedUnlessName(d.Name)
	}
	return quotedUnlessName(d.Server)
}

// Environment is what a headline calls the cluster by: its name as [Destination.Cluster] has it; empty for Argo CD's own, which has no name that
// anybody knows, and for one that is only given by its URL.
func (d Destination) Environment() string {
	if d.Name == "" || d.Name == "in-cluster" {
		return ""
	}
	return d.Cluster()
}

// In is what sentences call the namespace, in the same way.
func (d Destination) In() string { return quotedUnlessName(d.Namespace) }

func quotedUnlessName(s string) string {
	const longest, enough = 120, 40
	odd := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-._:/@+[]", r))
	}
	if len(s) <= longest && !strings.ContainsFunc(s, odd) {
		return s
	}
	r := []rune(strings.ReplaceAll(s, `"`, "'"))
	if len(r) > enough {
		r = append(r[:enough], '…')
	}
	return `"` + string(r) + `"`
}
