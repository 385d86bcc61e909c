package hooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
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
			for i := range f.Fix {
				f.Fix[i] = inChart(in, f.Fix[i])
			}
			return diagnose.Found(f.On(h.statement(in)))
		case h.unread:
			return diagnose.Unknown
		}
		return diagnose.Nothing
	}
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

// isGone reports whether the hook's object has been deleted since.
func (h *run) isGone() bool { return h.inTree && h.node == nil && h.job == nil }

// deleteHook is the step and the action that delete a hook's old or failed object: none if it is gone. The action is for Jobs only, and
// for those that the next sync would meet: a button for what Argo CD does anyway sends two people to approve nothing.
func (h *run) deleteHook(state, why string) ([]diagnose.Fix, []diagnose.Action) {
	if h.isGone() || h.namedAnew() {
		return nil, nil
	}
	fix := diagnose.Fix{
		Text:    fmt.Sprintf("Delete the %s %s%s%s", state, h.ref.Kind, h.losing(), h.policyNote()),
		Command: diagnose.Shell("kubectl %sdelete %s", advice.InNamespace(h.ref), h.ref.Resource()),
	}
	if h.ref.Kind != "Job" || h.replacedOnSync() {
		return []diagnose.Fix{fix}, nil
	}
	return []diagnose.Fix{fix}, []diagnose.Action{{ID: diagnose.ActionDeleteHookJob, Label: fmt.Sprintf("Delete %s %s", state, h.ref), Target: h.ref, Why: why}}
}

// generated is the end of the name that Argo CD gives to a hook with a generateName: commit, phase, time.
var generated = pattern.MustCompile(`-(?:presync|sync|postsync|syncfail)-\d+$`)

// namedAnew reports whether each sync creates the hook under another name, so that an old one is in nobody's way.
func (h *run) namedAnew() bool { return generated.MatchString(h.ref.Name) }

// losing says what is deleted with the hook's object.
func (h *run) losing() string {
	switch {
	case h.ref.Kind == "Job" && h.podNode != nil:
		return " with its pods and their logs"
	case h.ref.HoldsData():
		return " and the data in it"
	}
	return ""
}

// jobFailure is the reason of the Job's Failed condition.
func (h *run) jobFailure() string {
	c := h.job.Condition("Failed")
	if c == nil {
		c = h.job.Condition("FailureTarget")
	}
	return c.Text("reason")
}

// triesText says how often the Job ran its pod, in which wave, and whether it still retries; empty if it failed once and is in no wave.
func (h *run) triesText() string {
	job := h.ref.Kind
	if wave := h.job.Annotation("argocd.argoproj.io/sync-wave"); wave != "" {
		job = fmt.Sprintf("%s in wave %s", job, wave)
	}
	switch n, ok := h.job.Number("status", "failed"); {
	case ok && n > 1 && h.failed:
		return fmt.Sprintf("The %s gave up after %d tries.", job, int(n))
	case !h.failed && ok && n > 1:
		return fmt.Sprintf("The %s has failed %d times so far and is retrying; the sync is waiting for it.", job, int(n))
	case !h.failed:
		return fmt.Sprintf("The %s is retrying, and the sync is waiting for it.", job)
	case job != h.ref.Kind:
		return fmt.Sprintf("It is a %s.", job)
	}
	return ""
}

// deadline is the Job's activeDeadlineSeconds; ok is false when it has none.
func (h *run) deadline() (seconds int, ok bool) {
	n, ok := h.job.Number("spec", "activeDeadlineSeconds")
	return int(n), ok
}

// describe is the command that shows the hook's pod, or the hook itself if there is no pod.
func (h *run) describe(what string) diagnose.Fix {
	ref := h.ref
	if h.podNode != nil {
		ref = h.podNode.Ref()
	}
	return diagnose.Fix{Text: what, Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(ref), ref.Resource())}
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
	if c := h.job.Condition("ReplicaFailure"); c != nil { // a Deployment's pods are refused to its ReplicaSet
		texts = append(texts, diagnose.Quote{From: h.ref.String(), Text: c.Text("message")})
	}
	for _, q := range texts {
		if kind, name, key, ok = pods.Missing(q.Text); ok {
			return kind, name, key, q, true
		}
	}
	return "", "", "", diagnose.Quote{}, false
}

// laterResource is the application's own resource that a name means in a namespace and that this sync has not applied; nil if there is
// none.
func laterResource(in *diagnose.In, kind, namespace, name string) *evidence.ResourceStatus {
	r := statement.OwnIn(in, kind, namespace, name)
	if r == nil || r.Hook || r.Status == "Synced" && (r.Health == nil || r.Health.Status != "Missing") {
		return nil
	}
	return r
}

// withRetry adds how to try again where the fix may lie outside Git: Kubernetes keeps trying, so that the hook then goes on by itself.
func (h *run) withRetry(in *diagnose.In, f diagnose.Finding) diagnose.Finding {
	if h.failed {
		return h.withNextSteps(in, f)
	}
	fix, offer := advice.Terminate(in, "it is waiting for a hook that cannot start")
	fix.Text = "If the fix is in Git, terminate the running operation; if it is made in the cluster, the hook goes on by itself"
	f.Fix = append(f.Fix, fix, advice.Sync(in, "Then sync the application"))
	f.Offers = append(f.Offers, offer)
	return f
}

// again are the last steps of a fix for a hook that failed: sync, or what to do where Argo CD is about to try again by itself.
func again(in *diagnose.In, said string) []diagnose.Fix {
	op := in.App().Status.OperationState
	if !op.Running() {
		return []diagnose.Fix{advice.Sync(in, said)}
	}
	if op.Operation.Retry.Refresh {
		return advice.Steps("Then wait for the next retry, which takes the newest commit")
	}
	fix, _ := advice.Terminate(in, "")
	fix.Text = "If the fix is in Git, terminate the running operation: its retries stay on the old commit. If not, the next retry runs the hook again"
	return []diagnose.Fix{fix, advice.Sync(in, "Then sync the application")}
}

// withNextSteps adds how to try again: delete the failed hook, or terminate the operation that waits for it; then sync.
func (h *run) withNextSteps(in *diagnose.In, f diagnose.Finding) diagnose.Finding {
	if h.failed {
		fix, offers := h.deleteHook("failed", "it failed, and the next sync would be judged by it")
		f.Fix = slices.Concat(f.Fix, fix, again(in, "Sync the application"))
		f.Offers = append(f.Offers, offers...)
		return f
	}
	fix, offer := advice.Terminate(in, "it is waiting for a hook that cannot succeed")
	f.Fix = append(f.Fix, fix, advice.ThenSync(in))
	f.Offers = append(f.Offers, offer)
	return f
}
