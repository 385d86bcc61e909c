package render

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var ChartRepositoryAuth = &diagnose.Rule{
	ID: "render/chart-repository-auth",
	Doc: diagnose.Doc{
		Title:    "The chart repository refuses Argo CD's credentials",
		What:     "A Helm or OCI registry answers 401 or 403 when Argo CD asks for the chart. Credentials are missing, expired, or stored under a URL that does not match (for OCI without oci://, and with enableOCI).",
		Decisive: "401, 403, unauthorized or denied from the chart repository.",
		Example:  "`helm pull oci://registry.example.com/charts/web --version 1.2.3` failed exit status 1: Error: unexpected status from HEAD request: 401 Unauthorized",
		Fix:      "Store working credentials under the URL of the repository.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#helm-chart-repositories"},
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if peerOf(in, s) != peerCharts {
			return diagnose.Finding{}, false
		}
		confidence := diagnose.Certain
		if !s.Failure.AuthRefused() {
			if !asksForToken(&s.Failure) {
				return diagnose.Finding{}, false
			}
			confidence = diagnose.Likely
		}
		src := in.App().Source(s.Failure.Source)
		return diagnose.Finding{
			Confidence: confidence,
			Shared:     "chart repository " + host(in, s),
			Title:      fmt.Sprintf("chart repository %s refuses Argo CD's credentials", host(in, s)),
			Why:        fmt.Sprintf("Argo CD may not read %s%s: %s", cmp.Or(chartName(src.RepoURL, src.Chart), "the chart"), sourceOf(s), text.Sentence(s.Failure.Line(message.MaxClause))),
			Fix: []diagnose.Fix{
				{Text: "See which repositories Argo CD has credentials for, and under which URL", Command: "argocd repo list; argocd repocreds list"},
				{Text: "Store working ones (an OCI URL without oci://, with --enable-oci)", Command: diagnose.Shell("argocd repo add %s --type helm --name NAME --username USER --password TOKEN --upsert", cmp.Or(src.RepoURL, "URL"))},
			},
		}, true
	}),
}

// asksForToken: the text ends while a registry's token is being asked for, which is where credentials are refused.
func asksForToken(f *message.Failure) bool {
	return f.Mentions("/token?", "oauth2/token", "fetch oauth token", "failed to authorize")
}

func chartName(repo, chart string) string {
	if chart == "" {
		return repo
	}
	return chart + " of " + repo
}
