package render

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var RepoServerUnavailable = &diagnose.Rule{
	ID: "render/repo-server-unavailable",
	Doc: diagnose.Doc{
		Title:    "The repo-server cannot be reached",
		What:     "Argo CD's repo-server renders all manifests. When its pods are down, restarting or out of memory, no application can be compared.",
		Decisive: "A connection error to the repo-server (port 8081, gRPC code Unavailable).",
		Example:  "rpc error: code = Unavailable desc = connection error: desc = \"transport: Error while dialing dial tcp 10.11.169.93:8081: connect: connection refused\"",
		Fix:      "Look at the repo-server's pods: most often they were killed for lack of memory or cannot be scheduled.",
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
			Why:        "Argo CD cannot talk to its own repo-server: " + text.Sentence(s.Failure.Line(message.MaxClause)) + " All applications of this Argo CD are hit.",
			Fix: []diagnose.Fix{
				{Text: "See why its pods are not ready", Command: diagnose.Shell("kubectl -n %s get pods -l app.kubernetes.io/name=argocd-repo-server", advice.ArgoNamespace(in))},
				{Text: "Read what they said last", Command: diagnose.Shell("kubectl -n %s logs deploy/argocd-repo-server --previous --tail=50", advice.ArgoNamespace(in))},
			},
		}, true
	}),
}
