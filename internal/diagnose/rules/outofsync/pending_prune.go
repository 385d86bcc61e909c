package outofsync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
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
			{Text: verb(n, "See what it is: the diff shows it in full", "See what they are: the diff shows them in full"), Command: diagnose.Shell("argocd app diff %s", advice.AppName(in))},
			{Text: fmt.Sprintf("To delete %s, sync with prune", them(n)), Command: syncOnly(in, list) + " --prune"},
			keepExtra(list),
		},
	}
	f.Why += replacedBy(in, list)
	data := dataHolders(list)
	if data != nil {
		f.Why += fmt.Sprintf(" Deleting %s also deletes the data in %s.", namesAnd(data), them(len(data)))
		f.Fix[0].Text = "Decide first whether the data is still needed: the diff shows in full what a prune would delete"
	}
	kept, deleted := splitKept(list)
	switch {
	case len(deleted) == 0:
		f.Why = strings.Replace(f.Why, whyNotPruned(in, r), verb(n, "Its annotation Prune=false keeps Argo CD from deleting it.", "Their annotations Prune=false keep Argo CD from deleting them."), 1)
		f.Fix[1].Command = pruneKept(in, list)
		f.Fix[1].Text = fmt.Sprintf("To delete %s, remove Prune=false from %s argocd.argoproj.io/sync-options in the cluster, then sync with prune", themOr(list), verb(n, "its annotation", "their annotations"))
		f.Sync.Why = fmt.Sprintf("with prune deletes %s only once %s Prune=false is removed; until then %s", subjectText(list), verb(n, "its annotation", "their annotation"), verb(n, "it stays", "they stay"))
	case len(kept) > 0:
		f.Why = whyKept(in, kept, deleted) + strings.TrimPrefix(f.Why, whyNotPruned(in, r))
		f.Fix[1] = diagnose.Fix{Text: fmt.Sprintf("To delete %s, sync with prune", namesAnd(deleted)), Command: syncOnly(in, deleted) + " --prune"}
		also := diagnose.Fix{
			Text:    fmt.Sprintf("To delete %s too%s, remove Prune=false from %s argocd.argoproj.io/sync-options in the cluster, then sync with prune", namesAnd(kept), itsData(kept), verb(len(kept), "its annotation", "their annotations")),
			Command: pruneKept(in, kept),
		}
		f.Fix = slices.Insert(f.Fix, 2, also)
		f.Sync.Why = fmt.Sprintf("with prune deletes %s%s; without prune %s. %s %s either way, because of Prune=false", subjectText(deleted), itsData(deleted), verb(len(deleted), "it stays", "they stay"), text.UpperFirst(subjectText(kept)), verb(len(kept), "stays", "stay"))
	case data != nil:
		rest := ""
		if n > len(data) {
			rest = " and " + text.More(n-len(data))
		}
		f.Sync.Why = fmt.Sprintf("with prune deletes %s with %s data%s; without prune %s", namesAnd(data), verb(len(data), "its", "their"), rest, verb(n, "it stays", "they stay"))
	}
	return f
}

// splitKept are those that their own annotation keeps from being pruned, and the others.
func splitKept(list []*resource) (kept, deleted []*resource) {
	for _, r := range list {
		if keepsFromPruning(r) {
			kept = append(kept, r)
		} else {
			deleted = append(deleted, r)
		}
	}
	return kept, deleted
}

// pruneKept is the command that deletes resources in spite of their own Prune=false; none where that would delete data, which
// nobody should do by pasting a line.
func pruneKept(in *diagnose.In, kept []*resource) string {
	if dataHolders(kept) != nil {
		return ""
	}
	return allowPruning(kept) + " && " + syncOnly(in, kept) + " --prune"
}

// allowPruning takes Prune=false from the annotations of resources and leaves what else is there.
func allowPruning(kept []*resource) string {
	var commands []string
	for _, r := range kept[:min(len(kept), maxIgnored)] {
		left := slices.DeleteFunc(strings.Split(r.Live.Annotation(syncOptions), ","), func(o string) bool { return strings.TrimSpace(o) == "Prune=false" })
		command := diagnose.Shell("kubectl %sannotate %s", advice.InNamespace(r.Ref), r.Ref.Resource())
		if len(left) == 0 {
			command += " " + syncOptions + "-"
		} else {
			command += diagnose.Shell(" --overwrite %s", syncOptions+"="+strings.Join(left, ","))
		}
		commands = append(commands, command)
	}
	return strings.Join(commands, " && ")
}

// whyKept says of both why they still exist.
func whyKept(in *diagnose.In, kept, deleted []*resource) string {
	why := fmt.Sprintf("Prune=false keeps Argo CD from deleting %s.", namesAnd(kept))
	switch policy := in.App().Spec.SyncPolicy; {
	case in.App().AutoSync() && !policy.Automated.Prune:
		return why + fmt.Sprintf(" %s %s, because auto-sync does not prune, which is the default.", text.UpperFirst(namesAnd(deleted)), verb(len(deleted), "stays", "stay"))
	case in.App().AutoSync():
		return why
	}
	return why + fmt.Sprintf(" %s %s until a sync runs with prune.", text.UpperFirst(namesAnd(deleted)), verb(len(deleted), "stays", "stay"))
}

