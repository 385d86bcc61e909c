package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/change"
	"github.com/argo-why/argo-why/internal/evidence"
)

// own reports whether an object is one that the application may have changed.
func (g *guard) own(f *Finding, c *change.Change, t change.Target) bool {
	switch {
	case t.Kind == "application" && t.Group == "" || t.Kind == "application" && t.Group == "argoproj.io":
		return c.Namespace == cmp.Or(g.r.app.Metadata.Namespace, "argocd") && t.Name == g.r.app.Metadata.Name || g.inTree(c.Namespace, t)
	case g.ofArgo(c, t):
		return true
	case c.Verb == "edit", // shows it before anything changes
		c.Verb == "create" && strings.HasSuffix(t.Kind, "role"): // gives nobody a right as long as nothing binds it
		return true
	case g.inTree(c.Namespace, t):
		return !g.trackedElsewhere(f, c.Namespace, t)
	case c.Namespace != "":
		return g.permits(c.Namespace, t) && !g.trackedElsewhere(f, c.Namespace, t)
	}
	switch t.Kind {
	case "namespace":
		if c.Verb == "create" { // changes nothing that is there
			return true
		}
	case "node":
		return strings.HasSuffix(c.Verb, "cordon") || g.readLive(evidence.Ref{Kind: "Node", Name: t.Name})
	}
	project, read := g.readProject()
	if !read {
		return !g.r.nested && !g.trackedElsewhere(f, "", t)
	}
	return project != nil && project.AllowsClusterKind(evidence.GroupKind{Group: t.Group, Kind: t.Kind}) && !g.trackedElsewhere(f, "", t)
}

// ownUnnamed judges a command that names no object: what a file has, or what a label selects.
func (g *guard) ownUnnamed(c *change.Change) bool {
	switch {
	case slices.Contains(c.Words, "MANIFEST"): // a file that the person has
		return c.Namespace == "" || g.permits(c.Namespace, change.Target{})
	case c.Verb == "apply", c.Verb == "replace": // definitions of kinds, and what is there already
		project, read := g.readProject()
		return !read && !g.r.nested || project != nil && project.AllowsClusterKind(evidence.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"})
	}
	return false
}

// workloadParts are how the names of Argo CD's workloads end.
var workloadParts = []string{"-repo-server", "-application-controller", "-server", "-redis", "-applicationset-controller"}

// ofArgo reports whether an object is one of Argo CD's own workloads or settings. Where they are, the application's status says: in another
// namespace nothing of that name is found.
func (g *guard) ofArgo(c *change.Change, t change.Target) bool {
	if c.Namespace != cmp.Or(g.r.app.Status.ControllerNamespace, "argocd") {
		return false
	}
	switch t.Kind {
	case "configmap":
		return strings.HasPrefix(t.Name, "argocd-")
	case "secret":
		return c.Verb == "create" && c.Namespace == g.argoNamespace()
	case "deployment", "statefulset", "service", "pod":
		if t.Name == "" {
			return slices.ContainsFunc(c.Words, func(w string) bool { return strings.HasPrefix(w, "app.kubernetes.io/part-of=argocd") })
		}
		return slices.ContainsFunc(workloadParts, func(end string) bool { return strings.Contains(t.Name, end) })
	}
	return false
}

// ownApplication reports whether an application is this one, or one that it deploys.
func (g *guard) ownApplication(argument string) bool {
	if argument == g.r.app.Argument() || argument == "APP" {
		return true
	}
	_, name, found := strings.Cut(argument, "/")
	if !found {
		name = argument
	}
	return g.tree != nil && slices.ContainsFunc(g.tree.Nodes, func(n evidence.Node) bool { return n.Ref().IsApplication() && n.Name == name })
}

// inTree reports whether Argo CD itself takes the object for one of the application, or for one that such an object made.
func (g *guard) inTree(namespace string, t change.Target) bool {
	if t.Name == "" {
		return false
	}
	if g.known == nil { // a command may name many, of a tree that has many
		g.known = map[string][]evidence.Ref{}
		add := func(ref evidence.Ref) {
			key := strings.ToLower(ref.Kind) + "/" + ref.Name
			g.known[key] = append(g.known[key], ref)
		}
		if g.tree != nil {
			for i := range g.tree.Nodes {
				add(g.tree.Nodes[i].Ref())
			}
		}
		for i := range g.managed {
			add(g.managed[i].Ref())
		}
	}
	return slices.ContainsFunc(g.known[t.Kind+"/"+t.Name], func(ref evidence.Ref) bool { return isNamed(ref, namespace, t) })
}

// isNamed reports whether an object is the one that a command calls so.
func isNamed(ref evidence.Ref, namespace string, t change.Target) bool {
	return ref.Name == t.Name && strings.EqualFold(ref.Kind, t.Kind) && (t.Group == "" || ref.Group == t.Group) && (ref.Namespace == namespace || ref.Namespace == "")
}

// permits reports whether the application may have objects of a kind (of any, for a zero target) in a namespace.
func (g *guard) permits(namespace string, t change.Target) bool {
	to := g.r.app.Spec.Destination
	project, read := g.readProject()
	switch {
	case g.r.nested:
		return false
	case !read:
		return namespace == to.Namespace || g.tree != nil && slices.ContainsFunc(g.tree.Nodes, func(n evidence.Node) bool { return n.Namespace == namespace })
	case project == nil:
		return false
	}
	own := g.r.app.Metadata.Namespace
	return project.Admits(own) && project.PermitsNamespace(to, namespace) &&
		(t.Kind == "" || !project.DeniesKind(evidence.GroupKind{Group: t.Group, Kind: t.Kind}))
}

// readLive reports whether an object was read as it is in the cluster.
func (g *guard) readLive(ref evidence.Ref) bool {
	o, ok := Peek(&In{run: g.r}, evidence.FactObject(evidence.ObjectQuery{Ref: ref}))
	return ok && o != nil
}

// trackedElsewhere reports whether the live object, where it was read, says that it is another application's.
func (g *guard) trackedElsewhere(f *Finding, namespace string, t change.Target) bool {
	for _, ref := range append([]evidence.Ref{f.Resource}, f.Others...) {
		if !isNamed(ref, namespace, t) {
			continue
		}
		o, _ := Peek(&In{run: g.r}, evidence.FactObject(evidence.ObjectQuery{Ref: ref}))
		if o == nil {
			o = g.managedLive(ref)
		}
		owner, about, tracked := strings.Cut(o.Annotation("argocd.argoproj.io/tracking-id"), ":")
		if !tracked || !strings.HasSuffix(about, "/"+ref.Name) { // a mark that was copied along with another object's
			continue
		}
		app := g.r.app.Metadata
		if owner != app.Name && owner != app.Namespace+"_"+app.Name {
			return true
		}
	}
	return false
}

// managedLive is the live side of a managed resource; nil where it was not read.
func (g *guard) managedLive(ref evidence.Ref) evidence.Object {
	for _, d := range g.managed {
		if d.Ref() == ref {
			o, _ := evidence.DecodeObject([]byte(d.LiveState)) // what cannot be decoded says nothing
			return o
		}
	}
	return nil
}
