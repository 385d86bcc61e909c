package evidence

import (
	"slices"
	"strings"
)

// Matches reports whether a name matches a pattern of a project, in which a star stands for anything.
func Matches(pattern, name string) bool {
	first, rest, stars := strings.Cut(pattern, "*")
	if !stars {
		return pattern == name
	}
	if !strings.HasPrefix(name, first) {
		return false
	}
	name = name[len(first):]
	for {
		part, next, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(name, part)
		}
		at := strings.Index(name, part)
		if at < 0 {
			return false
		}
		name, rest = name[at+len(part):], next
	}
}

// Matches reports whether the entry of a project's list is about a kind.
func (e GroupKind) Matches(kind GroupKind) bool {
	return Matches(e.Group, kind.Group) && Matches(e.Kind, kind.Kind)
}

// AllowsClusterKind reports whether applications of the project can have resources of a kind without a namespace.
func (p *Project) AllowsClusterKind(kind GroupKind) bool {
	about := func(e GroupKind) bool { return e.Matches(kind) }
	return slices.ContainsFunc(p.Spec.ClusterResourceWhitelist, about) && !slices.ContainsFunc(p.Spec.ClusterResourceBlacklist, about)
}

// NamespacesOn are the namespaces, or their patterns, that applications of the project can use on a cluster; patterns that deny are left out.
func (p *Project) NamespacesOn(to Destination) []string {
	var out []string
	for _, d := range p.Spec.Destinations {
		server := to.Server != "" && d.Server != "" && Matches(d.Server, to.Server)
		name := to.Name != "" && d.Name != "" && Matches(d.Name, to.Name)
		if (server || name) && !strings.HasPrefix(d.Namespace, "!") && !slices.Contains(out, d.Namespace) {
			out = append(out, d.Namespace)
		}
	}
	return out
}

// PermitsSource reports whether applications of the project can use a repository: an entry of sourceRepos matches, and none that denies.
func (p *Project) PermitsSource(url string) bool {
	permitted := false
	for _, pattern := range p.Spec.SourceRepos {
		if denied, ok := strings.CutPrefix(pattern, "!"); ok {
			if Matches(denied, url) {
				return false
			}
			continue
		}
		permitted = permitted || Matches(pattern, url)
	}
	return permitted
}
