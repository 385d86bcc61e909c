package apply

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var NamespaceTerminating = &diagnose.Rule{
	ID:    "apply/namespace-terminating",
	Needs: statement.RefusalNeeds,
	Doc: diagnose.Doc{
		Title:    "The namespace is being deleted",
		What:     "Somebody deleted the namespace, and it does not end: an object in it has a finalizer that nobody removes, or an aggregated API does not answer. Nothing new can be created in it.",
		Decisive: "\"because it is being terminated\".",
		Example:  "deployments.apps \"web\" is forbidden: unable to create new content in namespace web because it is being terminated",
		Fix:      "Find the finalizer or API service that holds the namespace, then sync into a new one.",
	},
	Sync: advice.Pointless("nothing can be created in a namespace that is being deleted"),
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("is being terminated", "namespaceterminating", "being deleted") || !f.Has("namespace") {
			return diagnose.Finding{}, false
		}
		ns := cmp.Or(statement.Namespace(in, s), "NAMESPACE")
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Shared:     "namespace " + ns + advice.OnCluster(in),
			Title:      fmt.Sprintf("namespace %s is being deleted", ns),
			Why:        fmt.Sprintf("%s cannot be created because its namespace is being deleted and something holds it: %s", statement.Name(s), statement.Words(s)),
			Fix: []diagnose.Fix{
				{Text: "See what holds the namespace (finalizers that remain, an API that does not answer)", Command: diagnose.Shell("kubectl get namespace %s -o jsonpath='{range .status.conditions[*]}{.type}: {.message}{\"\\n\"}{end}'", ns)},
				{Text: "List what is left in it", Command: diagnose.Shell("kubectl api-resources --verbs=list --namespaced -o name | xargs -n1 kubectl -n %s get --ignore-not-found --show-kind", ns)},
			},
		}, true
	}),
}
