package hooks

import (
	"cmp"
	"fmt"
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
		if at, done := h.completed(in); done {
			return h.unnoticed(in, at), true
		}
		if suspended, _ := h.job.At("spec", "suspend").(bool); suspended && h.ref.Kind == "Job" {
			return h.suspended(in), true
		}
		if h.tells() || h.cause != nil && (waits || h.podNode == nil && h.cause.Confidence == diagnose.Certain) {
			return h.endless(h.withRetry(in, h.unclaimed(h.taken(in)))), true
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
			if since >= hookThreshold {
				f = overdue(in, f)
				f.Why = text.Paragraph(f.Why, fmt.Sprintf("Its activeDeadlineSeconds ends it after %s.", text.Duration(time.Duration(limit)*time.Second)))
			}
		}
		f = h.endless(f)
		if f.Why == "" && said.Text == "" {
			f.Why = "The sync is waiting for it and has no time-out of its own."
		}
		return f, true
	}),
}

// endless says of a Job without a deadline that nothing ends it.
func (h *run) endless(f diagnose.Finding) diagnose.Finding {
	if _, bounded := h.deadline(); bounded || h.ref.Kind != "Job" || h.job == nil {
		return f
	}
	f.Why = text.Paragraph(f.Why, "The Job has no activeDeadlineSeconds, so nothing ever stops it.")
	f.Fix = append(f.Fix, diagnose.Fix{Text: "In Git, give the Job a deadline, so the next sync fails instead of hanging", Patch: "spec:\n  activeDeadlineSeconds: 600\n"})
	return f
}

// noticedWithin is how long Argo CD may take to notice that a Job is complete.
const noticedWithin = 2 * time.Minute

// completed is since when the hook's Job has been complete, long enough for Argo CD to have noticed.
func (h *run) completed(in *diagnose.In) (since time.Duration, ok bool) {
	c := h.job.Condition("Complete")
	if h.ref.Kind != "Job" || c.Text("status") != "True" || h.job.Text("metadata", "deletionTimestamp") != "" {
		return 0, false
	}
	since = in.Since(c.Time("lastTransitionTime"))
	return since, since >= noticedWithin
}

// unnoticed is the finding about a Job that is complete while Argo CD goes on waiting for it.
func (h *run) unnoticed(in *diagnose.In, since time.Duration) diagnose.Finding {
	fix, offer := advice.Terminate(in, "the hook it waits for is complete")
	fix.Text = "If that does not help, terminate the running operation"
	title, named := h.titled("is complete, but Argo CD still waits for it")
	return diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      title,
		Why:        text.Paragraph(named, fmt.Sprintf("The Job completed %s ago. Usually the application controller is overloaded, or lost track of what changes in the cluster.", text.Age(since))),
		Evidence:   []diagnose.Quote{{From: h.ref.String(), Text: "condition Complete: True"}},
		Offers:     []diagnose.Action{offer},
		OutsideGit: true,
		Fix: []diagnose.Fix{
			advice.Refresh(in, "Let Argo CD look again"),
			fix,
			advice.Sync(in, "Then sync the application: the hook runs again"),
			{Text: "If it happens again, check the application controller: its load, restarts and log", Command: diagnose.Shell("kubectl -n %s get pods -l %s", advice.ArgoNamespace(in), diagnose.Raw(advice.ArgoPods(in, "application-controller")))},
		},
	}
}

// suspended is the finding about a Job that is not to run.
func (h *run) suspended(in *diagnose.In) diagnose.Finding {
	fix, offer := advice.Terminate(in, "it is waiting for a hook that is suspended")
	fix.Text = "Or terminate the running operation"
	title, named := h.titled("is suspended")
	return diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      title,
		Why:        text.Paragraph(named, "Its spec.suspend is true, so Kubernetes starts no pod for it until that changes. It is set in Git, or by a queue such as Kueue that admits the Job later."),
		Evidence:   []diagnose.Quote{{From: h.ref.String(), Text: "spec.suspend: true"}},
		Offers:     []diagnose.Action{offer},
		Fix: []diagnose.Fix{
			{Text: "If a queue holds it, its events and labels name the queue", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(h.ref), h.ref.Resource())},
			{Text: "If suspend is set in Git, remove it there"},
			fix,
		},
	}
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
		return "has no volume yet"
	case pods.Unscheduled:
		return "cannot be scheduled"
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
		pod := "Its pod"
		if name := h.initRunning(); name != "" {
			pod = "Its init container " + name
		}
		switch {
		case names:
			return text.Paragraph(doing, pod+" is running."), diagnose.Said{Who: "Its log says", Text: line}
		case line != "":
			return text.Paragraph(doing, pod+" is running. Its log ends with:", text.Sentence(line)), said
		}
		return text.Paragraph(doing, pod+" is running."), said
	}
	if e := pods.LastWarning(h.events); e != nil {
		return doing, diagnose.Said{Who: "Kubernetes says", Text: pods.CreateRefusal(e)}
	}
	if len(h.events) > 0 {
		return doing, diagnose.Said{Who: "Kubernetes says", Text: h.events[len(h.events)-1].Message}
	}
	return doing, said
}

// initRunning is the init container that runs, so that the hook itself has not started; empty where none does.
func (h *run) initRunning() string {
	for _, c := range h.pod.List("status", "initContainerStatuses") {
		if c.At("state", "running") != nil && pods.ContainerSpec(h.pod, c.Text("name")).Text("restartPolicy") != "Always" {
			return c.Text("name")
		}
	}
	return ""
}
