package operation

import (
	"cmp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var PruneBlocked = &diagnose.Rule{
	ID: "operation/prune-blocked",
	Doc: diagnose.Doc{
		Title:    "Argo CD will not delete everything without being told",
		What:     "Git now holds no resources for this application, and auto-sync with prune would delete all of it; or a resource wants its deletion confirmed. Argo CD waits for a person.",
		Decisive: "\"auto-sync will wipe out all resources\", or the operation waits for the confirmation of a deletion.",
		Example:  "Skipping sync attempt to 82e7838f…: auto-sync will wipe out all resources",
		Fix:      "Find out why Git is empty (path, branch, filter). If everything is to go, allowEmpty or a sync with prune by hand; confirm a deletion with the annotation.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/auto_sync/#automatic-pruning-with-allow-empty"},
	},
	Sync: diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: "with prune it deletes all of the application's resources"},
	Check: func(in *diagnose.In) diagnose.Outcome {
		all := in.Statements()
		for i := range all {
			f := &all[i].Failure
			switch {
			case f.Has("will wipe out all resources", "wipe out all"):
				return diagnose.Found(diagnose.Finding{
					Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
					Title: "Git holds nothing for this application, and Argo CD will not delete everything by itself",
					Why:   "The manifests of this revision are empty, so that auto-sync with prune would delete every resource. Argo CD refuses that unless told.",
					Fix: []diagnose.Fix{
						{Text: "See what the revision renders to: most often path, branch or a filter is wrong", Command: diagnose.Shell("argocd app manifests %s --source git", advice.AppName(in))},
						{Text: "If everything really is to be deleted, allow it", Patch: "spec:\n  syncPolicy:\n    automated:\n      allowEmpty: true\n"},
					},
				}.On(&all[i]))
			case f.Has(confirmations...):
				return diagnose.Found(confirmationFinding(in, f.Text).On(&all[i]))
			}
		}
		if m := operationMessage(in); in.App().CurrentOperation() != nil && message.HasAny(m, confirmations...) {
			return diagnose.Found(confirmationFinding(in, in.App().Status.OperationState.Message))
		}
		return diagnose.Nothing
	},
}

// confirmations are Argo CD's words for a deletion that waits for a person; a resource may be called "send-confirmation".
var confirmations = []string{"pruning confirmation", "prune confirmation", "deletion confirmation", "delete confirmation", "confirmation of", "needs confirmation", "requires confirmation", "confirmation is required"}

func confirmationFinding(in *diagnose.In, said string) diagnose.Finding {
	return diagnose.Finding{
		Kind: diagnose.KindForbidden, Confidence: diagnose.Certain,
		Title: "a deletion waits to be confirmed by a person",
		Why:   "A resource carries Prune=confirm or Delete=confirm, and Argo CD waits until somebody confirms: " + text.Sentence(said),
		Fix: []diagnose.Fix{{
			Text:    "If it may be deleted, confirm (this confirms all deletions that wait)",
			Command: diagnose.Shell("kubectl -n %s annotate application %s argocd.argoproj.io/deletion-approved=$(date -u +%%Y-%%m-%%dT%%H:%%M:%%SZ) --overwrite", cmp.Or(in.App().Metadata.Namespace, "argocd"), cmp.Or(in.App().Metadata.Name, "APP")),
		}},
	}
}
