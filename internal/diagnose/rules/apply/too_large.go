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
		Title:    "Resource is too large",
		What:     "Client-side apply stores the whole manifest in an annotation, which is limited to 262144 bytes: big CRDs and ConfigMaps do not fit. Or the object itself exceeds what etcd accepts (about 1.5 MiB).",
		Decisive: "\"metadata.annotations: Too long\", \"request is too large\".",
		Example:  "CustomResourceDefinition.apiextensions.k8s.io \"prometheuses.monitoring.coreos.com\" is invalid: metadata.annotations: Too long: must have at most 262144 bytes",
		Fix:      "Set ServerSideApply=true on the resource, which does not write this annotation. Split an object that is itself too large.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#server-side-apply"},
	},
	Sync:  advice.Pointless("the API server will refuse it again because of its size"),
	Needs: statement.RefusalNeeds,
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		annotation := f.HasAll("annotations", "too long") || f.HasAll("262144", "bytes")
		if !annotation && !f.Has("request is too large", "entity too large", "message larger than max", "is too large", "data: too long", "[]: too long", "exceeds the maximum size", "request size exceeds") {
			return diagnose.Finding{}, false
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      sentence(statement.Name(s), "is too large for client-side apply"),
			Why:        "Client-side apply stores the whole manifest in an annotation, and annotations are limited to 262,144 bytes.",
			Fix: []diagnose.Fix{
				{Text: "Use server-side apply, which does not write the annotation: add to the manifest of each resource that is too large", Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/sync-options: ServerSideApply=true\n"},
			},
		}
		if chart := advice.Chart(in); chart != "" {
			out.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Use server-side apply, which does not write the annotation. The manifests are those of chart %s, so set it for the whole application, in %s", chart, advice.Manifest(in)), Patch: "spec:\n  syncPolicy:\n    syncOptions:\n    - ServerSideApply=true\n"}}
		}
		if chart := chartSource(in).Chart; chart != "" && advice.Chart(in) == "" {
			out.Fix = []diagnose.Fix{
				{Text: fmt.Sprintf("Use server-side apply, which does not write the annotation. If the manifest is one of chart %s, set it for the whole application, in %s", chart, advice.Manifest(in)), Patch: "spec:\n  syncPolicy:\n    syncOptions:\n    - ServerSideApply=true\n"},
				{Text: "If it is in Git, this annotation is enough, on each resource that is too large", Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/sync-options: ServerSideApply=true\n"},
			}
		}
		switch {
		case annotation && in.App().HasSyncOption("ServerSideApply=true"):
			ref := statement.Subject(s)
			out.Why += " The application sets ServerSideApply=true, so either this sync ran without it, or the live object still has an annotation that is too large."
			out.Sync = advice.Pointless("it will be refused again unless it uses server-side apply this time")
			out.Fix = []diagnose.Fix{
				{Text: "Sync with server-side apply", Command: diagnose.Shell("argocd app sync %s --server-side", advice.AppName(in))},
				{Text: "If that fails as well, remove the annotation from the live object first; server-side apply does not need it", Command: diagnose.Shell("kubectl %sannotate %s kubectl.kubernetes.io/last-applied-configuration-", advice.InNamespace(ref), ref.Resource())},
			}
			if !withOption(in.App().CurrentOperation(), "ServerSideApply=true") {
				out.Why = "Client-side apply stores the whole manifest in an annotation, and annotations are limited to 262,144 bytes. The application sets ServerSideApply=true, but the failed sync ran without that option."
				out.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "it helps if it uses server-side apply this time"}
				out.Fix = out.Fix[:1]
			}
		case annotation:
		case s.Refusal:
			out.Title = "Application is too large to be saved"
			out.Why, out.Says = "Its spec, status and history together exceed the limit.", statement.Says(s)
			out.Says.Who = "Argo CD says"
			out.Sync = advice.Blocked("it cannot save the operation in the Application")
			out.Fix = []diagnose.Fix{
				{Text: "Lower spec.revisionHistoryLimit, or split the application"},
				{Text: "Check its size in bytes", Command: diagnose.Shell("argocd app get %s -o json | wc -c", advice.AppName(in))},
			}
		default:
			out.Title = sentence(statement.Name(s), "is too large for the API server")
			out.Why, out.Says = "It exceeds what the API server and etcd accept.", statement.Says(s)
			out.Fix = advice.Steps("Split it, or store the data elsewhere (in an image or object storage)")
		}
		return out, true
	}),
}
