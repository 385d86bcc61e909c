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

// Name is what something is called, by whoever writes the Application. As text it is what sentences call it, as [Destination.Cluster]; a printed
// command takes it as it is.
type Name string

func (n Name) String() string { return quotedUnlessName(string(n)) }

// quotedUnlessName is a name, with quotation marks if it is odd or very long, and then only its beginning.
func quotedUnlessName(s string) string {
	const longest, enough = 120, 40
	if len(s) <= longest && !isOdd(s) {
		return s
	}
	if r := []rune(s); len(r) > enough {
		s = string(r[:enough]) + "…"
	}
	return quoted(s)
}

// quotedIfOdd is a name, with quotation marks if it is odd. It is whole: two that begin alike are two.
func quotedIfOdd(s string) string {
	if isOdd(s) {
		return quoted(s)
	}
	return s
}

// isOdd reports whether a name has characters that names and URLs do not have. What stands for a private name is ours.
func isOdd(s string) bool {
	return privateName.FindString(s) != s && strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-._:/@+[]", r))
	})
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, "'") + `"` }
