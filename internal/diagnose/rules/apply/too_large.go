package apply

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var TooLarge = &diagnose.Rule{
	ID: "apply/too-large",
	Doc: diagnose.Doc{
		Title:    "The object is too large",
		What:     "Client-side apply writes the whole manifest into an annotation, which may hold 262144 bytes: big CRDs and ConfigMaps do not fit. Or the object itself exceeds what etcd takes (about 1.5 MiB).",
		Decisive: "\"metadata.annotations: Too long\", \"request is too large\".",
		Example:  "CustomResourceDefinition.apiextensions.k8s.io \"prometheuses.monitoring.coreos.com\" is invalid: metadata.annotations: Too long: must have at most 262144 bytes",
		Fix:      "ServerSideApply=true for the resource (it writes no such annotation); an object that is itself too large must be split.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#server-side-apply"},
	},
	Sync:  advice.Pointless("the object does not get smaller"),
	Needs: statement.RefusalNeeds,
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		annotation := f.HasAll("annotations", "too long") || f.HasAll("262144", "bytes")
		if !annotation && !f.Has("request is too large", "entity too large", "message larger than max", "is too large", "data: too long", "[]: too long", "exceeds the maximum size", "request size exceeds") {
			return diagnose.Finding{}, false
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      statement.Name(s) + " is too large for client-side apply",
			Why:        fmt.Sprintf("Client-side apply copies %s into its last-applied-configuration annotation, and that may hold 262144 bytes: %s", statement.Name(s), statement.Words(s)),
			Fix: []diagnose.Fix{
				{Text: "Apply this resource on the server side: the annotation is not written then", Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/sync-options: ServerSideApply=true\n"},
			},
		}
		switch {
		case annotation:
		case s.Refusal:
			out.Title = "the Application has become too large"
			out.Why = "Argo CD cannot store the Application any more: " + statement.Words(s)
			out.Fix = advice.Steps("Split the application, or lower spec.revisionHistoryLimit so that its status shrinks")
			out.Sync = advice.Blocked("Argo CD cannot store the operation")
			out.Fix = append(out.Fix, diagnose.Fix{Text: "See how large it is", Command: diagnose.Shell("argocd app get %s -o json | wc -c", advice.AppName(in))})
		default:
			out.Title = statement.Name(s) + " is too large for the API server"
			out.Why = fmt.Sprintf("%s exceeds what the API server and etcd store: %s", statement.Name(s), statement.Words(s))
			out.Fix = advice.Steps("Split it, or keep the data elsewhere (an image, object storage)")
		}
		return out, true
	}),
}
