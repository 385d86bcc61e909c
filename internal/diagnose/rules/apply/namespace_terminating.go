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
		Title:    "Namespace is being deleted",
		What:     "The namespace is being deleted, and nothing new can be created in it. If the deletion does not finish, something in it has a finalizer that nothing removes, or an aggregated API is unavailable.",
		Decisive: "\"because it is being terminated\".",
		Example:  "deployments.apps \"web\" is forbidden: unable to create new content in namespace web because it is being terminated",
		Fix:      "Find the finalizer or API service that blocks the deletion. Sync when the namespace is gone.",
	},
	Sync: advice.Pointless("nothing can be created in a namespace that is being deleted"),
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("is being terminated", "namespaceterminating", "being deleted") || !f.Has("namespace") {
			return diagnose.Finding{}, false
		}
		ns := cmp.Or(statement.Namespace(in, s), "NAMESPACE")
		return diagnose.Finding{
			Confidence: diagnose.Certain, OutsideGit: true,
			Shared: "namespace " + ns + advice.OnCluster(in),
			Title:  fmt.Sprintf("Namespace/%s is being deleted", ns),
			Why:    "Nothing new can be created in it, so the sync fails. If the deletion does not finish, usually a finalizer or an unavailable API blocks it.",
			Fix: []diagnose.Fix{
				{Text: "Check what blocks the deletion: remaining finalizers, an unavailable API", Command: diagnose.Shell("kubectl get namespace %s -o jsonpath='{range .status.conditions[*]}{.type}: {.message}{\"\\n\"}{end}'", ns)},
				{Text: "List what is left in it", Command: diagnose.Shell("kubectl api-resources --verbs=list --namespaced -o name | xargs -n1 kubectl -n %s get --ignore-not-found --show-kind", ns)},
			},
		}, true
	}),
}
