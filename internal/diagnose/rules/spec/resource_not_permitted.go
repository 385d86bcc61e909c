package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var ResourceNotPermitted = &diagnose.Rule{
	ID: "spec/resource-not-permitted",
	Doc: diagnose.Doc{
		Title:    "Project forbids a resource",
		What:     "The AppProject allows or denies kinds of resources, and allows namespaces. Cluster-scoped kinds must be allowed one by one. One resource of a forbidden kind stops the whole sync before anything is applied.",
		Decisive: "A task of the sync says \"resource GROUP:KIND is not permitted in project\".",
		Example:  "resource :PersistentVolume is not permitted in project tc-ren.",
		Fix:      "Add the kind to the project's clusterResourceWhitelist or namespaceResourceWhitelist, or move the resource elsewhere.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/projects/"},
	},
	Sync:  advice.Blocked("the project forbids one of the resources, and that stops the whole sync"),
	Needs: []evidence.Kind{evidence.KindProject},
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !isRefused(f) {
			return diagnose.Finding{}, false
		}
		p := advice.Project(in)
		out := diagnose.Finding{Confidence: diagnose.Certain, Kind: diagnose.KindForbidden, Why: "One refused resource stops the whole sync before anything is applied."}
		if namespaceIsRefused(f) { // the kind is allowed, the place is not
			refusedNamespaces(in, f, s.Resource, &out)
		} else {
			refusedKinds(in, s, &out)
		}
		out.Fix = append(out.Fix, diagnose.Fix{Text: "Check what the project allows", Command: diagnose.Shell("argocd proj get %s", p)})
		if op := in.App().Status.OperationState; s.Result != nil && op.Failed() && in.App().AutoSync() && op.Operation.ByAutoSync() {
			out.Fix = append(out.Fix, advice.Sync(in, "Then sync the application: auto-sync does not try the same commit again"))
		} else if s.Result != nil {
			out.Fix = append(out.Fix, advice.Sync(in, "Then sync the application"))
		}
		return out, true
	}),
}

// isRefused reports whether a project refuses a resource.
func isRefused(f *message.Failure) bool {
	return (f.HasAll("resource", "not permitted in project") || f.HasAll("namespace", "is not permitted in project") || f.HasAll("resource", "not allowed in project")) && !f.Has("destination", "application repo")
}

// namespaceIsRefused reports whether it refuses the namespace of the resource and not its kind.
func namespaceIsRefused(f *message.Failure) bool {
	return f.HasAll("namespace", "is not permitted in project") && !f.Has("resource ")
}

// allRefused are the kinds and the namespaces that the project refuses in one sync, each once: all of them have to be allowed.
type allRefused struct {
	namespaces []string
	kinds      []diagnose.Statement
}

func refusedIn(in *diagnose.In) allRefused {
	all, _ := diagnose.Once(in, "refused by the project", func() (allRefused, bool) {
		var all allRefused
		for _, s := range in.Statements() {
			switch {
			case !isRefused(&s.Failure):
			case namespaceIsRefused(&s.Failure):
				if ns := cmp.Or(namespaceNamed(&s.Failure), s.Resource.Namespace); ns != "" && !slices.Contains(all.namespaces, ns) {
					all.namespaces = append(all.namespaces, ns)
				}
			case !slices.ContainsFunc(all.kinds, func(o diagnose.Statement) bool { return kindOf(&o) == kindOf(&s) }):
				all.kinds = append(all.kinds, s)
			}
		}
		slices.Sort(all.namespaces) // whichever statement it is for, the text is the same
		slices.SortFunc(all.kinds, func(a, b diagnose.Statement) int { return cmp.Compare(kindOf(&a).Kind, kindOf(&b).Kind) })
		return all, true
	})
	return all
}

