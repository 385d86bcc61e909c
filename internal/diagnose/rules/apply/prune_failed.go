package apply

import (
	"cmp"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var PruneFailed = &diagnose.Rule{
	ID: "apply/prune-failed",
	Doc: diagnose.Doc{
		Title:    "A resource that left Git cannot be deleted",
		What:     "The sync prunes, and the API server does not delete one of the resources: Argo CD lacks the right, a webhook objects, or somebody else deleted it first.",
		Decisive: "\"objects failed to prune\".",
		Example:  "one or more objects failed to prune, reason: configmaps \"settings\" not found",
		Fix:      "Delete it by hand or give Argo CD the right; a resource that is gone already needs only a refresh.",
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: "a sync with prune deletes what left Git"},
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if out, ok := deletionWaits(in, s); ok {
			return out, true
		}
		if f.Stage != message.StagePrune && !(statement.IsRefusal(s) && f.Has("failed to prune", "pruning failed", "error pruning")) {
			return diagnose.Finding{}, false
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      statement.Name(s) + " cannot be pruned",
			Why:        fmt.Sprintf("%s left Git, and deleting it fails: %s", statement.Name(s), statement.Words(s)),
			Fix:        []diagnose.Fix{{Text: "See what holds it (finalizers, rights)", Command: diagnose.Shell("kubectl %sget %s -o yaml", advice.InNamespace(s.Resource), cmp.Or(s.Resource.Resource(), "RESOURCE"))}},
		}
		if v, ok := f.Forbidden(); ok {
			out.Fix = []diagnose.Fix{{Text: "Argo CD lacks the right to delete it: check", Command: diagnose.Shell("kubectl %sauth can-i delete %s --as=%s", advice.InNamespace(s.Resource), advice.Dotted(cmp.Or(v.Resource, "RESOURCE"), v.Group), v.User)}}
		}
		if f.Has("not found") {
			out.Why = fmt.Sprintf("%s left Git and was already gone when Argo CD wanted to delete it: %s", statement.Name(s), statement.Words(s))
			out.Fix = []diagnose.Fix{advice.Refresh(in, "Have Argo CD look at the cluster again")}
			out.Title = statement.Name(s) + " was gone already when it was to be pruned"
		}
		return out, true
	}),
}

// deletionThreshold is how long the deletion of a resource may take before something is taken to hold it: pods get half a
// minute to end, volumes some minutes to be detached.
const deletionThreshold = 5 * time.Minute

// deletionWaits: the operation waits until a resource that it pruned is gone. A hook that waits to be deleted is another
// matter: hook/deletion-stuck.
func deletionWaits(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
	ref, ok := statement.WaitedFor(s.Failure.Text, "deletion of ")
	if !ok || in.RunningFor() < deletionThreshold {
		return diagnose.Finding{}, false
	}
	for _, r := range in.App().CurrentOperation().Results() {
		if !r.Ref().Same(ref) || r.IsHook() {
			continue
		}
		fix, offer := advice.Terminate(in, "it waits for a deletion that does not end")
		return diagnose.Finding{
			Resource: r.Ref(), Confidence: diagnose.Certain, Sync: advice.Blocked("the operation waits for the deletion"),
			Title: fmt.Sprintf("the sync waits for %s to be deleted", r.Ref()),
			Why:   fmt.Sprintf("%s left Git and was deleted, and the sync waits until it is gone, for %s now. Something holds it, most often a finalizer.", r.Ref(), text.Age(in.RunningFor())),
			Fix: []diagnose.Fix{
				advice.SeeFinalizer(r.Ref()),
				fix,
			},
			Offers: []diagnose.Action{offer},
		}, true
	}
	return diagnose.Finding{}, false
}
