package operation

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

var PruneBlocked = &diagnose.Rule{
	ID:    "operation/prune-blocked",
	Needs: []evidence.Kind{evidence.KindManaged},
	Doc: diagnose.Doc{
		Title:    "Argo CD refuses to prune without confirmation",
		What:     "Git no longer has any resources for this application, and auto-sync with prune would delete everything; or the deletion of a resource has to be confirmed. Argo CD waits for a person.",
		Decisive: "\"auto-sync will wipe out all resources\", or the operation waits for the confirmation of a deletion: it says so, or it runs with prune and a resource with Prune=confirm is no longer in Git.",
		Example:  "Skipping sync attempt to 82e7838f…: auto-sync will wipe out all resources",
		Fix:      "Find out why Git renders nothing (path, branch, filter). If everything should go, set allowEmpty or sync manually with prune. Confirm a deletion with the annotation.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/auto_sync/#automatic-pruning-with-allow-empty"},
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: "with prune deletes all resources of the application"},
	Check: func(in *diagnose.In) diagnose.Outcome {
		all := in.Statements()
		for i := range all {
			f := &all[i].Failure
			switch {
			case f.Has("will wipe out all resources", "wipe out all"):
				return diagnose.Found(diagnose.Finding{
					Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
					Title: "Auto-sync refuses to delete all resources",
					Why:   "The manifests of this revision are empty, so pruning would leave nothing of the application.",
					Fix: []diagnose.Fix{
						{Text: "Check what the revision renders to; usually the path, the branch or a filter is wrong", Command: diagnose.Shell("argocd app manifests %s --source git", advice.AppName(in))},
						{Text: "If everything really should be deleted, allow it in Git", Patch: "spec:\n  syncPolicy:\n    automated:\n      allowEmpty: true\n"},
					},
				}.On(&all[i]))
			case f.Has(confirmations...):
				return diagnose.Found(confirmationFinding(in, named(f.Text)).On(&all[i]))
			}
		}
		if m := operationMessage(in); in.App().CurrentOperation() != nil && message.HasAny(m, confirmations...) {
			said := in.App().Status.OperationState.Message
			return diagnose.Found(confirmationFinding(in, named(said)))
		}
		return unsaidConfirmation(in)
	},
}

// confirmations are Argo CD's words for a deletion that waits for a person; a resource may be named "send-confirmation".
var confirmations = []string{"pruning confirmation", "prune confirmation", "deletion confirmation", "delete confirmation", "confirmation of", "needs confirmation", "requires confirmation", "confirmation is required"}

// unnamed is what a message names no resource for.
const unnamed = "a resource"

// named is the resource that a message names.
func named(said string) string {
	if _, ref, ok := strings.Cut(said, "confirmation of "); ok {
		return resourceName(ref)
	}
	return unnamed
}

// resourceName is the resource that a text begins with, without its group: Secret/key of "v1/Secret/key and 2 more resources".
func resourceName(said string) string {
	ref, more, _ := strings.Cut(said, " ")
	parts := strings.Split(strings.TrimRight(ref, ".,;"), "/")
	if len(parts) < 2 {
		return unnamed
	}
	name := strings.Join(parts[len(parts)-2:], "/")
	if more, ok := strings.CutSuffix(more, " resources"); ok && strings.HasPrefix(more, "and ") {
		name += " " + more
	}
	return name
}
