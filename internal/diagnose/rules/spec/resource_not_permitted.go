package spec

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var ResourceNotPermitted = &diagnose.Rule{
	ID: "spec/resource-not-permitted",
	Doc: diagnose.Doc{
		Title:    "The project does not permit this kind of resource",
		What:     "The AppProject allows or denies kinds. Cluster-scoped kinds must be allowed one by one. One resource of a kind that is not stops the whole sync before anything is applied.",
		Decisive: "A task of the sync says \"resource GROUP:KIND is not permitted in project\".",
		Example:  "resource :PersistentVolume is not permitted in project tc-ren.",
		Fix:      "Add the kind to the project's clusterResourceWhitelist or namespaceResourceWhitelist, or move the resource elsewhere.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/projects/"},
	},
	Sync: advice.Blocked("Argo CD refuses to sync while one resource is of a kind the project does not permit"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.HasAll("resource", "not permitted in project") && !f.HasAll("namespace", "is not permitted in project") && !f.HasAll("resource", "not allowed in project") || f.Has("destination", "application repo") {
			return diagnose.Finding{}, false
		}
		kind, group := s.Resource.Kind, s.Resource.Group
		verb := "allow-namespace-resource"
		if s.Resource.Namespace == "" {
			verb = "allow-cluster-resource"
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain, Kind: diagnose.KindForbidden,
			Title: fmt.Sprintf("project %s does not permit %s", advice.Project(in), cmp.Or(s.Resource.String(), "one of the resources")),
			Why:   fmt.Sprintf("Project %s does not allow this kind, and one forbidden resource stops the whole sync: %s", advice.Project(in), text.Sentence(f.Line(message.MaxClause))),
			Fix: []diagnose.Fix{
				{Text: "See what the project allows", Command: diagnose.Shell("argocd proj get %s", advice.Project(in))},
				{Text: "Allow the kind", Command: diagnose.Shell("argocd proj %s %s %s %s", verb, advice.Project(in), group, cmp.Or(kind, "KIND"))},
			},
		}, true
	}),
}
