package outofsync

import (
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

var Missing = &diagnose.Rule{
	ID:    "drift/missing",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A resource of Git is not in the cluster",
		What:     "Git has the resource and the cluster has not, and no failure explains it: it was never applied, or somebody or something deleted it.",
		Decisive: "The resource is Missing or has no live state; the last sync, which succeeded, had applied it, or there was none.",
		Example:  "Deployment/web: OutOfSync, Missing",
		Fix:      "Find out who deleted it; sync creates it again.",
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
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: fmt.Sprintf("it creates %s, and so runs it again", list[runs].Ref)}
	}
	if !d.compared && len(d.resources) > 0 && f.Sync.Verdict == "" {
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "it creates what is missing, and changes resources whose differences could not be read"}
	}
	if namespaceGone(in, list) {
		f.Why += fmt.Sprintf(" Nothing of it is left in namespace %s: the namespace itself may have been deleted.", list[0].Ref.Namespace)
		f.Fix = append([]diagnose.Fix{{Text: "See whether the namespace is still there", Command: diagnose.Shell("kubectl get namespace %s", list[0].Ref.Namespace)}}, f.Fix...)
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "it creates what is missing, unless the namespace is gone, too: the application does not create it"}
	}
	return diagnose.Found(f)
}

// comesWithCommit: a newer commit waits to be synced and changes other resources, too; these were never applied, so they are
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
	them := "it"
	if len(list) > 1 {
		them = "them"
	}
	f := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      fmt.Sprintf("%s in Git and not in the cluster", subjectWithVerb(list, "is", "are")),
		Evidence:   []diagnose.Quote{{From: "status.resources", Text: names(list) + ": OutOfSync, Missing"}},
		Fix:        []diagnose.Fix{{Text: "Create " + them, Command: syncOnly(in, list)}},
	}
	switch {
	case st.OperationState == nil && len(st.History) == 0:
		f.Confidence = diagnose.Certain
		f.Title = fmt.Sprintf("the application was never synced: %s not in the cluster", subjectWithVerb(list, "is", "are"))
		f.Why = fmt.Sprintf("No sync of this application has ever run. %s in Git and not applied yet.", subjectWithVerb(list, "is", "are"))
		f.Fix = []diagnose.Fix{advice.Sync(in, "Sync")}
	case appliedLast(in, list[0].Ref):
		f.Confidence = diagnose.Certain
		f.Title = fmt.Sprintf("%s deleted from the cluster", subjectWithVerb(list, "was", "were"))
		f.Why = fmt.Sprintf("The last sync applied %s, and the cluster has %s no more: somebody or something deleted %s since.", subjectText(list), them, them)
		f.Fix = append([]diagnose.Fix{{Text: "Find out who deleted " + them + " (the audit log of the cluster knows; its events may)", Command: diagnose.Shell("kubectl %sget events --field-selector involvedObject.name=%s", advice.InNamespace(list[0].Ref), list[0].Ref.Name)}}, f.Fix...)
	case gitMoved(in):
		f.Why = fmt.Sprintf("%s not in the cluster, and the last sync was of another commit: new in Git, or deleted since.", subjectWithVerb(list, "is", "are"))
	default:
		f.Why = fmt.Sprintf("Git has %s and the cluster has not. No failure explains it.", subjectText(list))
	}
	return f
}

// runsOnce are the kinds that do their work when they are created.
func runsOnce(ref evidence.Ref) bool {
	switch ref.Kind {
	case "Job", "Workflow", "Pod", "PipelineRun", "TaskRun", "SparkApplication":
		return true
	}
	return false
}
