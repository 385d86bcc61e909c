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

var NotPermitted = &diagnose.Rule{
	ID: "spec/not-permitted",
	Doc: diagnose.Doc{
		Title:    "The project does not permit this source or destination",
		What:     "The AppProject lists which repositories, clusters, namespaces and application namespaces its applications may use. This one uses something else.",
		Decisive: "Condition InvalidSpecError: not permitted in project.",
		Example:  "application destination {https://kubernetes.default.svc payments} is not permitted in project 'default'",
		Fix:      "Move the application to a project that permits it, or add the source or destination to the project.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/projects/"},
	},
	Sync: advice.Blocked("Argo CD refuses to sync what the project does not permit"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if s.Result != nil || !f.Has("not permitted in project", "is not permitted to use project", "do not match any of the allowed destinations", "is not allowed in project", "not permitted in the project", "is not permitted by project") && !(s.Refusal && f.HasAll("namespace '", "is not permitted")) {
			return diagnose.Finding{}, false
		}
		p, src, dst := advice.Project(in), in.App().Source(f.Source), in.App().Spec.Destination
		out := diagnose.Finding{
			Confidence: diagnose.Certain, Kind: diagnose.KindForbidden,
			Title: "project " + p + " does not permit this application's destination",
			Why:   fmt.Sprintf("Project %s does not list this destination: %s", p, text.Sentence(f.Line(message.MaxClause))),
			Fix: []diagnose.Fix{
				{Text: "See what the project permits", Command: diagnose.Shell("argocd proj get %s", p)},
				{Text: "Permit the destination, or move the application to a project that does", Command: diagnose.Shell("argocd proj add-destination %s %s %s", p, cmp.Or(dst.Server, dst.Name), cmp.Or(dst.Namespace, "NAMESPACE"))},
			},
		}
		switch {
		case dst.Namespace == "" && f.Has("destination"):
			out.Why += " The application names no namespace at all."
			out.Fix[1] = diagnose.Fix{Text: "Name the namespace that it should go to", Command: diagnose.Shell("argocd app set %s --dest-namespace NAMESPACE", advice.AppName(in))}
		case f.Has("to use project"):
			out.Title = "project " + p + " does not take applications from this namespace"
			out.Why = fmt.Sprintf("Project %s does not list the namespace that the Application lives in: %s", p, text.Sentence(f.Line(message.MaxClause)))
			out.Fix[1] = diagnose.Fix{Text: "Add the namespace to spec.sourceNamespaces of the project", Command: diagnose.Shell("argocd proj add-source-namespace %s %s", p, in.App().Metadata.Namespace)}
		case f.Has("application repo", "repository ", "source"):
			out.Title = "project " + p + " does not permit this application's repository"
			out.Why = fmt.Sprintf("Project %s does not list the repository: %s", p, text.Sentence(f.Line(message.MaxClause)))
			out.Fix[1] = diagnose.Fix{Text: "Permit the repository, or move the application to a project that does", Command: diagnose.Shell("argocd proj add-source %s %s", p, cmp.Or(src.RepoURL, "URL"))}
		}
		return out, true
	}),
}
