package hooks

import (
	"cmp"
	"slices"
	"strings"
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
		Title:    "Hook does not finish",
		What:     "The operation waits for a hook that does not complete: it hangs, its pod cannot be scheduled, or its kind never completes. Argo CD has no time-out of its own for hooks.",
		Decisive: "The operation has been waiting for the hook for more than five minutes and longer than the hook's deadline (or its pod says what it waits for), and no other hook rule says more. After one minute it is a note.",
		Example:  "waiting for completion of hook batch/Job/migrate",
		Fix:      "Check what the hook is doing, terminate the operation, and give the Job activeDeadlineSeconds.",
	},
	Sync: advice.Blocked("the running sync is waiting for the hook; terminate it first"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		since := in.RunningFor()
		w, waits := pods.WaitOf(h.podNode, h.pod, h.events)
		if h.failed || since < time.Minute {
			return diagnose.Finding{}, false
		}
		limit, bounded := h.deadline()
		title, named := h.titled(cmp.Or(h.hindrance(), "has not finished after "+text.Age(since)))
		doing, said := h.activity(w, waits)
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(waits || since > time.Hour), // a long migration looks the same for a while
			Title:      title,
			Why:        text.Paragraph(named, doing),
			Says:       said,
			Fix:        []diagnose.Fix{h.readLogStep()},
		}
		switch {
		case h.podNode == nil:
			f.Fix[0] = h.describe("Check its status and events")
		case h.ref.Kind == "Job":
			f.Fix[0].Text = "Check its log to see what it is doing"
		}
		f.Why = text.Paragraph(h.peer(in), f.Why, h.stumbleMeans())
		f.Fix = slices.Concat(h.wayOut(in), f.Fix)
		if waits {
			quote := pods.Symptom{Reason: w.Reason, Text: w.Text}
			f.Evidence = append(f.Evidence, diagnose.Quote{From: w.From, Text: quote.Quote()})
			f.Fix = append(h.fitIn(), h.describe("Check the events of its pod"))
		}
		atWork := !waits && (since < hookThreshold || bounded && since < time.Duration(limit)*time.Second)
		if !atWork {
			fix, offer := advice.Terminate(in, "the hook it waits for does not finish")
			f.Fix = append(f.Fix, fix)
			f.Offers = []diagnose.Action{offer}
		} else {
			// It may just be at work: worth a note about what the sync waits for, but no cause yet.
			f.Role, f.Confidence = diagnose.RoleNote, diagnose.Possible
		}
		if strings.Contains(strings.ToLower(said.Text), "waiting for first consumer") {
			f.Fix = slices.Insert(f.Fix, 0, advice.Steps("In Git, remove the hook annotation from the claim: it stays unbound until a pod uses it")...)
		}
		if h.ref.Kind == "Job" && h.job != nil && !bounded {
			f.Why = text.Paragraph(f.Why, "The Job has no activeDeadlineSeconds, so nothing ever stops it.")
			f.Fix = append(f.Fix, diagnose.Fix{Text: "In Git, give the Job a deadline, so the next sync fails instead of hanging", Patch: "spec:\n  activeDeadlineSeconds: 600\n"})
		}
		if f.Why == "" && said.Text == "" {
			f.Why = "The sync is waiting for it and has no time-out of its own."
		}
		return f, true
	}),
}

// hindrance is what keeps its pod from starting, for a title; empty where it runs or nothing short says it.
func (h *run) hindrance() string {
	if h.podNode == nil {
		if e := pods.LastEvent(h.events, "FailedCreate"); e != nil {
			return "cannot create its pod"
		}
		return ""
	}
	switch s := pods.Read(h.podNode, h.pod, h.events); s.Trouble {
	case pods.VolumePending:
		if strings.HasPrefix(s.Reason, "Failed") && s.Reason != "FailedScheduling" {
			return "cannot mount a volume"
		}
		return podProblem(&s)
	case pods.Unscheduled:
		return podProblem(&s)
	default:
		switch s.Reason {
		case "FailedCreatePodSandBox":
			return "cannot get a network for its pod"
		case "CreateContainerError", "RunContainerError":
			return "cannot start its container"
		}
		return ""
	}
}

// fitIn is the step for a pod that no node takes.
func (h *run) fitIn() []diagnose.Fix {
	if s := pods.Read(h.podNode, h.pod, h.events); s.Trouble != pods.Unscheduled {
		return nil
	}
	return []diagnose.Fix{{Text: "Free or add capacity that fits its pod, or change the hook's requests, node selector or tolerations in Git"}}
}

// activity is what the hook is doing, as far as it can be seen: in our words, or in those of Kubernetes.
func (h *run) activity(w pods.Wait, waits bool) (doing string, said diagnose.Said) {
	if h.ref.Kind != "Job" && h.ref.Kind != "Pod" && h.ref.Kind != "Workflow" {
		doing = "A hook of this kind finishes only when Argo CD considers it healthy."
	}
	switch {
	case waits && h.podNode != nil:
		answer, _, _ := strings.Cut(pods.Unwrap(w.Text), " preemption: ") // it repeats the reasons
		if answer == "" {
			answer = w.Reason
		}
		return text.Paragraph(doing, "Its pod has not started."), diagnose.Said{Who: "Kubernetes says", Text: answer}
	case h.podNode != nil:
		line, names := h.lastWords()
		switch {
		case names:
			return text.Paragraph(doing, "Its pod is running."), diagnose.Said{Who: "Its log says", Text: line}
		case line != "":
			return text.Paragraph(doing, "Its pod is running, and its log names no error. It ends with:", text.Sentence(line)), said
		}
		return text.Paragraph(doing, "Its pod is running."), said
	}
	if e := pods.LastWarning(h.events); e != nil {
		return doing, diagnose.Said{Who: "Kubernetes says", Text: pods.CreateRefusal(e)}
	}
	if len(h.events) > 0 {
		return doing, diagnose.Said{Who: "Kubernetes says", Text: h.events[len(h.events)-1].Message}
	}
	return doing, said
}
