package hooks

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/text"
)

// explainAwaited is about a pod that waits for something that is done once, which Argo CD may do only afterwards.
func (w wait) explainAwaited(f *diagnose.Finding) {
	if w.seen == nil {
		return
	}
	said := ""
	switch {
	case w.awaitsJob():
		f.Why = text.Paragraph(f.Why, "It waits for a Job to do its work. If that Job is a PostSync hook, or one of Helm's post-install and post-upgrade hooks, the two wait for each other: Argo CD runs it only after everything else is healthy.")
		said = "If so, run that Job in the Sync phase: annotate it in Git, for a chart in its values"
	case w.seen.AwaitsFirstStart():
		f.Why = text.Paragraph(f.Why, "If what it waits for is done by a PostSync hook, or by one of Helm's post-install and post-upgrade hooks, the two wait for each other: Argo CD runs those only after everything else is healthy.")
		said = "If a hook is to do it, run that hook in the Sync phase: annotate it in Git, for a chart in its values"
	default:
		return
	}
	own := len(w.seen.AskedFor()) // what the log asks for comes first
	f.Fix = slices.Insert(f.Fix, min(own, len(f.Fix)), diagnose.Fix{
		Text:  said,
		Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/hook: Sync\n    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation\n",
	})
}

// awaitsJob reports whether an init container of the pod waits for what a Job does: it does not find the Job, or the migrations.
func (w wait) awaitsJob() bool {
	s := w.seen.Symptom
	if !s.Init {
		return false
	}
	line, _ := message.Telling(w.seen.Log.Text)
	kind, _, _, ok := pods.Missing(line)
	return ok && strings.HasPrefix(kind, "job") || message.HasAny(strings.ToLower(line+" "+s.Container), "unapplied migrations", "wait-for-migration", "wait-for-airflow-migrations", "check-db-migrations")
}
