package spec

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

var ResourceNotPermitted = &diagnose.Rule{
	ID: "spec/resource-not-permitted",
	Doc: diagnose.Doc{
		Title:    "Project forbids this kind of resource",
		What:     "The AppProject allows or denies kinds of resources. Cluster-scoped kinds must be allowed one by one. One resource of a forbidden kind stops the whole sync before anything is applied.",
		Decisive: "A task of the sync says \"resource GROUP:KIND is not permitted in project\".",
		Example:  "resource :PersistentVolume is not permitted in project tc-ren.",
		Fix:      "Add the kind to the project's clusterResourceWhitelist or namespaceResourceWhitelist, or move the resource elsewhere.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/projects/"},
	},
	Sync:  advice.Blocked("the project forbids one of the resources, and that stops the whole sync"),
	Needs: []evidence.Kind{evidence.KindProject},
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.HasAll("resource", "not permitted in project") && !f.HasAll("namespace", "is not permitted in project") && !f.HasAll("resource", "not allowed in project") || f.Has("destination", "application repo") {
			return diagnose.Finding{}, false
		}
		p, resource := advice.Project(in), cmp.Or(s.Resource.String(), "A resource")
		out := diagnose.Finding{
			Confidence: diagnose.Certain, Kind: diagnose.KindForbidden,
			Title: fmt.Sprintf("%s is not allowed by project %s", resource, p),
			Why:   "One forbidden resource stops the whole sync before anything is applied.",
			Fix:   append(allowKind(in, f, s.Resource), diagnose.Fix{Text: "Check what the project allows", Command: diagnose.Shell("argocd proj get %s", p)}),
		}
		if s.Resource.Kind != "" {
			out.Short = "Project does not allow kind " + s.Resource.Kind
		}
		if f.HasAll("namespace", "is not permitted in project") && !f.Has("resource ") { // the kind is allowed, the place is not
			dst := in.App().Spec.Destination
			namespace := cmp.Or(s.Resource.Namespace, namespaceNamed(f), "NAMESPACE")
			out.Title = fmt.Sprintf("Namespace %s is not allowed by project %s", namespace, p)
			if !s.Resource.IsZero() {
				out.Why = resource + " belongs in it. " + out.Why
			}
			out.Fix = out.Fix[len(out.Fix)-2:]
			out.Fix[0] = diagnose.Fix{Text: "Add the namespace to the project's destinations (in Git if it is defined there), or move the resource", Command: addDestination(p, dst, namespace)}
			return out, true
		}
		if scopedToCluster(in, s.Resource) && s.Resource.Kind != "" {
			out.Why = "Cluster-scoped kinds have to be allowed one by one. " + out.Why
		}
		if s.Resource.Kind == "" {
			out.Says = diagnose.Said{Who: "Argo CD says", Text: f.Line(message.MaxClause)}
		}
		if op := in.App().Status.OperationState; s.Result != nil && op.Failed() && in.App().AutoSync() && op.Operation.InitiatedBy.Automated {
			out.Fix = append(out.Fix, advice.Sync(in, "Then sync the application: auto-sync does not try the same commit again"))
		} else if s.Result != nil {
			out.Fix = append(out.Fix, advice.Sync(in, "Then sync the application"))
		}
		return out, true
	}),
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

var namespaceRefused = regexp.MustCompile(`namespace '?([a-z0-9-]+)'? is not permitted`)

// namespaceNamed is the namespace that the project does not allow; empty where the message does not name it.
func namespaceNamed(f *message.Failure) string {
	if m := namespaceRefused.FindStringSubmatch(f.Text); m != nil {
		return m[1]
	}
	return ""
}