// refusedKinds completes the finding about kinds of resources that the project does not allow.
func refusedKinds(in *diagnose.In, s *diagnose.Statement, out *diagnose.Finding) {
	p, kinds := advice.Project(in), refusedIn(in).kinds
	out.Title = fmt.Sprintf("%s is not allowed by project %s", cmp.Or(s.Resource.String(), "A resource"), p)
	if s.Resource.Kind != "" {
		out.Short = "Project does not allow kind " + s.Resource.Kind
	} else {
		out.Says = diagnose.Said{Who: "Argo CD says", Text: s.Failure.Line(message.MaxClause)}
	}
	if len(kinds) < 2 {
		out.Fix = allowKind(in, &s.Failure, s.Resource)
	} else {
		var names []string
		for i, k := range kinds {
			kind := kindOf(&k).Kind
			names = append(names, kind)
			for j, step := range allowKind(in, &k.Failure, k.Resource) {
				if i > 0 && j == 0 {
					step.Text = "Likewise for " + kind
				} else if i > 0 {
					continue // the other list of the project, which the steps for the first kind tell of
				}
				out.Fix = append(out.Fix, step)
			}
		}
		out.Title = fmt.Sprintf("%s are not allowed by project %s", text.List(names, maxAllowed), p)
		out.Short = fmt.Sprintf("Project does not allow %s", text.Count(len(kinds), "kind", "kinds"))
		out.Why = fmt.Sprintf("The kinds are %s. ", text.List(names, maxAllowed)) + out.Why
	}
	if slices.ContainsFunc(kinds, func(k diagnose.Statement) bool { return k.Resource.Kind != "" && scopedToCluster(in, k.Resource) }) {
		out.Why = "Cluster-scoped kinds have to be allowed one by one. " + out.Why
	}
	if s.Resource.Kind == "Namespace" && in.App().HasSyncOption("CreateNamespace=true") && in.Resource(s.Resource) == nil {
		out.Why = "The sync option CreateNamespace=true makes it part of the sync. " + out.Why
		out.Fix[0].Text += "; or create the namespace elsewhere and remove CreateNamespace=true"
		out.Fix[0].Text = strings.Replace(out.Fix[0].Text, ", or remove the resource from the application", "", 1)
	}
}

// refusedNamespaces completes the finding about namespaces that the project does not allow.
func refusedNamespaces(in *diagnose.In, f *message.Failure, ref evidence.Ref, out *diagnose.Finding) {
	p, dst := advice.Project(in), in.App().Spec.Destination
	namespaces := refusedIn(in).namespaces
	if len(namespaces) == 0 {
		namespaces = []string{cmp.Or(namespaceNamed(f), ref.Namespace, "NAMESPACE")}
	}
	out.Title = fmt.Sprintf("Namespace %s is not allowed by project %s", namespaces[0], p)
	out.Short = "Project does not allow namespace " + namespaces[0]
	if len(namespaces) > 1 {
		out.Title = fmt.Sprintf("Namespaces %s are not allowed by project %s", text.List(namespaces, maxAllowed), p)
		out.Short = fmt.Sprintf("Project does not allow %s", text.Count(len(namespaces), "namespace", "namespaces"))
		out.Why = fmt.Sprintf("The namespaces are %s. ", text.List(namespaces, maxAllowed)) + out.Why
	}
	elsewhere := "correct or leave out metadata.namespace of these resources in Git"
	if slices.Contains(namespaces, dst.Namespace) {
		elsewhere = "set another spec.destination.namespace, " + definedIn(in)
	}
	if project, known := diagnose.Get(in, evidence.FactProject); known && project != nil {
		if allowed := project.NamespacesOn(dst); len(allowed) > 0 && len(allowed) <= maxAllowed {
			out.Why = fmt.Sprintf("On this cluster the project allows only %s. ", text.List(allowed, maxAllowed)) + out.Why
		}
	}
	out.Fix = []diagnose.Fix{{Text: "If they should not go there, " + elsewhere}}
	step := "Otherwise add the namespace to the project's destinations, in Git if it is defined there"
	if slices.Contains(namespaces, advice.ArgoNamespace(in)) {
		step += "; with Argo CD's own namespace, the project's applications can create Applications of any project"
	}
	for _, ns := range namespaces {
		out.Fix = append(out.Fix, diagnose.Fix{Text: step, Command: addDestination(p, dst, ns)})
		step = "Likewise"
	}
}

// kindOf is the kind that a statement is about.
func kindOf(s *diagnose.Statement) evidence.GroupKind {
	if m := forbiddenKind.FindStringSubmatch(s.Failure.Text); m != nil {
		return evidence.GroupKind{Group: m[1], Kind: m[2]}
	}
	return evidence.GroupKind{Group: s.Resource.Group, Kind: s.Resource.Kind}
}

// scopedToCluster reports whether a resource has no namespace. The result of a refused task has one even so: the application's.
func scopedToCluster(in *diagnose.In, ref evidence.Ref) bool {
	if ref.Namespace == "" || statement.ClusterScoped(ref.Kind) {
		return true
	}
	return slices.ContainsFunc(in.App().Status.Resources, func(r evidence.ResourceStatus) bool {
		return r.Group == ref.Group && r.Kind == ref.Kind && r.Name == ref.Name && r.Namespace == ""
	})
}

var namespaceRefused = pattern.MustCompile(`namespace '?([a-z0-9-]+)'? is not permitted`)

// namespaceNamed is the namespace that the project does not allow; empty where the message does not name it.
func namespaceNamed(f *message.Failure) string {
	if m := namespaceRefused.FindStringSubmatch(f.Text); m != nil {
		return m[1]
	}
	return ""
}
