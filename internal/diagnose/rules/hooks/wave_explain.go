package hooks

import (
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// explain is what is wrong with the resource, as the rules about health say it of any, and what the order of the sync has to do with it.
func (w wait) explain() diagnose.Finding {
	switch {
	case evidence.HasPrivate(w.ref.Name):
		return diagnose.Finding{Title: w.plainTitle(), Why: advice.PrivateChild, Fix: []diagnose.Fix{advice.AskOwner}, Confidence: diagnose.Certain}
	case w.cause == nil:
		return w.unexplained()
	}
	f := *w.cause
	if w.awaitsConsumer() {
		w.explainClaim(&f)
		return f
	}
	if r, key := w.laterKey(); r != nil {
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("In Git, %s has %s, but it is only in wave %d, so the two wait for each other.", r.Ref(), key, r.SyncWave))
		f.Fix = []diagnose.Fix{w.earlier(r), w.seen.ReadLog()}
		return f
	}
	if w.cause.Confidence != diagnose.Certain && !advice.BuiltIn(w.ref) {
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("If Argo CD's health check for kind %s never reports Healthy, the sync waits forever.", w.ref.Kind))
		f.Fix = append(f.Fix, advice.HealthCheck(w.in, "If the object is fine, correct the health check of its kind", w.ref, "read obj.status here"))
	}
	if w.ref.Kind == "Service" && w.ref.Group == "" {
		f.Why = text.Paragraph(f.Why, "Argo CD counts a Service of type LoadBalancer as healthy only once it has an address.")
	}
	w.explainAwaited(&f)
	w.explainOrder(&f)
	return f
}

// unexplained is about a resource of which nothing but its health is known.
func (w wait) unexplained() diagnose.Finding {
	f := diagnose.Finding{
		Title: w.plainTitle(), Confidence: diagnose.Certain,
		Fix: []diagnose.Fix{{Text: "Check the status and events of the " + w.ref.Kind, Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(w.ref), w.ref.Resource())}},
	}
	if w.health != "" {
		f.Says = diagnose.Said{Who: "Argo CD says", Text: w.health}
		f.Evidence = []diagnose.Quote{{From: w.ref.String(), Text: w.health}}
	}
	if w.health == "" && !advice.BuiltIn(w.ref) {
		f.Confidence = diagnose.Likely
		f.Why = fmt.Sprintf("Argo CD relies on the health check for kind %s; if that never reports Healthy, the sync waits forever.", w.ref.Kind)
		f.Fix = append(f.Fix, advice.HealthCheck(w.in, "If the object is fine, correct the health check of its kind", w.ref, "read obj.status here"))
	}
	return f
}

// explainOrder is about a resource that lacks, by the words of Kubernetes, what only a newer commit or a later wave brings.
func (w wait) explainOrder(f *diagnose.Finding) {
	r, own := w.lacked(), w.in.Resource(w.ref)
	switch {
	case r == nil || own == nil:
	case w.isNewer(r, own):
		_, newer := evidence.Differing(w.in.App().Status.OperationState.Revision(), w.in.App().Status.Sync.At())
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("The running sync has not applied %s, and stays on its commit; it comes with %s, which Git has since.", r.Ref(), text.Revision(newer)))
		f.Fix = nil // made by hand, it would be in the way
	case r.SyncWave > own.SyncWave:
		f.Why = text.Paragraph(f.Why, "So the two wait for each other.")
	}
}

// earlier is the step that brings what the resource lacks before it.
func (w wait) earlier(r *evidence.ResourceStatus) diagnose.Fix {
	return diagnose.Fix{Text: fmt.Sprintf("In Git, apply the %s before the %s", r.Kind, w.ref.Kind), Patch: waveOf(r.Ref(), w.in.Resource(w.ref).SyncWave-1)}
}

// explainClaim is about a claim that waits for the first pod, which the sync applies only when the claim is bound.
func (w wait) explainClaim(f *diagnose.Finding) {
	if next, ok := w.nextWave(); ok {
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("No pod does yet: what uses it is probably in wave %d.", next))
		f.Fix = slices.Replace(f.Fix, 0, 1, diagnose.Fix{Text: "In Git, put the claim into the wave of the workload that uses it", Patch: waveOf(w.ref, next)})
		return
	}
	f.Why = text.Paragraph(f.Why, "If its first user is a PostSync hook or starts later, like a CronJob, the two wait for each other: Argo CD goes on only when the claim is bound.")
	f.Fix = slices.DeleteFunc(f.Fix, listsClasses)
	f.Fix = slices.Replace(f.Fix, 0, 1, []diagnose.Fix{
		{Text: "If a PostSync hook uses it, run that hook in the Sync phase, in Git", Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/hook: Sync\n    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation\n"},
		{Text: "If no pod uses it until later, use a storage class that binds at once (volumeBindingMode: Immediate); these show theirs", Command: "kubectl get storageclass"},
	}...)
}

// waveOf is the annotation that puts a resource into a wave.
func waveOf(ref evidence.Ref, n int64) string {
	return fmt.Sprintf("# on %s\nmetadata:\n  annotations:\n    argocd.argoproj.io/sync-wave: \"%d\"\n", ref, n)
}
