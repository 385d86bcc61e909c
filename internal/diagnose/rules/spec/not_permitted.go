package spec

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var NotPermitted = &diagnose.Rule{
	ID: "spec/not-permitted",
	Doc: diagnose.Doc{
		Title:    "Project forbids the source or destination",
		What:     "The AppProject lists the repositories, clusters, namespaces and application namespaces that its applications can use. This one uses something else.",
		Decisive: "Condition InvalidSpecError: not permitted in project.",
		Example:  "application destination {https://kubernetes.default.svc payments} is not permitted in project 'default'",
		Fix:      "Add the source or destination to the project, or move the application to a project that allows it.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/projects/"},
	},
	Sync: advice.Blocked("the project does not allow what the application uses"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if s.Result != nil || !f.Has("not permitted in project", "is not permitted to use project", "do not match any of the allowed destinations", "is not allowed in project", "not permitted in the project", "is not permitted by project") && !(s.Refusal && f.HasAll("namespace '", "is not permitted")) {
			return diagnose.Finding{}, false
		}
		p, src, dst := advice.Project(in), in.App().Source(f.Source), in.App().Spec.Destination
		show := diagnose.Fix{Text: "Check what the project allows", Command: diagnose.Shell("argocd proj get %s", p)}
		allow := func(what, command string) []diagnose.Fix {
			return []diagnose.Fix{{Text: "Add the " + what + " to the project (in Git if it is defined there), or move the application to another project", Command: command}, show}
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain, Kind: diagnose.KindForbidden,
			Title: "Destination is not allowed by project " + p,
			Why:   "Argo CD neither compares nor syncs the application until the project allows it.",
			Says:  diagnose.Said{Who: "Argo CD says", Text: f.Line(2 * message.MaxClause)},
			Fix:   allow("destination", diagnose.Shell("argocd proj add-destination %s %s %s", p, cmp.Or(dst.Server, dst.Name), cmp.Or(dst.Namespace, "NAMESPACE"))),
		}
		switch {
		case dst.Namespace == "" && f.Has("destination"):
			out.Title = "Application has no destination namespace"
			out.Why = fmt.Sprintf("Project %s does not allow a destination without one.", p)
			out.Fix = []diagnose.Fix{{Text: "Set spec.destination.namespace, in Git if the Application is defined there", Command: diagnose.Shell("argocd app set %s --dest-namespace NAMESPACE", advice.AppName(in))}, show}
		case f.Has("to use project"):
			out.Title = "Namespace is not allowed to use project " + p
			out.Why = fmt.Sprintf("The Application is in namespace %s, which is not in the project's spec.sourceNamespaces.", cmp.Or(in.App().Metadata.Namespace, "argocd"))
			out.Says = diagnose.Said{}
			out.Fix = allow("namespace", diagnose.Shell("argocd proj add-source-namespace %s %s", p, in.App().Metadata.Namespace))
		case f.Has("application repo", "repository ", "source"):
			out.Title = "Repository is not allowed by project " + p
			out.Fix = allow("repository", diagnose.Shell("argocd proj add-source %s %s", p, cmp.Or(src.RepoURL, "URL")))
		}
		return out, true
	}),
}
