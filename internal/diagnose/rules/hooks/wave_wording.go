package hooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// finding is why the resource is not healthy, and that the sync waits for it.
func (w wait) finding() diagnose.Finding {
	running := w.in.App().Status.OperationState.Running()
	if !running && w.status == "Healthy" {
		return w.recovered(diagnose.Finding{Resource: w.ref, Confidence: diagnose.Certain})
	}
	f := w.explain()
	f.Resource, f.Role = w.ref, diagnose.RoleCause
	f.Kind, f.Sync = diagnose.KindForbidden, diagnose.Advice{}
	if running {
		f.Why = text.Paragraph(fmt.Sprintf("%s waits for %s to become healthy.", text.UpperFirst(w.waiting()), w.ref), f.Why)
	} else {
		f.Kind = diagnose.KindFailure
		f.Why = text.Paragraph(fmt.Sprintf("The sync applied %s and failed because it did not become healthy.", w.ref), f.Why)
		f.Sync = advice.Pointless("it is already applied and has to become healthy first")
	}
	w.thenSync(&f)
	return f
}

// plainTitle says what waits for it where nothing else is known.
func (w wait) plainTitle() string {
	problem := "is " + cmp.Or(w.status, "not healthy")
	if w.status == "Progressing" {
		problem = "is still Progressing"
	}
	if !w.in.App().Status.OperationState.Running() {
		return fmt.Sprintf("%s %s, so the sync failed", w.ref, problem)
	}
	return fmt.Sprintf("%s %s and blocks %s", w.ref, problem, w.waiting())
}

// recovered is the finding about a resource that failed the sync and is healthy by now: a sync goes on where this one stopped.
func (w wait) recovered(f diagnose.Finding) diagnose.Finding {
	f.Kind = diagnose.KindFailure
	f.Title = fmt.Sprintf("%s failed the sync, but is Healthy now", w.ref)
	f.Why = "A resource that is Degraded while a sync waits for it fails the sync at once, even if it only was for a moment, while it started."
	f.OutsideGit = true
	f.Sync = diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it is healthy now"}
	if n, ok := w.nextWave(); ok {
		f.Sync.Why = fmt.Sprintf("it is healthy now, so the sync goes on with wave %d", n)
	}
	f.Fix = []diagnose.Fix{advice.Sync(w.in, "Sync the application")}
	if w.in.App().Status.OperationState.Operation.Retry.Limit == 0 {
		f.Fix = append(f.Fix, diagnose.Fix{Text: "If it happens again, let Argo CD retry: in Git, on the Application", Patch: "spec:\n  syncPolicy:\n    retry:\n      limit: 5\n"})
	}
	if !advice.BuiltIn(w.ref) {
		f.Fix = append(f.Fix, diagnose.Fix{Text: fmt.Sprintf("To get rid of it, let the health check of kind %s report Progressing, not Degraded, while its controller is still at work (resource.customizations of Argo CD)", w.ref.Kind)})
	}
	return f
}

// thenSync adds how the sync goes on once the resource is healthy. A running one does so by itself, but stays on its commit.
func (w wait) thenSync(f *diagnose.Finding) {
	op := w.in.App().Status.OperationState
	after := func(step diagnose.Fix) bool { return strings.HasPrefix(step.Text, "After syncing") }
	last := slices.DeleteFunc(slices.Clone(f.Fix), func(step diagnose.Fix) bool { return !after(step) })
	f.Fix = slices.DeleteFunc(f.Fix, after)
	defer func() { f.Fix = append(f.Fix, last...) }()
	if op.Running() {
		fix, offer := advice.Terminate(w.in, "it is waiting for a resource that does not become healthy")
		fix.Text = "If the fix is in Git, terminate the running operation: it stays on its commit"
		if now := w.in.App().Status.Sync.At(); op.Revision() != "" && now != "" && now != op.Revision() {
			was, is := evidence.Differing(op.Revision(), now)
			fix.Text = fmt.Sprintf("If the fix is in Git, terminate the running operation: it stays on %s, and Git was last compared at %s", text.Revision(was), text.Revision(is))
		}
		if r := w.lacked(); r != nil && w.isNewer(r, w.in.Resource(w.ref)) {
			fix.Text = strings.Replace(fix.Text, "If the fix is in Git, t", "T", 1)
		}
		f.Offers = []diagnose.Action{offer}
		if !w.ref.IsApplication() { // what is wrong with a child is in its own commit
			f.Fix = append(f.Fix, fix, advice.Sync(w.in, "Then sync the application"))
		}
		return
	}
	if slices.ContainsFunc(f.Fix, func(step diagnose.Fix) bool { return strings.HasPrefix(step.Command, "argocd app sync ") }) {
		return
	}
	if w.cause == nil && w.ref.Kind == "Job" && w.ref.Group == "batch" {
		f.Fix = append(f.Fix, diagnose.Fix{
			Text:    "When the cause is fixed, delete the failed Job with its pods and their logs: the sync creates it again",
			Command: diagnose.Shell("kubectl %sdelete %s", advice.InNamespace(w.ref), w.ref.Resource()),
		})
	}
	f.Fix = append(f.Fix, advice.ThenSync(w.in))
}

// waiting is what waits: the next wave that has something to apply, or else the sync.
func (w wait) waiting() string {
	if n, ok := w.nextWave(); ok {
		return fmt.Sprintf("wave %d", n)
	}
	return "the sync"
}

// nextWave is the first wave behind the resource's own that has something to apply.
func (w wait) nextWave() (next int64, ok bool) {
	app := w.in.App()
	awaited := w.in.Resource(w.ref)
	if awaited == nil {
		return 0, false
	}
	for _, r := range app.Status.Resources {
		if !r.Hook && r.Status == "OutOfSync" && r.SyncWave > awaited.SyncWave && (!ok || r.SyncWave < next) {
			next, ok = r.SyncWave, true
		}
	}
	return next, ok
}
