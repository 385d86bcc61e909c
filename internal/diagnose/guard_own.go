package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/change"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
)

// own reports whether an object is one that the application may have changed.
func (g *guard) own(f *Finding, c *change.Change, t change.Target) bool {
	switch {
	case t.Kind == "application" && (t.Group == "" || t.Group == "argoproj.io"):
		return c.Namespace == cmp.Or(g.r.app.Metadata.Namespace, "argocd") && t.Name == g.r.app.Metadata.Name || g.inTree(c.Namespace, t)
	case c.Verb == "edit" && !g.onlyByStatus(c.Namespace), // shows it before anything changes
		c.Verb == "create" && strings.HasSuffix(t.Kind, "role"): // gives nobody a right as long as nothing binds it
		return true
	case g.inTree(c.Namespace, t):
		return g.onCluster(c.Namespace) && !g.trackedElsewhere(f, c.Namespace, t)
	case g.ofArgo(c, t):
		return true
	case g.onlyByStatus(c.Namespace):
		return false
	case c.Namespace != "" && isNamespaced(t):
		return g.permits(c.Namespace, t) && !g.trackedElsewhere(f, c.Namespace, t)
	case c.Namespace != "" && t.Group != "":
		return g.ownCustom(f, c, t)
	}
	// kubectl takes an object without a namespace also where one is given.
	switch t.Kind {
	case "namespace":
		if c.Verb == "create" { // changes nothing that is there
			return true
		}
	case "node":
		_, down := g.node(t.Name)
		return down || c.Verb == "cordon" && g.runsOn(t.Name)
	}
	project, judges := g.readProject()
	if !judges {
		return !g.r.nested && !g.trackedElsewhere(f, "", t)
	}
	return g.allowsClusterKind(project, evidence.GroupKind{Group: t.Group, Kind: t.Kind}) && !g.trackedElsewhere(f, "", t)
}

// onCluster reports whether what lives in a namespace can live on the cluster that the application now names: its tree may still be of
// another, until Argo CD has compared with the new one.
func (g *guard) onCluster(namespace string) bool {
	project, judges := g.readProject()
	return g.r.nested || !judges || g.unreadProject() || project.Permits(g.r.app, cmp.Or(namespace, g.r.app.Spec.Destination.Namespace))
}

// ownCustom judges an object of a kind that others define, which may have a namespace or not: Argo CD's tree knows, and where there is none
// the project has to permit both.
func (g *guard) ownCustom(f *Finding, c *change.Change, t change.Target) bool {
	if g.readTree() {
		return g.inTree(c.Namespace, t) && g.onCluster(c.Namespace) && !g.trackedElsewhere(f, c.Namespace, t)
	}
	project, judges := g.readProject()
	return (!judges || g.allowsClusterKind(project, evidence.GroupKind{Group: t.Group, Kind: t.Kind})) &&
		g.permits(c.Namespace, t) && !g.trackedElsewhere(f, c.Namespace, t)
}

// readTree reads Argo CD's tree, if no rule has.
func (g *guard) readTree() bool {
	if g.tree == nil {
		g.tree, _ = obtain(g.r, evidence.FactTree)
		g.known = nil
	}
	return g.tree != nil
}

// allowsClusterKind reports whether the application may have objects of a kind without a namespace.
func (g *guard) allowsClusterKind(project *evidence.Project, kind evidence.GroupKind) bool {
	return project != nil && project.Admits(g.r.app.Metadata.Namespace) && project.AllowsClusterKind(kind)
}

// namespaced are the kinds of Kubernetes, and of Argo CD and its like, that are always in a namespace, as a command names them: written in
// another way (resourcequotas) they would get past a project's list.
var namespaced = map[string][]string{
	"": {
		"pod", "service", "configmap", "secret", "serviceaccount", "persistentvolumeclaim", "replicationcontroller", "resourcequota", "limitrange", "endpoints", "event", "podtemplate",
		"deployment", "statefulset", "daemonset", "replicaset", "job", "cronjob", "ingress", "networkpolicy", "role", "rolebinding", "horizontalpodautoscaler", "poddisruptionbudget", "lease",
	},
	"apps":                      {"deployment", "statefulset", "daemonset", "replicaset", "controllerrevision"},
	"batch":                     {"job", "cronjob"},
	"autoscaling":               {"horizontalpodautoscaler"},
	"policy":                    {"poddisruptionbudget"},
	"networking.k8s.io":         {"ingress", "networkpolicy"},
	"extensions":                {"ingress"},
	"rbac.authorization.k8s.io": {"role", "rolebinding"},
	"discovery.k8s.io":          {"endpointslice"},
	"coordination.k8s.io":       {"lease"},
	"argoproj.io":               {"application", "applicationset", "rollout", "workflow"},
}

