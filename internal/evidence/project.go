package evidence

import (
	"net/url"
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

// Matches reports whether the entry of a project's list is about a kind. kubectl takes kinds in lower case, and without their group.
func (e GroupKind) Matches(kind GroupKind) bool {
	named := Matches(e.Kind, kind.Kind) || kind.Kind == strings.ToLower(kind.Kind) && Matches(strings.ToLower(e.Kind), kind.Kind)
	return named && Matches(e.Group, kind.Group)
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
func (p *Project) PermitsSource(repo string) bool {
	permitted := false
	for _, pattern := range p.Spec.SourceRepos {
		if denied, ok := strings.CutPrefix(pattern, "!"); ok {
			if Matches(denied, repo) {
				return false
			}
			continue
		}
		permitted = permitted || Matches(pattern, repo)
	}
	return permitted
}

// permitsNamespace reports whether applications of the project can use a namespace on a cluster: a destination matches, and none that denies.
// An application that names its cluster may not say its server, which a destination may have instead.
func (p *Project) permitsNamespace(to Destination, namespace string) bool {
	permitted := false
	for _, d := range p.Spec.Destinations {
		server := to.Server != "" && d.Server != "" && Matches(strings.TrimPrefix(d.Server, "!"), to.Server)
		name := to.Name != "" && (d.Name == "" && to.Server == "" || d.Name != "" && Matches(strings.TrimPrefix(d.Name, "!"), to.Name))
		if !server && !name {
			continue
		}
		pattern, denied := strings.CutPrefix(d.Namespace, "!")
		if !Matches(pattern, namespace) {
			continue
		}
		if denied || strings.HasPrefix(d.Server+d.Name, "!") {
			return false
		}
		permitted = true
	}
	return permitted
}

// Permits reports whether an application can have objects in a namespace: the project admits the application, and lets it use the namespace
// on the cluster of its destination. None does where there is no project.
func (p *Project) Permits(app *Application, namespace string) bool {
	to := app.Spec.Destination
	switch {
	case p == nil, to.Name != "" && to.Server != "": // Argo CD takes neither
		return false
	case to.Server != "" && to.Server != canonical(to.Server): // a pattern that denies the cluster would not match it
		return false
	case to.Name == "in-cluster":
		to.Server = "https://kubernetes.default.svc"
	case to.Name != "":
		to.Server = "of " + to.Name // which server that is, only Argo CD knows: no pattern but * matches it
	}
	return p.Admits(app.Metadata.Namespace) && p.permitsNamespace(to, namespace)
}

// canonical is the address of a cluster as Argo CD and its projects write it. The same cluster can be reached by others.
func canonical(server string) string {
	u, err := url.Parse(server)
	if err != nil || u.User != nil {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Host), ".")
	if u.Scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	}
	path := strings.TrimRight(u.Path, "/")
	return u.Scheme + "://" + host + path
}

// DeniesKind reports whether applications of the project cannot have resources of a kind in a namespace.
func (p *Project) DeniesKind(kind GroupKind) bool {
	about := func(e GroupKind) bool { return e.Matches(kind) }
	return slices.ContainsFunc(p.Spec.NamespaceResourceBlacklist, about)
}

// Admits reports whether an application of that namespace can be of the project.
func (p *Project) Admits(namespace string) bool {
	own := p.Metadata.Namespace
	return namespace == "" || own == "" || namespace == own || slices.ContainsFunc(p.Spec.SourceNamespaces, func(pattern string) bool { return Matches(pattern, namespace) })
}

// ActsAs reports whether an account is the one that Argo CD acts as when it syncs to a namespace of a destination.
func (p *Project) ActsAs(to Destination, namespace, accountNamespace, account string) bool {
	if p == nil {
		return false
	}
	for _, d := range p.Spec.DestinationServiceAccounts {
		if !Matches(d.Namespace, namespace) || to.Server != "" && !Matches(d.Server, to.Server) {
			continue
		}
		in, name, found := strings.Cut(d.DefaultServiceAccount, ":")
		if !found {
			in, name = namespace, d.DefaultServiceAccount
		}
		return in == accountNamespace && name == account // the first that matches counts
	}
	return false
}

// OfPlatform reports whether a namespace is one of the platform, which nobody deploys to but its owners.
func OfPlatform(namespace string) bool {
	return strings.HasPrefix(namespace, "openshift-") || strings.HasPrefix(namespace, "kube-")
}
