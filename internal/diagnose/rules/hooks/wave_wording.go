package hooks

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// wait is what a sync waits for, or waited for in vain.
type wait struct {
	in  *diagnose.In
	ref evidence.Ref
	// status is its health in one word, health what Argo CD says about it.
	status, health string
	// found is its worst pod, nil if no pod says anything.
	found *unhealthy.Resource
	since time.Duration
}

func (w wait) finding() diagnose.Finding {
	f := diagnose.Finding{
		Resource: w.ref, Confidence: diagnose.Certain,
		Kind:  diagnose.KindForbidden,
		Title: fmt.Sprintf("%s %s and blocks %s", w.ref, w.problem(), w.waiting()),
		Why:   fmt.Sprintf("Argo CD applies nothing further until it is healthy; the sync has been running for %s.", text.Age(w.since)),
		Fix:   []diagnose.Fix{{Text: "Check the status and events of the " + w.ref.Kind, Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(w.ref), w.ref.Resource())}},
	}
	if !w.in.App().Status.OperationState.Running() {
		f.Kind = diagnose.KindFailure
		f.Title = fmt.Sprintf("%s %s, so the sync failed", w.ref, w.problem())
		f.Why = "The sync applied it and waited for it to become healthy."
		f.Sync = advice.Pointless("it is already applied and has to become healthy first")
	}
	switch {
	case w.found != nil:
		f.Says = podSays(w.found)
		f.Evidence = w.found.Quotes()
		f.Fix = podSteps(w.found)
	case w.status == "Suspended":
		f.Why += " Someone has to resume it."
		if w.ref.Kind == "Rollout" {
			f.Why = strings.Replace(f.Why, "Someone has to resume it.", "The Rollout is waiting for manual promotion.", 1)
			f.Fix[0] = diagnose.Fix{Text: "Promote the Rollout, or abort it", Command: diagnose.Shell("kubectl argo rollouts promote %s%s", w.ref.Name, advice.NamespaceFlag(w.ref))}
		}
	case w.health != "":
		f.Says = diagnose.Said{Who: "Argo CD says", Text: w.health}
		f.Evidence = append(f.Evidence, diagnose.Quote{From: w.ref.String(), Text: w.health})
	case !advice.BuiltIn(w.ref):
		f.Confidence = diagnose.Likely
		f.Why += fmt.Sprintf(" Argo CD relies on the health check for kind %s; if that never reports Healthy, the sync waits forever.", w.ref.Kind)
		f.Fix = append(f.Fix, diagnose.Fix{Text: "If the object is fine, correct the health check of its kind in argocd-cm", Patch: advice.HealthCheck(w.ref, "read obj.status here")})
	}
	return f
}

// problem is what is wrong with it, for a title.
func (w wait) problem() string {
	switch {
	case w.found != nil:
		if p := podProblem(&w.found.Symptom); p != "" {
			return p
		}
	case w.status == "Suspended":
		return "is paused"
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
func podSteps(r *unhealthy.Resource) []diagnose.Fix {
	look := r.Describe("Check the status and events of its pod")
	switch s := &r.Symptom; s.Trouble {
	case pods.ImagePull:
		return []diagnose.Fix{pullStep(s.Text), look}
	case pods.ConfigMissing:
		if kind, name, key, ok := pods.Missing(s.Text); ok && name != "" && key == "" {
			return append(advice.Steps(fmt.Sprintf("Create the missing %s, or correct its name in the %s", kind, r.Ref.Kind)), look)
		}
	case pods.Crash:
		return []diagnose.Fix{r.ReadLog()}
	case pods.NoTrouble, pods.Leaving, pods.OutOfMemory, pods.KilledByProbe, pods.Unscheduled, pods.VolumePending, pods.NotReady:
	}
	return []diagnose.Fix{look}
}

// podSays is what Kubernetes says about a pod, without what the title says in other words.
func podSays(r *unhealthy.Resource) diagnose.Said {
	said := pods.Unwrap(r.Symptom.Text)
	if said == "" || strings.HasPrefix(strings.ToLower(said), "back-off") {
		return diagnose.Said{}
	}
	return diagnose.Said{Who: "Kubernetes says", Text: said}
}

// waiting is what waits: the next wave that has something to apply, or else the sync.
func (w wait) waiting() string {
	app := w.in.App()
	awaited := w.in.Resource(w.ref)
	if awaited == nil {
		return "the sync"
	}
	next, ok := int64(0), false
	for _, r := range app.Status.Resources {
		if !r.Hook && r.Status == "OutOfSync" && r.SyncWave > awaited.SyncWave && (!ok || r.SyncWave < next) {
			next, ok = r.SyncWave, true
		}
	}
	if !ok {
		return "the sync"
	}
	return fmt.Sprintf("wave %d", next)
}
