package hooks

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

func (w wait) finding() diagnose.Finding {
	app := w.in.App()
	f := diagnose.Finding{
		Resource: w.ref, Confidence: diagnose.Certain,
		Kind:  diagnose.KindForbidden,
		Title: fmt.Sprintf("%s %s and blocks %s", w.ref, w.problem(), w.waiting()),
		Why:   fmt.Sprintf("Argo CD applies nothing further until it is healthy; the sync has been running for %s.", text.Age(w.since)),
		Fix:   []diagnose.Fix{{Text: "Check the status and events of the " + w.ref.Kind, Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(w.ref), w.ref.Resource())}},
	}
	if !app.Status.OperationState.Running() && w.status == "Healthy" {
		return w.recovered(f)
	}
	why := fmt.Sprintf("It blocks %s.", w.waiting())
	if !app.Status.OperationState.Running() {
		f.Kind = diagnose.KindFailure
		f.Title = fmt.Sprintf("%s %s, so the sync failed", w.ref, w.problem())
		f.Why, why = "The sync applied it and waited for it to become healthy.", ""
		f.Sync = advice.Pointless("it is already applied and has to become healthy first")
	}
	if !w.in.Fits(f.Title) {
		f.Title, f.Why = fmt.Sprintf("%s %s", w.ref, w.problem()), text.Paragraph(why, f.Why)
	}
	if !w.in.Fits(f.Title) { // the name alone is too long
		f.Short = fmt.Sprintf("%s %s", w.ref.Kind, w.problem())
		f.Title, f.Why = fmt.Sprintf("%s %s and blocks %s", w.ref.Kind, w.problem(), w.waiting()), text.Paragraph(fmt.Sprintf("It is %s.", w.ref), strings.TrimPrefix(f.Why, why+" "))
	}
	w.explain(&f)
	w.thenSync(&f)
	return f
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
	if op.Running() {
		fix, offer := advice.Terminate(w.in, "it is waiting for a resource that does not become healthy")
		fix.Text = "If the fix is in Git, terminate the running operation: it stays on its commit"
		if now := w.in.App().Status.Sync.At(); op.Revision() != "" && now != "" && now != op.Revision() {
			was, is := evidence.Differing(op.Revision(), now)
			fix.Text = fmt.Sprintf("If the fix is in Git, terminate the running operation: it stays on %s, and Git was last compared at %s", text.Revision(was), text.Revision(is))
		}
		if w.comesNewer() {
			fix.Text = strings.Replace(fix.Text, "If the fix is in Git, t", "T", 1)
		}
		f.Fix, f.Offers = append(f.Fix, fix, advice.Sync(w.in, "Then sync the application")), []diagnose.Action{offer}
		return
	}
	if w.ref.Kind == "Job" && w.ref.Group == "batch" {
		f.Fix = append(f.Fix, diagnose.Fix{
			Text:    "When the cause is fixed, delete the failed Job with its pods and their logs: the sync creates it again",
			Command: diagnose.Shell("kubectl %sdelete %s", advice.InNamespace(w.ref), w.ref.Resource()),
		})
	}
	f.Fix = append(f.Fix, advice.ThenSync(w.in))
}

// problem is what is wrong with it, for a title.
func (w wait) problem() string {
	switch {
	case w.found != nil && w.ref.Kind == "Job":
		return "failed"
	case w.found != nil:
		if p := podProblem(&w.found.Symptom); p != "" {
			return p
		}
	case w.status == "Suspended":
		return "is paused"
	case w.ref.Kind == "PersistentVolumeClaim" && w.status == "Progressing" && !w.awaitsConsumer():
		return "is not bound"
	case w.noAddress() && w.ref.Kind == "Service" && w.object.At("spec", "externalIPs") != nil:
		return "gets no address"
	case w.noAddress():
		return "has no address"
	case w.awaitsConsumer():
		return "stays unbound until a pod uses it"
	case w.installPlan() != "":
		return "waits for manual approval"
	case pods.LastEvent(w.events, "FailedCreate") != nil:
		return "cannot create its pods"
	case w.silent():
		return "has no status"
	}
	if w.status == "Progressing" {
		return "is still Progressing"
	}
	return "is " + cmp.Or(w.status, "not healthy")
}

