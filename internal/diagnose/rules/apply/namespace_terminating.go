package apply

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
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
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("is being terminated", "namespaceterminating", "being deleted") || !f.Has("namespace") {
			return diagnose.Finding{}, false
		}
		ns := cmp.Or(statement.Namespace(in, s), "NAMESPACE")
		out := diagnose.Finding{
			Confidence: diagnose.Certain, OutsideGit: true,
			Shared: "namespace " + ns + advice.OnCluster(in),
			Title:  fmt.Sprintf("Namespace/%s is being deleted", ns),
			Why:    "Nothing new can be created in it, so the sync fails. If the deletion does not finish, usually a finalizer or an unavailable API blocks it.",
			Fix: []diagnose.Fix{
				{Text: "Check what blocks the deletion: remaining finalizers, an unavailable API", Command: diagnose.Shell("kubectl get namespace %s -o jsonpath='{range .status.conditions[*]}{.type}: {.message}{\"\\n\"}{end}'", ns)},
				{Text: "List what is left in it", Command: diagnose.Shell("kubectl api-resources --verbs=list --namespaced -o name | xargs -n1 kubectl -n %s get --ignore-not-found --show-kind", ns)},
			},
		}
		blockedBy(in, ns, &out)
		return out, true
	}),
}

// blockedBy adds what the status of the namespace says, where it was read.
func blockedBy(in *diagnose.In, ns string, out *diagnose.Finding) {
	object, ok := diagnose.Peek(in, evidence.FactObject(evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Namespace", Name: ns}}))
	if !ok {
		return
	}
	blocker, quotes := statement.NamespaceBlockers(object)
	if blocker == "" {
		return
	}
	out.Why = "Nothing new can be created in it, so the sync fails until it is gone."
	if since := in.Since(object.Time("metadata", "deletionTimestamp")); since > 0 {
		out.Why = fmt.Sprintf("It was marked for deletion %s ago. ", text.Age(since)) + out.Why
	}
	out.Says, out.Evidence = diagnose.Said{Who: "Its status says", Text: blocker}, quotes
	switch {
	case strings.Contains(blocker, "Discovery failed"):
		out.Fix[0] = diagnose.Fix{Text: "Fix or remove the API service that is not available", Command: "kubectl get apiservices"}
	case strings.Contains(blocker, "kubernetes.io/pvc-protection"):
		out.Fix[0] = diagnose.Fix{Text: "Delete or stop the pods that still use the volume claim; this lists claims and the pods that use them", Command: diagnose.Shell("kubectl -n %s describe pvc", ns)}
	case strings.Contains(blocker, "finalizers remaining"):
		out.Fix[0].Text = "Fix the controller that set the finalizer; remove the finalizer manually only when it has nothing left to clean up. This shows which one it is"
	}
	if in.App().HasSyncOption("CreateNamespace=true") && ns == in.App().Spec.Destination.Namespace {
		out.Fix = append(out.Fix, advice.Sync(in, "When it is gone, sync: CreateNamespace=true creates it again"))
	}
}
