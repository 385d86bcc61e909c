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
	Sync:  advice.Blocked("the project does not allow what the application uses"),
	Needs: []evidence.Kind{evidence.KindProject},
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
			Title: "Destination is not allowed by project " + p.String(),
			Why:   "Argo CD neither compares nor syncs the application until the project allows it.",
			Says:  diagnose.Said{Who: "Argo CD says", Text: f.Line(2 * message.MaxClause)},
			Short: "Project does not allow the destination",
			Fix:   allow("destination", addDestination(p, dst, cmp.Or(dst.Namespace, "NAMESPACE"))),
		}
		if server := serverNamed.FindStringSubmatch(f.Text); server != nil {
			out.Why = fmt.Sprintf("No entry of its destinations allows namespace %s on %s. %s", cmp.Or(dst.Namespace, "(none)"), cmp.Or(dst.Name, server[1]), out.Why)
			out.Says = diagnose.Said{}
		}
		switch {
		case dst.Namespace == "" && f.Has("destination"):
			out.Title = "Application has no destination namespace"
			out.Why = fmt.Sprintf("Project %s does not allow a destination without one.", p)
			out.Fix = []diagnose.Fix{{Text: "Set spec.destination.namespace, in Git if the Application is defined there", Command: diagnose.Shell("argocd app set %s --dest-namespace NAMESPACE", advice.AppName(in))}, show}
		case f.Has("to use project"):
			out.Title, out.Short = "Namespace is not allowed to use project "+p.String(), "Project does not allow the Application's namespace"
			from := cmp.Or(applicationIn(f), in.App().Metadata.Namespace, "NAMESPACE")
			out.Why = fmt.Sprintf("The Application is in namespace %s, which is not in the project's spec.sourceNamespaces.", from)
			out.Says = diagnose.Said{}
			out.Fix = allow("namespace", diagnose.Shell("argocd proj add-source-namespace %s %s", p, from))
		case f.Has("application repo", "helm repo", "repository ", "source"):
			out.Title, out.Short = "Repository is not allowed by project "+p.String(), "Project does not allow the repository"
			urls := repositoriesNamed(f.Text)
			if len(urls) == 0 {
				urls = []string{cmp.Or(src.RepoURL, "URL")}
			}
			out.Why = fmt.Sprintf("Its sourceRepos do not match %s. %s", strings.Join(urls, ", "), out.Why)
			out.Says = diagnose.Said{}
			out.Fix = allow("repository", diagnose.Shell("argocd proj add-source %s %s", p, urls[0]))
			for _, url := range urls[1:] {
				out.Fix = slices.Insert(out.Fix, len(out.Fix)-1, diagnose.Fix{Text: "Likewise", Command: diagnose.Shell("argocd proj add-source %s %s", p, url)})
			}
			if f.Has("helm repo") {
				out.Title, out.Short = "Helm repository of a dependency is not allowed by project "+p.String(), "Project does not allow a dependency's repository"
			}
		case f.Has("destination"):
			out = refusedDestination(in, f, out)
		}
		if f.Cached {
			out.Fix = append(out.Fix, diagnose.Fix{Text: "Then refresh the application without the cache: Argo CD repeats this error from it", Command: diagnose.Shell("argocd app get %s --hard-refresh", advice.AppName(in))})
		}
		return out, true
	}),
}

// addDestination is the command that allows a destination, by the name or the URL of its cluster.
func addDestination(project evidence.Name, dst evidence.Destination, namespace string) string {
	if dst.Server == "" && dst.Name != "" {
		return diagnose.Shell("argocd proj add-destination %s %s %s --name", project, dst.Name, namespace)
	}
	return diagnose.Shell("argocd proj add-destination %s %s %s", project, dst.Server, namespace)
}

var (
	serverNamed = pattern.MustCompile(`destination server '([^']*)' and namespace '[^']*' do not match`)
	repoNamed   = pattern.MustCompile(`(?:application repo|[Hh]elm repos?|repository|repo) ((?:[a-z0-9+]+://|git@|[\w.-]+\.[a-z]+[:/])[^'"\n]*?) (?:is|are) not permitted`)
)

// fromNamespace: "application 'web' in namespace 'team-a' is not permitted to use project 'x'".
var fromNamespace = pattern.MustCompile(`in namespace '([^']+)' is not permitted to use`)

// applicationIn is the namespace of the Application in Argo CD's words; empty where they do not name it.
func applicationIn(f *message.Failure) string {
	if m := fromNamespace.FindStringSubmatch(f.Text); m != nil {
		return m[1]
	}
	return ""
}

// repositoriesNamed are the repositories that a refusal names; Argo CD lists those of dependencies with commas between them.
func repositoriesNamed(said string) []string {
	m := repoNamed.FindStringSubmatch(said)
	if m == nil {
		return nil
	}
	return strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' })
}
