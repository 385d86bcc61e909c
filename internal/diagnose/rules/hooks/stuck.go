package hooks

import (
	"cmp"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/text"
)

var Stuck = &diagnose.Rule{
	ID:          "hook/stuck",
	Needs:       needs,
	ExplainedBy: diagnose.SymptomOf(ImagePull, DependencyMissing, Ordering, SidecarNeverExits, TTLDeleted, DeletionStuck, JobFailed, DeadlineExceeded),
	Doc: diagnose.Doc{
		Title:    "The sync waits for a hook that does not end",
		What:     "The operation waits for a hook to complete, and it does not: it hangs, its pod cannot be scheduled, or it is of a kind that never completes. Argo CD has no time-out of its own for it.",
		Decisive: "The operation has been waiting for the hook for more than five minutes and for longer than its deadline (or its pod says what it waits for), and none of the more precise hook rules applies. After one minute it is a note.",
		Example:  "waiting for completion of hook batch/Job/migrate",
		Fix:      "Look at what the hook is doing; terminate the operation; give the Job activeDeadlineSeconds.",
	},
	Sync: advice.Blocked("the operation waits for the hook; terminate it first"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		since := in.RunningFor()
		w, waits := pods.WaitOf(h.podNode, h.pod, h.events)
		if h.failed || since < time.Minute {
			return diagnose.Finding{}, false
		}
		limit, bounded := h.deadline()
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(waits || since > time.Hour), // a long migration looks the same for a while
			Title:      fmt.Sprintf("the sync has been waiting for %s %s for %s", h.phaseName(), h.ref, text.Age(since)),
			Why:        fmt.Sprintf("The operation waits for %s to complete, for %s now.%s", h.ref, text.Age(since), h.activityText(w, waits)),
			Fix:        []diagnose.Fix{h.readLog()},
		}
		if h.ref.Kind == "Job" {
			f.Fix[0].Text = "See what it is doing"
		}
		if waits {
			f.Evidence = append(f.Evidence, diagnose.Quote{From: w.From, Text: w.Short()})
			f.Fix[0] = diagnose.Fix{Text: "See what it waits for", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(h.ref), cmp.Or(h.podName(), h.ref.Resource()))}
		}
		atWork := !waits && (since < hookThreshold || bounded && since < time.Duration(limit)*time.Second)
		if !atWork {
			fix, offer := advice.Terminate(in, "the hook it waits for does not end")
			f.Fix = append(f.Fix, fix)
			f.Offers = []diagnose.Action{offer}
		} else {
			// It may just be at work: worth saying what the sync waits for, no cause yet.
			f.Role, f.Confidence = diagnose.RoleNote, diagnose.Possible
		}
		if h.ref.Kind == "Job" && h.job != nil && !bounded {
			f.Why += " The Job has no activeDeadlineSeconds, so that nothing ever ends it."
			f.Fix = append(f.Fix, diagnose.Fix{Text: "Give it a deadline, so that the next sync fails instead of hanging", Patch: "spec:\n  activeDeadlineSeconds: 600\n"})
		}
		return f, true
	}),
}

// activityText says what the hook is doing, as far as it can be seen.
func (h *run) activityText(w pods.Wait, waits bool) string {
	switch {
	case waits && h.podNode != nil:
		return fmt.Sprintf(" Pod/%s waits: %s", h.podNode.Name, text.Sentence(w.Short()))
	case h.podNode != nil:
		return fmt.Sprintf(" Pod/%s is running and says nothing of an error.", h.podNode.Name)
	}
	if e := pods.LastWarning(h.events); e != nil {
		return " " + text.Sentence(e.Message)
	}
	if len(h.events) > 0 {
		return " " + text.Sentence(h.events[len(h.events)-1].Message)
	}
	if h.ref.Kind != "Job" && h.ref.Kind != "Pod" && h.ref.Kind != "Workflow" {
		return fmt.Sprintf(" A %s completes only when Argo CD finds it healthy.", h.ref.Kind)
	}
	return ""
}

func (h *run) podName() string {
	if h.podNode == nil {
		return ""
	}
	return h.podNode.Ref().Resource()
}