// itsData says that data goes with the resources, where that is so.
func itsData(list []*resource) string {
	switch data := dataHolders(list); {
	case len(data) == 0:
	case len(data) == len(list):
		return verb(len(list), " with its data", " with their data")
	default:
		return fmt.Sprintf(" with the data in %s", namesAnd(data))
	}
	return ""
}

// themOr is what a step calls them: the name of a single one.
func themOr(list []*resource) string {
	if len(list) == 1 {
		return list[0].Ref.String()
	}
	return "them"
}

// keepExtra is the step that keeps resources which Git no longer has: they are annotated in the cluster, each with what its annotation
// has already.
func keepExtra(list []*resource) diagnose.Fix {
	n := len(list)
	fix := diagnose.Fix{Text: fmt.Sprintf("To keep %s, exempt %s from pruning and comparison, in the cluster since Git no longer has %s", them(n), them(n), them(n))}
	if n > maxIgnored {
		fix.Text += ": annotate each like the first"
		list = list[:1]
	}
	fix.Command = keepCommand(list)
	return fix
}

const syncOptions = "argocd.argoproj.io/sync-options"

// keepCommand annotates resources so that a prune leaves them and the comparison ignores them.
func keepCommand(list []*resource) string {
	var commands []string
	for len(list) > 0 {
		first := list[0]
		var rest []*resource
		targets := ""
		for _, r := range list {
			if r.Ref.Namespace == first.Ref.Namespace && r.Live.Annotation(syncOptions) == first.Live.Annotation(syncOptions) && r.Live.Annotation(compareOptions) == first.Live.Annotation(compareOptions) {
				targets += diagnose.Shell(" %s", r.Ref.Resource())
			} else {
				rest = append(rest, r)
			}
		}
		commands = append(commands, diagnose.Shell("kubectl %sannotate --overwrite", advice.InNamespace(first.Ref))+targets+diagnose.Shell(" %s %s",
			syncOptions+"="+withEntry(first.Live.Annotation(syncOptions), "Prune=false"), compareOptions+"="+withEntry(first.Live.Annotation(compareOptions), "IgnoreExtraneous")))
		list = rest
	}
	return strings.Join(commands, " && ")
}

// withEntry is a list in an annotation with one more entry.
func withEntry(list, entry string) string {
	switch {
	case list == "":
		return entry
	case slices.Contains(strings.Split(list, ","), entry):
		return list
	}
	return list + "," + entry
}

// replacedBy says which new resource a rename has put in the place of one to be pruned: of the same kind and namespace, created by the
// last sync, with a name that contains the old one or is contained in it.
func replacedBy(in *diagnose.In, list []*resource) string {
	for _, r := range list {
		if old, ok := nextVersion(in, r.Ref); ok {
			return fmt.Sprintf(" %s is its next version: Kustomize puts a hash of the content into the name.", old)
		}
		for _, t := range in.App().Status.OperationState.Results() {
			n := t.Ref()
			renamed := n.Kind == r.Ref.Kind && n.Group == r.Ref.Group && n.Namespace == r.Ref.Namespace && n.Name != r.Ref.Name &&
				(strings.Contains(n.Name, r.Ref.Name) || strings.Contains(r.Ref.Name, n.Name))
			if renamed && strings.HasSuffix(t.Message, " created") {
				return fmt.Sprintf(" The last sync created %s, so Git most likely renamed it: check that nothing uses the old name.", n)
			}
		}
	}
	return ""
}

// contentHash is what Kustomize's generators put behind the names of ConfigMaps and Secrets.
var contentHash = pattern.MustCompile(`-[2456789bcdfghkmt]{10}$`)

// nextVersion is the ConfigMap or Secret that Kustomize has generated in the place of another: of the same name but for the hash.
func nextVersion(in *diagnose.In, old evidence.Ref) (evidence.Ref, bool) {
	base := contentHash.ReplaceAllString(old.Name, "")
	if base == old.Name || old.Kind != "ConfigMap" && old.Kind != "Secret" {
		return evidence.Ref{}, false
	}
	for _, s := range in.App().Status.Resources {
		r := s.Ref()
		if !s.RequiresPruning && r.Kind == old.Kind && r.Namespace == old.Namespace && r.Name != old.Name && contentHash.ReplaceAllString(r.Name, "") == base {
			return r, true
		}
	}
	return evidence.Ref{}, false
}

func keepsFromPruning(r *resource) bool {
	return strings.Contains(r.Live.Annotation(syncOptions), "Prune=false")
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
