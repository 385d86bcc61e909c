package render

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var HelmDependency = &diagnose.Rule{
	ID: "render/helm-dependency",
	Doc: diagnose.Doc{
		Title:    "The chart's dependencies are missing or do not fit",
		What:     "Before it renders a chart, Argo CD builds its dependencies. One is missing from charts/, the lock file does not match Chart.yaml, or its repository is not known to Argo CD.",
		Decisive: "helm dependency build fails for a reason of the chart itself, or helm template misses what Chart.yaml lists.",
		Example:  "`helm dependency build` failed exit status 1: Error: no repository definition for https://charts.example.com. Please add the missing repos via 'helm repo add'",
		Fix:      "Add the dependency's repository to Argo CD, run helm dependency update and commit Chart.lock, or vendor the charts.",
		Links:    []string{"https://helm.sh/docs/helm/helm_dependency/"},
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		missing := f.Mentions("missing in charts/", "but missing in charts", "no repository definition", "chart.lock", "requirements.lock", "is out of sync with", "dependencies are missing")
		building := f.Command != nil && f.Command.Tool == "helm" && strings.HasPrefix(f.Command.Verb, "dep") || f.Has("helm dependency", "dependency build", "dependency update")
		if !missing && !(building && !remoteFails(f)) || f.Command != nil && (f.Command.TimedOut() || f.Command.Killed()) {
			return diagnose.Finding{}, false
		}
		path := cmp.Or(in.App().Source(f.Source).Path, ".")
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "the chart's dependencies cannot be built",
			Why:        "Helm cannot put together the charts that " + path + " depends on" + sourceOf(s) + ": " + text.Sentence(f.Line(message.MaxClause)),
			Fix: []diagnose.Fix{
				{Text: "Build them where you can see what happens, then commit Chart.lock", Command: diagnose.Shell("helm dependency update %s", path)},
				{Text: "If the repository of a dependency is not public or not known, add it to Argo CD", Command: "argocd repo add URL --type helm --name NAME"},
			},
		}, true
	}),
}
