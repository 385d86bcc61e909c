package outofsync

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
)

var PendingPrune = &diagnose.Rule{
	ID:    "drift/pending-prune",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Removed from Git, still in the cluster",
		What:     "Git no longer has the resource, and nothing deletes it: a sync prunes only if asked to. Until someone decides, the application stays out of sync.",
		Decisive: "status.resources says requiresPruning for a resource that is not a hook; the last sync reports \"ignored (requires pruning)\".",
		Example:  "ConfigMap/gone: OutOfSync (requires pruning)",
		Fix:      "Delete it with a sync that prunes, or keep it on purpose: Prune=false and IgnoreExtraneous.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#no-prune-resources", "https://argo-cd.readthedocs.io/en/stable/user-guide/compare-options/#ignoring-resources-that-are-extraneous"},
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: "with prune deletes what Git no longer has; without prune that stays"},
	Recognises: presence{},
	Check:      func(in *diagnose.In) diagnose.Outcome { return checkExtras(in, false, reportPendingPrune) },
}

func reportPendingPrune(in *diagnose.In, list []*resource) diagnose.Finding {
	r, n := list[0], len(list)
	f := diagnose.Finding{
		Confidence: diagnose.CertainIf(look(in).compared), // else a tool may have created it
		Title:      subjectText(list) + ": no longer in Git",
		Why:        whyNotPruned(in, r),
		Evidence:   []diagnose.Quote{{From: "status.resources", Text: names(list) + ": OutOfSync, requires pruning"}},
		Sync:       diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: fmt.Sprintf("with prune deletes %s; without prune %s", subjectText(list), verb(n, "it stays", "they stay"))},
		Fix: []diagnose.Fix{
			{Text: "Check what a prune would delete", Command: diagnose.Shell("argocd app sync %s --prune --dry-run", advice.AppName(in))},
			{Text: fmt.Sprintf("To delete %s, sync with prune", them(n)), Command: syncOnly(in, list) + " --prune"},
			{Text: fmt.Sprintf("To keep %s, exempt %s from pruning and comparison: add these annotations to %s", them(n), them(n), subjectText(list)), Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/sync-options: Prune=false\n    argocd.argoproj.io/compare-options: IgnoreExtraneous\n"},
		},
	}
	if keepsFromPruning(r) {
		f.Fix[1].Text = fmt.Sprintf("To delete %s, remove Prune=false from its annotation argocd.argoproj.io/sync-options, then sync with prune", r.Ref)
	}
	if data := dataHolders(list); data != nil {
		f.Why += fmt.Sprintf(" Deleting %s also deletes the data in %s.", namesAnd(data), them(len(data)))
		f.Fix[0].Text = "Decide first whether the data is still needed, then check what a prune would delete"
		f.Sync.Why = fmt.Sprintf("with prune deletes %s with %s data; without prune %s", namesAnd(data), verb(len(data), "its", "their"), verb(len(data), "it stays", "they stay"))
	}
	if keepsFromPruning(r) && n == 1 {
		f.Sync.Why = fmt.Sprintf("with prune deletes %s only once its annotation Prune=false is removed; until then it stays", r.Ref)
	}
	return f
}

func keepsFromPruning(r *resource) bool {
	return strings.Contains(r.Live.Annotation("argocd.argoproj.io/sync-options"), "Prune=false")
}

// whyNotPruned is what keeps the resource.
func whyNotPruned(in *diagnose.In, r *resource) string {
	policy := in.App().Spec.SyncPolicy
	switch {
	case keepsFromPruning(r):
		return "Its annotation Prune=false keeps Argo CD from deleting it."
	case in.App().AutoSync() && !policy.Automated.Prune:
		return "Auto-sync is on but does not prune, which is the default."
	case in.App().AutoSync():
		return "Auto-sync prunes, but has not done so yet, or something blocks the deletion."
	}
	return "A sync deletes only when it runs with prune."
}

// dataHolders are those that contain data.
func dataHolders(list []*resource) []*resource {
	var out []*resource
	for _, r := range list {
		if r.Ref.HoldsData() {
			out = append(out, r)
		}
	}
	return out
}