func isNamespaced(t change.Target) bool { return slices.Contains(namespaced[t.Group], t.Kind) }

// ownUnnamed judges a command that names no object: what a file has, or what a label selects.
func (g *guard) ownUnnamed(f *Finding, c *change.Change) bool {
	switch {
	case slices.Contains(c.Words, "MANIFEST"): // the object of the finding, as the application brings it along
		t := change.Target{Kind: strings.ToLower(f.Resource.Kind), Group: f.Resource.Group, Name: f.Resource.Name}
		return t.Name != "" && g.own(f, c, t)
	case c.Verb == "apply", c.Verb == "replace": // definitions of kinds, and what is there already
		project, judges := g.readProject()
		return !judges && !g.r.nested || g.allowsClusterKind(project, evidence.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"})
	}
	return false
}

// workloadParts are in the names of Argo CD's workloads and of their pods.
var workloadParts = []string{"-repo-server", "-application-controller", "-server", "-redis", "-applicationset-controller"}

// ofArgo reports whether a command changes a setting of Argo CD or starts one of its workloads again. It deletes and marks none of them.
func (g *guard) ofArgo(c *change.Change, t change.Target) bool {
	if !slices.Contains([]string{"patch", "create", "set", "rollout", "exec"}, c.Verb) || c.Namespace != g.settings() {
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
		return slices.ContainsFunc(workloadParts, func(part string) bool { return strings.Contains(t.Name, part) })
	}
	return false
}

// settings is the namespace of Argo CD's settings: where its project is. In a file without it, the status is believed.
func (g *guard) settings() string {
	if _, judges := g.readProject(); judges {
		return g.argoNamespace()
	}
	return g.r.app.ArgoNamespace()
}

// ownApplication reports whether an application is this one, or one that it deploys.
func (g *guard) ownApplication(argument string) bool {
	if argument == g.r.app.Argument() || argument == "APP" {
		return true
	}
	namespace, name, found := strings.Cut(argument, "/")
	if !found {
		name = argument
	}
	return g.tree != nil && slices.ContainsFunc(g.tree.Nodes, func(n evidence.Node) bool {
		return n.Lives() && n.Ref().IsApplication() && n.Name == name && (found && n.Namespace == namespace || !found && n.Namespace == g.argoNamespace())
	})
}

// inTree reports whether Argo CD itself takes the object for one of the application, or for one that such an object made. What only Git has is in
// its tree as well: a tenant writes that.
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
				if g.tree.Nodes[i].Lives() {
					add(g.tree.Nodes[i].Ref())
				}
			}
		}
		for i := range g.managed {
			if g.managed[i].LiveState.Exists() {
				add(g.managed[i].Ref())
			}
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
	project, judges := g.readProject()
	switch {
	case g.r.nested:
		return false
	case g.unreadProject():
		return g.readTree() && g.inTree(namespace, t)
	case !judges:
		return namespace == g.r.app.Spec.Destination.Namespace ||
			g.tree != nil && slices.ContainsFunc(g.tree.Nodes, func(n evidence.Node) bool { return n.Lives() && n.Namespace == namespace })
	}
	return project.Permits(g.r.app, namespace) && (t.Kind == "" || !project.DeniesKind(evidence.GroupKind{Group: t.Group, Kind: t.Kind}))
}

// node reports whether a node was read as it is in the cluster, and is not ready. Others run there as well, and a pod and its events say
// what whoever writes them wants.
func (g *guard) node(name string) (read, down bool) {
	in := &In{run: g.r}
	node, _ := Peek(in, evidence.FactObject(evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Node", Name: name}}))
	all, _ := Peek(in, evidence.FactAll(evidence.OutsideNode))
	if i := slices.IndexFunc(all, func(o evidence.Object) bool { return o.Ref().Name == name }); i >= 0 && node == nil {
		node = all[i]
	}
	ready := node.Condition("Ready")
	return node != nil, ready != nil && ready.Text("status") != "True"
}

// runsOn reports whether Argo CD sees a pod of the application on a node.
func (g *guard) runsOn(node string) bool {
	return g.tree != nil && slices.ContainsFunc(g.tree.Nodes, func(n evidence.Node) bool {
		return n.Lives() && n.Kind == "Pod" && n.InfoValue("Node") == node
	})
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
		if owner := o.Tracker(); owner != "" && owner != evidence.TrackedAs(g.r.app.Metadata.Namespace, g.r.app.Metadata.Name, g.argoNamespace()) {
			return true
		}
	}
	return false
}

// managedLive is the live side of a managed resource; nil where it was not read.
func (g *guard) managedLive(ref evidence.Ref) evidence.Object {
	for _, d := range g.managed {
		if d.Ref() == ref {
			return clean.State(d.LiveState)
		}
	}
	return nil
}
