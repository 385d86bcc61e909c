package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// A sync stops at a resource hook in one of these ways:
//
//	the Job failed                  Job ── last failed pod ── decisive line of its log
//	the Job runs on and on          Job ── pod ── what the pod waits for
//	its pod cannot start            Job ── pod ── waiting reason, event
//	it has no pod                   Job ── event FailedCreate
//	the Job is gone                 no Job in the tree
//
// All hook rules look at the same picture of it, so that each piece is read once: the tree, then in parallel two of the
// Job, the pod, the events and the log. A failed hook costs at most four calls.
type hookRun struct {
	task evidence.ResourceResult
	ref  evidence.Ref
	// failed: the hook ended badly; else the operation waits for it.
	failed bool
	// node is the hook in the tree, nil when it is not there. inTree is false when there is no tree to look at.
	node   *evidence.Node
	inTree bool
	// pod is the one that tells: the last that failed, else the newest. podNode is nil when there is none.
	podNode *evidence.Node
	pod     evidence.Object
	job     evidence.Object
	events  []evidence.Event
	log     evidence.Log
	// unread: some of it could not be read (or is not read yet).
	unread bool
}

// hookNeeds is what hook rules may ask for.
var hookNeeds = []evidence.Kind{evidence.KindTree, evidence.KindObject, evidence.KindEvents, evidence.KindLog}

// lookAtHook draws the picture; nil when the sync did not stop at a hook.
func lookAtHook(in *diagnose.In) *hookRun {
	h, _ := diagnose.Once(in, "hook", func() (*hookRun, bool) {
		h := drawHook(in)
		return h, h == nil || !h.unread
	})
	return h
}

func drawHook(in *diagnose.In) *hookRun {
	task, failed, ok := stoppedAt(in)
	if !ok {
		return nil
	}
	h := &hookRun{task: task, ref: task.Ref(), failed: failed}
	tree, ok := diagnose.Get(in, evidence.FactTree)
	if !ok {
		h.unread = true
		return h
	}
	h.inTree = true
	h.node = tree.Find(h.ref)
	if h.node == nil {
		return h
	}
	h.ref = h.node.Ref()
	h.podNode = tellingPod(tree, h.ref)
	h.read(in)
	return h
}

// read asks for the two or three facts that the situation calls for, all before looking at any.
func (h *hookRun) read(in *diagnose.In) {
	hook := evidence.ObjectQuery{Ref: h.ref, UID: h.node.UID}
	if h.podNode == nil {
		h.job = get(in, h, evidence.FactObject(hook))
		h.events = get(in, h, evidence.FactEvents(hook))
		return
	}
	pod := evidence.ObjectQuery{Ref: h.podNode.Ref(), UID: h.podNode.UID}
	switch state := podState(h.podNode); {
	case h.failed || state == podFailed:
		h.job = get(in, h, evidence.FactObject(hook))
		if state == podWaiting {
			h.events = get(in, h, evidence.FactEvents(pod))
			return
		}
		h.log = get(in, h, evidence.FactLog(logOf(h.podNode)))
	case state == podWaiting:
		h.pod = get(in, h, evidence.FactObject(pod))
		h.events = get(in, h, evidence.FactEvents(pod))
	default:
		h.pod = get(in, h, evidence.FactObject(pod))
		h.job = get(in, h, evidence.FactObject(hook))
	}
}

func get[T any](in *diagnose.In, h *hookRun, f evidence.Fact[T]) T {
	v, ok := diagnose.Get(in, f)
	h.unread = h.unread || !ok
	return v
}

// stoppedAt is the hook that the operation failed on, or waits for.
func stoppedAt(in *diagnose.In) (task evidence.ResourceResult, failed, ok bool) {
	op := in.App().CurrentOperation()
	if op == nil {
		return task, false, false
	}
	results := op.Results()
	for _, r := range results {
		if r.IsHook() && r.HookType != "SyncFail" && (r.HookPhase == evidence.OperationFailed || r.HookPhase == evidence.OperationError) {
			return r, true, true
		}
	}
	if !op.Running() {
		return task, false, false
	}
	if ref, ok := waitedFor(op.Message, "completion of hook "); ok {
		for _, r := range results {
			if r.Ref().Same(ref) {
				return r, false, true
			}
		}
		return evidence.ResourceResult{Group: ref.Group, Kind: ref.Kind, Name: ref.Name, HookPhase: evidence.OperationRunning}, false, true
	}
	for _, r := range results {
		if r.IsHook() && r.HookPhase == evidence.OperationRunning && !strings.Contains(op.Message, "waiting for healthy state") {
			return r, false, true
		}
	}
	return task, false, false
}

// waitedFor reads "waiting for completion of hook batch/Job/migrate and 2 more hooks": the first object it names.
func waitedFor(text, what string) (evidence.Ref, bool) {
	_, rest, ok := strings.Cut(text, "waiting for "+what)
	if !ok {
		return evidence.Ref{}, false
	}
	words := strings.Fields(rest)
	if len(words) == 0 {
		return evidence.Ref{}, false
	}
	parts := strings.Split(strings.TrimRight(words[0], ".,;"), "/")
	if len(parts) != 3 {
		return evidence.Ref{}, false
	}
	return evidence.Ref{Group: parts[0], Kind: parts[1], Name: parts[2]}, true
}

// phase is "PreSync hook" and the like.
func (h *hookRun) phase() string {
	return cmp.Or(h.task.HookType, "sync") + " hook"
}

// what the pod does, as the tree tells it without reading the pod.
type podDoing int

const (
	podRunning podDoing = iota
	podWaiting
	podFailed
	podDone
)

func podState(n *evidence.Node) podDoing {
	reason := podReason(n)
	switch {
	case n.Health != nil && strings.Contains(n.Health.Message, "exit code"), reason == "Error", reason == "OOMKilled", reason == "CrashLoopBackOff", reason == "StartError", reason == "ContainerCannotRun", reason == "DeadlineExceeded":
		return podFailed
	case reason == "Completed", reason == "Succeeded":
		return podDone
	case reason == "Running", reason == "" && n.HealthStatus() == "Healthy":
		return podRunning
	case reason == "":
		if n.HealthStatus() == "Degraded" {
			return podFailed
		}
		return podRunning
	}
	return podWaiting
}

// tellingPod is the pod of a Job to look at: the newest that failed, else the newest that waits, else the newest.
func tellingPod(tree *evidence.Tree, job evidence.Ref) *evidence.Node {
	var pods []evidence.Node
	for _, n := range tree.Descendants(job) {
		if n.Kind == "Pod" {
			pods = append(pods, n)
		}
	}
	if len(pods) == 0 {
		return nil
	}
	rank := func(n evidence.Node) int {
		switch podState(&n) {
		case podFailed:
			return 2
		case podWaiting:
			return 1
		case podRunning, podDone:
		}
		return 0
	}
	best := slices.MaxFunc(pods, func(a, b evidence.Node) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), a.CreatedAt.Compare(b.CreatedAt.Time), cmp.Compare(a.Name, b.Name))
	})
	return &best
}

// failedContainer is the container that the pod's health names: `container "migrate" failed with exit code 3`.
func failedContainer(n *evidence.Node) string {
	if n.Health == nil {
		return ""
	}
	if _, rest, ok := strings.Cut(n.Health.Message, `container "`); ok {
		name, _, _ := strings.Cut(rest, `"`)
		return name
	}
	if _, rest, ok := strings.Cut(n.Health.Message, "failed container="); ok {
		name, _, _ := strings.Cut(rest, " ")
		return name
	}
	return ""
}
