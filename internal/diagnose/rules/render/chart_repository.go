package render

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var ChartRepository = &diagnose.Rule{
	ID: "render/chart-repository",
	Doc: diagnose.Doc{
		Title:    "The chart, or its repository, is not there",
		What:     "The Helm or OCI repository cannot be reached, its index is broken, or it has no such chart or version.",
		Decisive: "Fetching the index or the chart fails for a reason other than credentials.",
		Example:  "Error: chart \"web\" version \"1.0.6\" not found in https://charts.example.com repository",
		Fix:      "Correct the URL, the chart's name or the version; or repair the way to the repository.",
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		pulling := f.Command != nil && fetchesCharts(f.Command)
		if peerOf(in, s) != peerCharts || !pulling && !remoteFails(f) && !isNotFound(f) {
			return diagnose.Finding{}, false
		}
		src := in.App().Source(f.Source)
		wanted := cmp.Or(chartName(src.RepoURL, src.Chart), "the chart")
		if src.Chart != "" {
			wanted = fmt.Sprintf("%s %s", wanted, src.TargetRevision)
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("chart repository %s cannot be used", host(in, s)),
			Why:        fmt.Sprintf("Argo CD cannot fetch %s%s: %s", wanted, sourceOf(s), text.Sentence(f.Line(message.MaxClause))),
			Fix:        []diagnose.Fix{{Text: "See whether Argo CD reaches the repository", Command: "argocd repo list"}},
		}
		if n := f.Network(); n != message.NetworkOK {
			out.Title = fmt.Sprintf("chart repository %s cannot be reached: %s", host(in, s), n)
			out.Shared = "chart repository " + host(in, s)
			return out, true
		}
		if f.Has("loading invalid entry") {
			out.Title = "the chart's entry in the repository's index is not valid"
			out.Why = fmt.Sprintf("Helm leaves out a chart whose entry in the index is not valid, and then does not find it: %s", text.Sentence(f.Line(2*message.MaxClause)))
			out.Fix = advice.Steps("Have the chart's publisher correct Chart.yaml as the message says and publish it again, or use another version")
			return out, true
		}
		if isNotFound(f) {
			out.Title = "the chart or its version is not in the repository"
			out.Fix = []diagnose.Fix{
				{Text: "See which versions there are", Command: diagnose.Shell("helm repo add NAME %s && helm search repo NAME/%s --versions", cmp.Or(src.RepoURL, "URL"), cmp.Or(src.Chart, "CHART"))},
				{Text: "Set one that exists", Command: diagnose.Shell("argocd app set %s%s --revision VERSION", advice.AppName(in), position(s))},
			}
		}
		return out, true
	}),
}

// isNotFound: the repository answers that it has no such chart, version or tag.
func isNotFound(f *message.Failure) bool {
	return f.Has("not found", "404", "no such", "does not exist", "name_unknown", "manifest_unknown", "manifest unknown", "no chart version", "no versions", "constraint", "unable to find", "no cached repo", "improper constraint", "invalid chart", "invalid reference")
}

// remoteFails: the repository was asked and did not give, as opposed to what was fetched, or asked for, being wrong.
func remoteFails(f *message.Failure) bool {
	return f.Network() != message.NetworkOK || f.AuthRefused() ||
		f.Has("cannot be reached", "is not a valid chart repository", "failed to fetch http", "error fetching chart", "failed to download", "could not download", "cannot get digest", "status code", "failed to get index", "404 not found")
}