// podProblem is what is wrong with a pod, in a few words about its owner; empty where nothing short says it.
func podProblem(s *pods.Symptom) string {
	switch s.Trouble {
	case pods.ImagePull:
		return "cannot pull its image"
	case pods.ConfigMissing:
		if kind, name, key, ok := pods.Missing(s.Text); ok && name != "" {
			if key != "" {
				return fmt.Sprintf("is missing key %s in %s/%s", key, kind, name)
			}
			return fmt.Sprintf("is missing %s/%s", kind, name)
		}
	case pods.OutOfMemory:
		return "runs out of memory"
	case pods.KilledByProbe:
		return "fails its probe"
	case pods.Crash:
		return "keeps crashing"
	case pods.NotCreated:
		return "has a container that cannot start"
	case pods.Sandbox:
		return "has a pod without a network"
	case pods.Evicted:
		return "has an evicted pod"
	case pods.NodeDown:
		return "waits for a node that is down"
	case pods.Unscheduled:
		return "cannot be scheduled"
	case pods.VolumePending:
		return "has no volume yet"
	case pods.NotReady:
		return "is not ready"
	case pods.Leaving:
		return "has a pod stuck in deletion"
	case pods.NoTrouble:
	}
	return ""
}

// podSteps are the steps that help its pod.
func podSteps(in *diagnose.In, r *unhealthy.Resource) []diagnose.Fix {
	look := r.Describe("Check the status and events of its pod")
	switch s := &r.Symptom; s.Trouble {
	case pods.ImagePull:
		return []diagnose.Fix{pullStep(in, s.Text, cmp.Or(imageNamed(s.Text), pods.ImageOf(r.Object, s.Container)), r.Object.Text("spec", "nodeName")), look}
	case pods.ConfigMissing:
		if kind, name, key, ok := pods.Missing(s.Text); ok && name != "" && key == "" {
			return append(advice.Steps(fmt.Sprintf("Create the missing %s, or correct its name in the %s", kind, r.Ref.Kind)), look)
		}
	case pods.Crash:
		steps := runOf(in, r).wayOut(in)
		for i := range steps { // it is no hook
			steps[i].Text = strings.ReplaceAll(steps[i].Text, "the hook", "the "+r.Ref.Kind)
		}
		return append(steps, r.ReadLog())
	case pods.OutOfMemory:
		now := ""
		if limit := pods.ContainerSpec(r.Object, s.Container).Text("resources", "limits", "memory"); limit != "" {
			now = fmt.Sprintf(" (now %s)", limit)
		}
		return []diagnose.Fix{{Text: fmt.Sprintf("In Git, raise the memory limit of its container%s, or make it use less", now)}, look}
	case pods.NotReady:
		return []diagnose.Fix{r.ReadLog(), look}
	case pods.NoTrouble, pods.Leaving, pods.KilledByProbe, pods.Unscheduled, pods.VolumePending,
		pods.NotCreated, pods.Sandbox, pods.Evicted, pods.NodeDown:
	}
	return []diagnose.Fix{look}
}

// runOf is a resource of a wave as a hook: what its log says has the same remedies.
func runOf(in *diagnose.In, r *unhealthy.Resource) *run {
	return &run{ref: r.Ref, podNode: r.Pod, pod: r.Object, log: r.Log, events: r.Events, fits: in.Fits}
}

// podSays is what a pod's log or Kubernetes says about it, without what the title says in other words.
func podSays(r *unhealthy.Resource) diagnose.Said {
	if line, names := message.Telling(r.Log.Text); names {
		return diagnose.Said{Who: "Its log says", Text: message.Plain(line)}
	}
	if line := r.Awaits(); line != "" {
		return diagnose.Said{Who: "Its log says", Text: line}
	}
	said, _, _ := strings.Cut(pods.Unwrap(r.Symptom.Text), " preemption: ") // it repeats the reasons
	if said == "" || strings.HasPrefix(strings.ToLower(said), "back-off") {
		return diagnose.Said{}
	}
	return diagnose.Said{Who: "Kubernetes says", Text: said}
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
