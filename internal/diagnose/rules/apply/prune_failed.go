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
		Title:    "Resource cannot be pruned",
		What:     "The sync cannot delete one of the resources that were removed from Git: Argo CD lacks permission, a webhook denies the deletion, or something else deleted it first.",
		Decisive: "\"objects failed to prune\".",
		Example:  "one or more objects failed to prune, reason: configmaps \"settings\" not found",
		Fix:      "Delete it manually or give Argo CD the permission. If it no longer exists, a refresh is enough.",
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: "with prune deletes resources that were removed from Git"},
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if out, ok := deletionWaits(in, s); ok {
			return out, true
		}
		if f.Stage != message.StagePrune && !(statement.IsRefusal(s) && f.Has("failed to prune", "pruning failed", "error pruning")) {
			return diagnose.Finding{}, false
		}
		name := text.UpperFirst(statement.Name(s))
		if f.Has("not found") {
			return diagnose.Finding{
				Confidence: diagnose.Certain,
				Title:      name + " was already deleted",
				Why:        "It was removed from Git, and when Argo CD pruned it, it no longer existed.",
				Sync:       diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: "with prune deletes any other resources that were removed from Git"},
				Fix:        []diagnose.Fix{advice.Refresh(in, "Refresh the application")},
			}, true
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      name + " cannot be pruned",
			Why:        "It was removed from Git, but the API server does not delete it.",
			Says:       statement.Says(s),
			Fix:        []diagnose.Fix{{Text: "Check its finalizers and who can delete it", Command: diagnose.Shell("kubectl %sget %s -o yaml", advice.InNamespace(s.Resource), cmp.Or(s.Resource.Resource(), "RESOURCE"))}},
		}
		if v, ok := f.Forbidden(); ok && v.Authorizer == "" {
			out.Why = fmt.Sprintf("It was removed from Git. Argo CD acts as %s, which is not allowed to delete it.", v.User)
			out.Says = diagnose.Said{}
			out.Sync = diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: "with prune deletes " + name + " once Argo CD is allowed to"}
			g := grantFor(in, s, v)
			out.Fix = g.steps()
		}
		return out, true
	}),
}

// deletionThreshold is how long the deletion of a resource can take before something is assumed to block it: pods get half a
// minute to end, volumes some minutes to be detached.
const deletionThreshold = 5 * time.Minute

// deletionWaits recognises an operation that waits until a resource that it pruned is gone. A hook that waits to be deleted is
// a case for hook/deletion-stuck.
func deletionWaits(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
	ref, ok := statement.WaitedFor(s.Failure.Text, "deletion of ")
	if !ok || in.RunningFor() < deletionThreshold {
		return diagnose.Finding{}, false
	}
	for _, r := range in.App().CurrentOperation().Results() {
		if !r.Ref().Same(ref) || r.IsHook() {
			continue
		}
		fix, offer := advice.Terminate(in, "it waits for a deletion that does not finish")
		return diagnose.Finding{
			Resource: r.Ref(), Confidence: diagnose.Certain, Sync: advice.Blocked("the running operation is waiting for the deletion"),
			Title: fmt.Sprintf("%s is stuck in deletion", r.Ref()),
			Why:   fmt.Sprintf("It was removed from Git and pruned. The sync has been running for %s and waits until it is gone. Usually a finalizer blocks the deletion.", text.Age(in.RunningFor())),
			Fix: []diagnose.Fix{
				advice.SeeFinalizer(r.Ref()),
				fix,
			},
			Offers: []diagnose.Action{offer},
		}, true
	}
	return diagnose.Finding{}, false
}
