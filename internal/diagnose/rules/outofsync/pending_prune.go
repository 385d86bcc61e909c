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
		Title:    "A resource is gone from Git and still lives",
		What:     "Git does not have the resource any more, and nothing deletes it: a sync prunes only when it is told to. Until somebody decides, the application stays out of sync.",
		Decisive: "status.resources says requiresPruning for something that is no hook; what was synced last says \"ignored (requires pruning)\".",
		Example:  "ConfigMap/gone: OutOfSync (requires pruning)",
		Fix:      "Delete it with a sync that prunes, or keep it on purpose: Prune=false and IgnoreExtraneous.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#no-prune-resources", "https://argo-cd.readthedocs.io/en/stable/user-guide/compare-options/#ignoring-resources-that-are-extraneous"},
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: "with prune it deletes what Git no longer has; without prune it leaves them alone"},
	Recognises: presence{},
	Check:      func(in *diagnose.In) diagnose.Outcome { return checkExtras(in, false, reportPendingPrune) },
}

func reportPendingPrune(in *diagnose.In, list []*resource) diagnose.Finding {
	r := list[0]
	f := diagnose.Finding{
		Confidence: diagnose.CertainIf(look(in).compared), // else it may be what a tool made
		Title:      fmt.Sprintf("%s no longer in Git and still %s", subjectWithVerb(list, "is", "are"), verb(len(list), "lives", "live")),
		Why:        fmt.Sprintf("Git does not have %s any more. %s", subjectText(list), whyNotPruned(in, r)),
		Evidence:   []diagnose.Quote{{From: "status.resources", Text: names(list) + ": OutOfSync, requires pruning"}},
		Fix: []diagnose.Fix{
			{Text: "To delete it, see first what a prune would take", Command: diagnose.Shell("argocd app sync %s --prune --dry-run", advice.AppName(in))},
			{Text: "Then prune", Command: syncOnly(in, list) + " --prune"},
			{Text: fmt.Sprintf("To keep it, annotate %s, so that it neither is pruned nor counts as out of sync", r.Ref), Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/sync-options: Prune=false\n    argocd.argoproj.io/compare-options: IgnoreExtraneous\n"},
		},
	}
	if data := dataHolders(list); data != "" {
		f.Why += fmt.Sprintf(" Deleting %s loses what is in it.", data)
		f.Fix[0].Text = fmt.Sprintf("Decide about %s first: a prune deletes it with what is in it. See what a prune would take", data)
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: fmt.Sprintf("with prune it deletes %s and what is in it; without prune it leaves them alone", data)}
	}
	return f
}

// whyNotPruned is what keeps the resource.
func whyNotPruned(in *diagnose.In, r *resource) string {
	policy := in.App().Spec.SyncPolicy
	switch {
	case strings.Contains(r.Live.Annotation("argocd.argoproj.io/sync-options"), "Prune=false"):
		return "Its annotation Prune=false keeps Argo CD from deleting it."
	case in.App().AutoSync() && !policy.Automated.Prune:
		return "Auto-sync is on, and it does not prune: that is off by default."
	case in.App().AutoSync():
		return "Auto-sync prunes; it has not done so yet, or something holds the deletion."
	}
	return "A sync deletes only when it is told to prune."
}

// dataHolders names what holds data.
func dataHolders(list []*resource) string {
	var out []*resource
	for _, r := range list {
		if r.Ref.HoldsData() {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return names(out)
}
