package outofsync

import (
	"fmt"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var Missing = &diagnose.Rule{
	ID:    "drift/missing",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Resource in Git is not in the cluster",
		What:     "Git has the resource and the cluster does not, and no failure explains it: it was never applied, or someone or something deleted it.",
		Decisive: "The resource is Missing or has no live state; the last sync succeeded and had applied it, or there was none.",
		Example:  "Deployment/web: OutOfSync, Missing",
		Fix:      "Find out who deleted it; a sync creates it again.",
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it creates what is missing"},
	Recognises: presence{},
	Check:      checkMissing,
}

func checkMissing(in *diagnose.In) diagnose.Outcome {
	d := look(in)
	if d == nil {
		return diagnose.Nothing
	}
	var list []*resource
	for _, r := range d.gone {
		if !hasTTL(r) {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return diagnose.Nothing
	}
	f := reportMissing(in, list)
	if d.comesWithCommit(in, list) {
		f.Role = diagnose.RoleEffect
	}
	f.Resource, f.Others = refs(list)
	if runs := slices.IndexFunc(list, func(r *resource) bool { return runsOnce(r.Ref) }); runs >= 0 {
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: fmt.Sprintf("it creates %s, which runs as soon as it exists", list[runs].Ref)}
	}
	if !d.compared && len(d.resources) > 0 && f.Sync.Verdict == "" {
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "it creates what is missing, but also changes resources whose differences could not be read"}
	}
	if namespaceGone(in, list) {
		f.Why += fmt.Sprintf(" Nothing of the application is left in namespace %s: the namespace itself may have been deleted.", list[0].Ref.Namespace)
		f.Fix = append([]diagnose.Fix{{Text: "Check whether the namespace still exists", Command: diagnose.Shell("kubectl get namespace %s", list[0].Ref.Namespace)}}, f.Fix...)
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "it creates what is missing, unless the namespace is gone as well: the application does not create it"}
	}
	return diagnose.Found(f)
}

// comesWithCommit: a newer commit waits to be synced and also changes other resources; these were never applied, so they are
// a part of it.
func (d *picture) comesWithCommit(in *diagnose.In, list []*resource) bool {
	waits := slices.ContainsFunc(d.resources, func(r *resource) bool { return len(r.explainedBy(AutosyncOff)) > 0 })
	return waits && gitMoved(in) && !slices.ContainsFunc(list, func(r *resource) bool { return appliedLast(in, r.Ref) || runsOnce(r.Ref) })
}

// namespaceGone: what was applied to one namespace is all missing, and nothing would bring the namespace back.
func namespaceGone(in *diagnose.In, list []*resource) bool {
	namespace := list[0].Ref.Namespace
	if namespace == "" || in.App().HasSyncOption("CreateNamespace=true") || statement.OwnResource(in, "namespace", namespace) != nil {
		return false
	}
	for _, r := range in.App().Status.Resources {
		if r.Namespace == namespace && !r.Hook && (r.Health == nil || r.Health.Status != "Missing") {
			return false
		}
	}
	return appliedLast(in, list[0].Ref)
}

func reportMissing(in *diagnose.In, list []*resource) diagnose.Finding {
	st := in.App().Status
	n := len(list)
	f := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      subjectText(list) + ": missing from the cluster",
		Evidence:   []diagnose.Quote{{From: "status.resources", Text: names(list) + ": OutOfSync, Missing"}},
		Fix:        []diagnose.Fix{{Text: fmt.Sprintf("Sync to create %s", them(n)), Command: syncOnly(in, list)}},
	}
	switch {
	case st.OperationState == nil && len(st.History) == 0:
		f.Confidence = diagnose.Certain
		f.Title = fmt.Sprintf("Never synced, so %s missing", text.Count(n, "resource is", "resources are"))
		f.Why = fmt.Sprintf("%s %s in Git but %s never applied.", subjectText(list), verb(n, "is", "are"), verb(n, "was", "were"))
		f.Fix = []diagnose.Fix{advice.Sync(in, "Sync the application")}
		if in.App().AutoSync() {
			leaveToAutoSync(in, n, &f)
		}
	case appliedLast(in, list[0].Ref):
		f.Confidence = diagnose.Certain
		f.Title = subjectText(list) + ": deleted from the cluster"
		f.Fix[0].Text = "Sync to recreate " + them(n)
		f.Why = fmt.Sprintf("The last sync applied %s, and someone or something has deleted %s since.", them(n), them(n))
		if in.App().AutoSync() && !selfHeals(in) {
			f.Why += fmt.Sprintf(" Auto-sync runs without selfHeal, so it does not recreate %s.", them(n))
		}
		f.Fix = append([]diagnose.Fix{{Text: "Find out who deleted " + them(n) + ": check the cluster's audit log, and its events if it was recent", Command: diagnose.Shell("kubectl %sget events --field-selector involvedObject.name=%s", advice.InNamespace(list[0].Ref), list[0].Ref.Name)}}, f.Fix...)
	case gitMoved(in):
		f.Why = fmt.Sprintf("The last sync was of another commit, so %s new in Git or %s deleted since.", verb(n, "it is", "they are"), verb(n, "was", "were"))
	default:
		f.Why = fmt.Sprintf("Git has %s, and no failed sync explains why %s not in the cluster.", them(n), verb(n, "it is", "they are"))
	}
	return f
}

// startsWithin is what a controller takes at most until auto-sync begins, from the moment that an application was created.
const startsWithin = 10 * time.Minute

// leaveToAutoSync completes the finding about an application that was never synced and that auto-sync is to sync.
func leaveToAutoSync(in *diagnose.In, n int, f *diagnose.Finding) {
	if age := in.Since(in.App().Metadata.CreationTimestamp); age > 0 && age < startsWithin {
		f.Kind = diagnose.KindUnfinished
		f.Title = fmt.Sprintf("Just created, %s not applied yet", text.Count(n, "resource is", "resources are"))
		f.Why += " Auto-sync is about to apply " + them(n) + "."
		f.Fix = []diagnose.Fix{advice.Sync(in, "To apply "+them(n)+" without waiting for auto-sync, sync")}
		return
	}
	f.Why += " Auto-sync is on, but has not started a sync."
	f.Fix = append(f.Fix, advice.ControllerRuns(in), advice.ControllerLog(in))
}

// runsOnce are the kinds that do their work when they are created.
func runsOnce(ref evidence.Ref) bool {
	switch ref.Kind {
	case "Job", "Workflow", "Pod", "PipelineRun", "TaskRun", "SparkApplication":
		return true
	}
	return false
}
