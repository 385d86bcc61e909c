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
		Title:    "An old hook object is not deleted",
		What:     "Before it creates the hook anew, Argo CD deletes the old object and waits until it is gone. A finalizer holds it, so the sync waits for ever.",
		Decisive: "The operation's message is \"waiting for deletion of hook …\".",
		Example:  "waiting for deletion of hook /Secret/airflow-fernet-key",
		Fix:      "Find who owns the finalizer; remove it only when its owner is gone.",
	},
	Sync: advice.Blocked("the operation waits for the deletion"),
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
		fix, offer := advice.Terminate(in, "the sync waits for a deletion that does not end")
		return diagnose.Finding{
			Resource: ref, Confidence: diagnose.Certain,
			Title: fmt.Sprintf("the sync waits for the old hook %s to be deleted", ref),
			Why:   fmt.Sprintf("Argo CD has deleted the old %s and waits until it is gone, for %s now. Something holds it, most often a finalizer.", ref, text.Age(in.RunningFor())),
			Fix: []diagnose.Fix{
				advice.SeeFinalizer(ref),
				{Text: "Bring back the controller that owns the finalizer; remove it by hand only if that controller is gone", Command: diagnose.Shell(`kubectl %spatch %s --type merge -p '{"metadata":{"finalizers":null}}'`, advice.InNamespace(ref), ref.Resource())},
				fix,
			},
			Offers: []diagnose.Action{offer},
		}, true
	}),
}
