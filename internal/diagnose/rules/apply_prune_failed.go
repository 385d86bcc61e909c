package rules

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var applyPruneFailed = &diagnose.Rule{
	ID: "apply/prune-failed",
	Doc: diagnose.Doc{
		Title:    "A resource that left Git cannot be deleted",
		What:     "The sync prunes, and the API server does not delete one of the resources: Argo CD lacks the right, a webhook objects, or somebody else deleted it first.",
		Decisive: "\"objects failed to prune\".",
		Example:  "one or more objects failed to prune, reason: configmaps \"settings\" not found",
		Fix:      "Delete it by hand or give Argo CD the right; a resource that is gone already needs only a refresh.",
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: "a sync with prune deletes what left Git"},
	Check: stating(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if f.Stage != message.StagePrune && !(isRefusal(s) && f.Has("failed to prune", "pruning failed", "error pruning")) {
			return none, false
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      called(s) + " cannot be pruned",
			Why:        fmt.Sprintf("%s left Git, and deleting it fails: %s", called(s), words(s)),
			Fix:        []diagnose.Fix{{Text: "See what holds it (finalizers, rights)", Command: "kubectl " + inNamespace(s.Resource) + "get " + or(s.Resource.Resource(), "RESOURCE") + " -o yaml"}},
		}
		if f.Has("not found") {
			out.Why = fmt.Sprintf("%s left Git and was already gone when Argo CD wanted to delete it: %s", called(s), words(s))
			out.Fix = []diagnose.Fix{{Text: "Have Argo CD look at the cluster again", Command: "argocd app get " + appName(in) + " --hard-refresh"}}
			out.Offers = []diagnose.Action{{ID: diagnose.ActionHardRefresh, Label: "Hard refresh", Why: "Argo CD's picture of the cluster is older than the cluster"}}
		}
		return out, true
	}),
}
