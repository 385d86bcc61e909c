package hooks

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var DeletionStuck = &diagnose.Rule{
	ID: "hook/deletion-stuck",
	Doc: diagnose.Doc{
		Title:    "Old hook is stuck in deletion",
		What:     "Argo CD deletes the old hook before it creates the new one, and waits until the deletion is complete. Usually a finalizer blocks it, so the sync waits forever.",
		Decisive: "The operation's message is \"waiting for deletion of hook …\".",
		Example:  "waiting for deletion of hook /Secret/airflow-fernet-key",
		Fix:      "Find the controller that owns the finalizer. Remove the finalizer only if that controller is gone.",
	},
	Sync: advice.Blocked("the running sync is waiting for the deletion"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		ref, ok := statement.WaitedFor(strings.Replace(s.Failure.Text, "deletion of hook ", "deletion of ", 1), "deletion of ")
		if !ok || in.App().CurrentOperation() == nil {
			return diagnose.Finding{}, false
		}
		for _, r := range in.App().CurrentOperation().Results() {
			if r.Ref().Same(ref) {
				if !r.IsHook() {
					return diagnose.Finding{}, false // a resource that is pruned
				}
				ref = r.Ref()
			}
		}
		if ref.Namespace == "" {
			ref.Namespace = in.App().Spec.Destination.Namespace
		}
		fix, offer := advice.Terminate(in, "the sync is waiting for a deletion that does not finish")
		return diagnose.Finding{
			Resource: ref, Confidence: diagnose.Certain,
			Title: fmt.Sprintf("Old hook %s is stuck in deletion", ref),
			Why:   fmt.Sprintf("Argo CD has to delete it before it can create the new hook; the sync has been running for %s. A finalizer usually causes this.", text.Age(in.RunningFor())),
			Fix: []diagnose.Fix{
				advice.SeeFinalizer(ref),
				{Text: "Restore the controller that owns the finalizer. Remove the finalizers manually only if that controller is gone for good", Command: diagnose.Shell(`kubectl %spatch %s --type merge -p '{"metadata":{"finalizers":null}}'`, advice.InNamespace(ref), ref.Resource())},
				fix,
			},
			Offers: []diagnose.Action{offer},
		}, true
	}),
}
