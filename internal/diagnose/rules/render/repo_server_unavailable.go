package render

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var RepoServerUnavailable = &diagnose.Rule{
	ID: "render/repo-server-unavailable",
	Doc: diagnose.Doc{
		Title:    "Argo CD's repo-server is unavailable",
		What:     "Argo CD's repo-server renders all manifests. While its pods are down, restarting or out of memory, no application can be compared.",
		Decisive: "A connection error to the repo-server (port 8081, gRPC code Unavailable).",
		Example:  "rpc error: code = Unavailable desc = connection error: desc = \"transport: Error while dialing dial tcp 10.11.169.93:8081: connect: connection refused\"",
		Fix:      "Check the repo-server's pods: most often they ran out of memory or cannot be scheduled.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/#argocd-repo-server"},
	},
	Sync: nothingRenders,
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !ownParts(s) || peerOf(in, s) != peerRepoServer {
			return diagnose.Finding{}, false
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Shared:     "the repo-server",
			Title:      "Argo CD's repo-server cannot be reached",
			Why:        "The repo-server renders all manifests, so every application of this Argo CD is affected.",
			Says:       said(s),
			Fix: []diagnose.Fix{
				{Text: "Check whether the repo-server's pods are running and ready", Command: diagnose.Shell("kubectl -n %s get pods -l app.kubernetes.io/name=argocd-repo-server", advice.ArgoNamespace(in))},
				{Text: "If they restarted, read the log of the last crash", Command: diagnose.Shell("kubectl -n %s logs deploy/argocd-repo-server --previous --tail=50", advice.ArgoNamespace(in))},
			},
		}, true
	}),
}
