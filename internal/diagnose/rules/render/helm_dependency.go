package render

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var HelmDependency = &diagnose.Rule{
	ID: "render/helm-dependency",
	Doc: diagnose.Doc{
		Title:    "Helm dependency build fails",
		What:     "Before Argo CD renders a chart, it builds the chart's dependencies. One is missing from charts/, the lock file does not match Chart.yaml, or its repository is unknown to Argo CD.",
		Decisive: "helm dependency build fails because of the chart itself, or helm template misses a chart that Chart.yaml lists.",
		Example:  "`helm dependency build` failed exit status 1: Error: no repository definition for https://charts.example.com. Please add the missing repos via 'helm repo add'",
		Fix:      "Add the dependency's repository to Argo CD, run helm dependency update and commit Chart.lock, or vendor the charts.",
		Links:    []string{"https://helm.sh/docs/helm/helm_dependency/"},
	},
	Sync: nothingRenders,
	Check: during(message.CallDependency, message.CallHelm, message.CallPlugin).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		missing := f.Mentions("missing in charts/", "but missing in charts", "no repository definition", "chart.lock", "requirements.lock", "is out of sync with", "dependencies are missing")
		building := f.Command != nil && f.Command.Tool == "helm" && strings.HasPrefix(f.Command.Verb, "dep") || f.Has("helm dependency", "dependency build", "dependency update")
		if !missing && !(building && !remoteFails(f)) || f.Command != nil && (f.Command.TimedOut() || f.Command.Killed()) {
			return diagnose.Finding{}, false
		}
		path := sourcePath(in.App().Source(f.Source))
		build := diagnose.Fix{Text: "Build the dependencies locally and commit Chart.lock", Command: diagnose.Shell("helm dependency update %s", path)}
		add := diagnose.Fix{Text: "Add the repository of the dependency to Argo CD", Command: diagnose.Shell("argocd repo add %s --type helm --name NAME", cmp.Or(f.URL(), "URL"))}
		fix := []diagnose.Fix{build, add}
		if f.Mentions("no repository definition") {
			fix = append(addRepositories(f.Text, add), build)
		} else {
			fix[1].Text = "If the repository of a dependency is private or unknown to Argo CD, add it"
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "Dependencies" + inPath("of", path) + " cannot be built",
			Why:        inSource(s) + "Argo CD builds the dependencies before it renders the chart.",
			Says:       said(s),
			Fix:        fix,
		}, true
	}),
}

// addRepositories are the steps that add each repository that Helm has no definition for; the given one where it names none.
func addRepositories(said string, add diagnose.Fix) []diagnose.Fix {
	_, list, _ := strings.Cut(said, "no repository definition for ")
	var out []diagnose.Fix
	for _, word := range strings.Fields(list) {
		if !strings.HasPrefix(word, "http") && !strings.HasPrefix(word, "oci://") {
			break
		}
		url := strings.TrimRight(word, ".,")
		out = append(out, diagnose.Fix{Text: "Add the repository " + url + " to Argo CD", Command: diagnose.Shell("argocd repo add %s --type helm --name NAME", url)})
		if !strings.HasSuffix(word, ",") {
			break
		}
	}
	if len(out) < 2 {
		return []diagnose.Fix{add}
	}
	return out
}
