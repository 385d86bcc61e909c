package rules

import (
	"github.com/argo-why/argo-why/internal/diagnose"
)

var renderResponseTooLarge = &diagnose.Rule{
	ID: "render/response-too-large",
	Doc: diagnose.Doc{
		Title:    "The rendered manifests are larger than a message may be",
		What:     "The repo-server's answer, or the files sent to a plugin, exceed the limit of one gRPC message.",
		Decisive: "gRPC code ResourceExhausted, \"message larger than max\".",
		Example:  "rpc error: code = ResourceExhausted desc = grpc: received message larger than max (28602193 vs. 4194304)",
		Fix:      "Raise the limit (ARGOCD_GRPC_MAX_SIZE_MB on all components, manifest size limits of the repo-server), or split the application.",
	},
	Sync: nothingRenders,
	Check: rendering(func(_ *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if s.Failure.Code != "ResourceExhausted" && !s.Failure.Has("message larger than max", "exceeded max", "exceeds the limit", "size exceeds", "too large to") {
			return none, false
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "the rendered manifests are larger than one message may be",
			Why:        "The desired state does not fit into one message between Argo CD's components: " + sentence(s.Failure.Line(clause)),
			Fix: []diagnose.Fix{
				{Text: "Raise the limit on every component of Argo CD", Command: "kubectl -n argocd set env deploy/argocd-repo-server deploy/argocd-server statefulset/argocd-application-controller ARGOCD_GRPC_MAX_SIZE_MB=200"},
				{Text: "Or split the application into smaller ones"},
			},
		}, true
	}),
}
