package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var ChartRepository = &diagnose.Rule{
	ID: "render/chart-repository",
	Doc: diagnose.Doc{
		Title:    "Chart cannot be fetched",
		What:     "The Helm or OCI repository cannot be reached, its index is broken, or it does not have the chart or the version.",
		Decisive: "Argo CD fails to fetch the index or the chart, and not because of credentials.",
		Example:  "Error: chart \"web\" version \"1.0.6\" not found in https://charts.example.com repository",
		Fix:      "Correct the repository URL, the chart name or the version, or restore the connection to the repository.",
	},
	Sync: nothingRenders,
	Check: during(message.CallCharts, message.CallDependency).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		pulling := f.Command != nil && f.Command.FetchesCharts()
		if peerOf(in, s) != peerCharts || !pulling && !remoteFails(f) && !isNotFound(f) {
			return diagnose.Finding{}, false
		}
		src := in.App().Source(f.Source)
		repo := "chart repository " + host(in, s)
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      text.UpperFirst(repo) + " cannot be used",
			Why:        fmt.Sprintf("Argo CD needs %s%s from it.", wantedChart(src), sourceOf(s)),
			Says:       said(s),
			Fix:        []diagnose.Fix{{Text: "Check whether Argo CD can connect to the repository", Command: "argocd repo list"}},
		}
		switch n := f.Network(); {
		case n != message.NetworkOK:
			out.Title = n.Trouble(repo)
			out.Shared = repo
			if n == message.NetworkTLS {
				out.Fix = trustHost(host(in, s))
			}
		case f.Has("loading invalid entry"):
			out.Title = "Chart entry in the repository index is invalid"
			out.Why = "Helm skips charts with an invalid index entry and then cannot find them."
			out.Fix = advice.Steps("Use another version of the chart, or have its publisher correct Chart.yaml and publish it again")
		case isNotFound(f):
			out.Title = text.UpperFirst(wantedChart(src)) + " not found"
			out.Why = inSource(s) + "The repository does not have the chart, or not in this version."
			out.Fix = []diagnose.Fix{
				{Text: "Set targetRevision to a version that exists, in Git if the Application is defined there", Command: diagnose.Shell("argocd app set %s%s --revision VERSION", advice.AppName(in), position(s))},
				listVersions(src),
			}
		}
		return out, true
	}),
}

// wantedChart is what is fetched: the chart of the source, or one that the source depends on.
func wantedChart(src evidence.ApplicationSource) string {
	switch {
	case src.Chart != "":
		return strings.TrimSpace("chart " + src.Chart + " " + src.TargetRevision)
	case strings.HasPrefix(src.RepoURL, "oci://"):
		return "the chart"
	}
	return "a chart dependency" + inPath("of", src.Path)
}

// listVersions is the step that lists the versions of a chart.
func listVersions(src evidence.ApplicationSource) diagnose.Fix {
	if src.Chart == "" || !strings.HasPrefix(src.RepoURL, "http") {
		return diagnose.Fix{Text: "Check that the chart exists in the registry", Command: diagnose.Shell("helm show chart oci://%s", strings.TrimPrefix(strings.Trim(src.RepoURL+"/"+src.Chart, "/"), "oci://"))}
	}
	return diagnose.Fix{Text: "List the versions of the chart", Command: diagnose.Shell("helm repo add NAME %s && helm search repo NAME/%s --versions", src.RepoURL, src.Chart)}
}

// isNotFound: the repository answers that it has no such chart, version or tag.
func isNotFound(f *message.Failure) bool {
	return f.Has("not found", "404", "no such", "does not exist", "name_unknown", "manifest_unknown", "manifest unknown", "no chart version", "no versions", "constraint", "unable to find", "no cached repo", "improper constraint", "invalid chart", "invalid reference")
}

// remoteFails: the repository did not deliver, as opposed to what was fetched, or requested, being wrong.
func remoteFails(f *message.Failure) bool {
	return f.Network() != message.NetworkOK || f.AuthRefused() ||
		f.Has("cannot be reached", "is not a valid chart repository", "failed to fetch http", "error fetching chart", "failed to download", "could not download", "cannot get digest", "status code", "failed to get index", "404 not found")
}
