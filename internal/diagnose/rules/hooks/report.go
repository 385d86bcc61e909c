package hooks

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

// reporting is a check of the picture of the hook that the sync stopped at.
func reporting(report func(in *diagnose.In, h *run) (diagnose.Finding, bool)) func(*diagnose.In) diagnose.Outcome {
	return func(in *diagnose.In) diagnose.Outcome {
		h := look(in)
		if h == nil {
			return diagnose.Nothing
		}
		f, ok := report(in, h)
		switch {
		case ok:
			f.Resource = h.ref
			return diagnose.Found(f.On(h.statement(in)))
		case h.unread:
			return diagnose.Unknown
		}
		return diagnose.Nothing
	}
}

// phaseAndWave is the hook's phase and, where it has one, its wave.
func (h *run) phaseAndWave() string {
	if wave := h.job.Annotation("argocd.argoproj.io/sync-wave"); wave != "" {
		return cmp.Or(h.task.HookType, "hook") + ", wave " + wave
	}
	return cmp.Or(h.task.HookType, "hook")
}

// statement is what Argo CD says about the hook.
func (h *run) statement(in *diagnose.In) *diagnose.Statement {
	all := in.Statements()
	for i := range all {
		if all[i].Result != nil && all[i].Resource.Same(h.ref) {
			return &all[i]
		}
	}
	for i := range all {
		if all[i].From == "operation" && strings.Contains(all[i].Failure.Text, h.ref.Name) {
			return &all[i]
		}
	}
	s := diagnose.Derive(pods.MaxControllers, "sync result of "+h.ref.String(), cmp.Or(h.task.Message, h.task.HookPhase), h.ref)
	return &s
}

// isGone: somebody, or something, has deleted the hook's object since.
func (h *run) isGone() bool { return h.inTree && h.node == nil }

// deleteJob is the step and the action that remove a hook's old Job: none where it is gone. Only a Job that ended may be deleted.
func (h *run) deleteJob(why string) ([]diagnose.Fix, []diagnose.Action) {
	if h.isGone() {
		return nil, nil
	}
	fix := diagnose.Fix{Text: "Delete the old Job" + h.policyNote(), Command: diagnose.Shell("kubectl %sdelete %s", advice.InNamespace(h.ref), h.ref.Resource())}
	if h.ref.Kind != "Job" {
		fix.Text = "Delete the old " + h.ref.Kind + h.policyNote()
		return []diagnose.Fix{fix}, nil
	}
	return []diagnose.Fix{fix}, []diagnose.Action{{ID: diagnose.ActionDeleteHookJob, Label: "Delete failed " + h.ref.String(), Target: h.ref, Why: why}}
}

// policyNote says what the hook's delete policy does with it; it matters whether a person has to.
func (h *run) policyNote() string {
	policy := h.job.Annotation("argocd.argoproj.io/hook-delete-policy")
	switch {
	case h.job == nil:
		return ""
	case policy == "":
		return " (without a delete policy Argo CD recreates it itself on the next sync)"
	case strings.Contains(policy, "BeforeHookCreation"):
		return " (its policy BeforeHookCreation does so itself on the next sync)"
	case strings.Contains(policy, "HookFailed"):
		return " (its policy HookFailed deletes it when it fails)"
	}
	return fmt.Sprintf(" (its policy %s keeps a failed one)", policy)
}

// jobFailure is the reason and message of the Job's Failed condition.
func (h *run) jobFailure() (reason, text string) {
	c := h.job.Condition("Failed")
	if c == nil {
		c = h.job.Condition("FailureTarget")
	}
	return c.Text("reason"), c.Text("message")
}

// exitClause says how the pod's container ended: "exited 3", "was killed for lack of memory (OOMKilled)".
func (h *run) exitClause() string {
	if h.podNode == nil || h.podNode.Health == nil {
		return ""
	}
	switch {
	case h.podNode.InfoValue("Status Reason") == "OOMKilled" || strings.Contains(h.podNode.Health.Message, "OOM"):
		return "was killed for lack of memory (OOMKilled)"
	case strings.Contains(h.podNode.Health.Message, "exit code "):
		_, code, _ := strings.Cut(h.podNode.Health.Message, "exit code ")
		return "exited " + strings.TrimRight(code, ". ")
	}
	return ""
}

