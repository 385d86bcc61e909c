package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var ChartRepositoryAuth = &diagnose.Rule{
	ID: "render/chart-repository-auth",
	Doc: diagnose.Doc{
		Title:    "Chart repository credentials rejected",
		What:     "A Helm or OCI registry answers 401 or 403 when Argo CD fetches the chart. Credentials are missing, expired, or stored under a URL that does not match (for OCI: without oci://, and with enableOCI).",
		Decisive: "The chart repository answers 401, 403, unauthorized or denied.",
		Example:  "`helm pull oci://registry.example.com/charts/web --version 1.2.3` failed exit status 1: Error: unexpected status from HEAD request: 401 Unauthorized",
		Fix:      "Store valid credentials under the URL of the repository.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#helm-chart-repositories"},
	},
	Sync: nothingRenders,
	Check: during(message.CallCharts, message.CallDependency).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
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
			Title:      fmt.Sprintf("Chart repository %s rejects Argo CD's login", host(in, s)),
			Why:        fmt.Sprintf("Argo CD cannot fetch %s%s.", wantedChart(src), sourceOf(s)),
			Says:       said(s),
			Fix: []diagnose.Fix{
				storeChartCredentials(in, s),
				{Text: "Check which URLs Argo CD already has credentials for", Command: "argocd repo list; argocd repocreds list"},
			},
		}, true
	}),
}

// asksForToken: the text ends while a registry's token is requested, which is where credentials are refused.
func asksForToken(f *message.Failure) bool {
	return f.Mentions("/token?", "oauth2/token", "fetch oauth token", "failed to authorize")
}

// storeChartCredentials is the step that stores credentials under the URL that Argo CD looks for.
func storeChartCredentials(in *diagnose.In, s *diagnose.Statement) diagnose.Fix {
	url, oci := chartURL(in, s)
	if oci {
		return diagnose.Fix{Text: "Store valid credentials (write an OCI URL without oci://)", Command: diagnose.Shell("argocd repo add %s --type helm --name NAME --enable-oci --username USER --password TOKEN --upsert", url)}
	}
	return diagnose.Fix{Text: "Store valid credentials for the repository", Command: diagnose.Shell("argocd repo add %s --type helm --name NAME --username USER --password TOKEN --upsert", url)}
}

// chartURL is the URL that the credentials of a chart repository belong to, and whether it is an OCI registry. The chart of a git
// source is a dependency, and its repository is the one in the text.
func chartURL(in *diagnose.In, s *diagnose.Statement) (url string, oci bool) {
	src := in.App().Source(s.Failure.Source)
	url = src.RepoURL
	if src.Chart == "" && !strings.HasPrefix(url, "oci://") {
		url = s.Failure.URL()
		if h := s.Failure.Host(); h != "" && s.Failure.Mentions("/v2/") {
			return h, true
		}
		url = strings.TrimSuffix(url, "/index.yaml")
	}
	if url == "" {
		return "URL", false
	}
	return strings.TrimPrefix(url, "oci://"), !strings.HasPrefix(url, "http")
}