// triesClause says how often the Job ran its pod.
func (h *run) triesClause() string {
	if n, ok := h.job.Number("status", "failed"); ok && n > 1 {
		return fmt.Sprintf(" after %d tries", int(n))
	}
	return ""
}

// deadline is the Job's activeDeadlineSeconds; ok is false when it has none.
func (h *run) deadline() (seconds int, ok bool) {
	n, ok := h.job.Number("spec", "activeDeadlineSeconds")
	return int(n), ok
}

// decisive is the line of the hook's log that decides, "" when there is no log.
func (h *run) decisive() string { return message.Decisive(h.log.Text) }

// logQuote is the log as evidence.
func (h *run) logQuote() []diagnose.Quote {
	line := h.decisive()
	if line == "" {
		return nil
	}
	return []diagnose.Quote{{From: fmt.Sprintf("log of Pod/%s", h.log.Pod), Text: line}}
}

// readLog is the command that shows the log.
func (h *run) readLog() diagnose.Fix {
	if h.podNode != nil {
		c := diagnose.Raw("")
		if name := pods.FailedContainer(h.podNode); name != "" {
			c = diagnose.Raw(diagnose.Shell(" -c %s", name))
		}
		return diagnose.Fix{Text: "Read the whole log", Command: diagnose.Shell("kubectl %slogs %s%s", advice.InNamespace(h.podNode.Ref()), h.podNode.Ref().Resource(), c)}
	}
	if h.ref.Kind != "Job" {
		return diagnose.Fix{Text: "See what it says", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(h.ref), h.ref.Resource())}
	}
	return diagnose.Fix{Text: "Read its log, if its pods are still there", Command: diagnose.Shell("kubectl %slogs %s --all-containers", advice.InNamespace(h.ref), h.ref.Resource())}
}

// lackedObject is what the hook's pod lacks, read from why it waits or why it cannot be created.
func (h *run) lackedObject() (kind, name, key string, quote diagnose.Quote, ok bool) {
	texts := []diagnose.Quote{}
	if w, waits := pods.WaitOf(h.podNode, h.pod, h.events); waits {
		texts = append(texts, diagnose.Quote{From: w.From, Text: w.Text})
	}
	for i := len(h.events) - 1; i >= 0; i-- {
		if e := &h.events[i]; e.Type == "Warning" && (h.podNode == nil || pods.ActivityOf(h.podNode) == pods.Waiting) {
			texts = append(texts, diagnose.Quote{From: pods.EventName(e), Text: e.Message})
		}
	}
	for _, q := range texts {
		if kind, name, key, ok = pods.Missing(q.Text); ok {
			return kind, name, key, q, true
		}
	}
	return "", "", "", diagnose.Quote{}, false
}

// laterResource is the application's own resource that a name means and that this sync has not applied; nil if there is none.
func laterResource(in *diagnose.In, kind, name string) *evidence.ResourceStatus {
	r := statement.OwnResource(in, kind, name)
	if r == nil || r.Hook || r.Status == "Synced" && (r.Health == nil || r.Health.Status != "Missing") {
		return nil
	}
	return r
}

// withNextSteps adds, while the operation waits for the hook, that it has to be terminated before anything else.
func (h *run) withNextSteps(in *diagnose.In, f diagnose.Finding) diagnose.Finding {
	if h.failed {
		fix, offers := h.deleteJob("it failed and is in the way of the next one")
		f.Fix = append(append(f.Fix, fix...), advice.ThenSync(in))
		f.Offers = append(f.Offers, offers...)
		return f
	}
	fix, offer := advice.Terminate(in, "it waits for a hook that cannot end well")
	f.Fix = append(f.Fix, fix, advice.ThenSync(in))
	f.Offers = append(f.Offers, offer)
	return f
}
