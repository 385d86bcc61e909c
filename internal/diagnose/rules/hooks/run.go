package hooks

import (
	"cmp"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

// run is the hook that a sync stopped at. That happens in one of these ways:
//
//	the Job failed                  Job ── last failed pod ── decisive line of its log
//	the Job runs on and on          Job ── pod ── what the pod waits for
//	its pod cannot start            Job ── pod ── waiting reason, event
//	it has no pod                   Job ── event FailedCreate
//	the Job is gone                 no Job in the tree
//
// All hook rules look at the same picture, so that each piece is read once: the tree, then in parallel two of the
// Job, the pod, the events and the log. A failed hook costs at most four calls.
type run struct {
	task evidence.ResourceResult
	ref  evidence.Ref
	// failed: the hook ended badly; else the operation waits for it.
	failed bool
	// node is the hook in the tree, nil when it is not there. inTree is false when there is no tree to look at.
	node   *evidence.Node
	inTree bool
	// pod is the one to learn from: the last that failed, else the newest. podNode is nil when there is none.
	podNode *evidence.Node
	pod     evidence.Object
	job     evidence.Object
	events  []evidence.Event
	log     evidence.Log
	// unread: some of it could not be read (or is not read yet).
	unread bool
}

// needs is what hook rules may ask for.
var needs = []evidence.Kind{evidence.KindTree, evidence.KindObject, evidence.KindEvents, evidence.KindLog}

// look draws the picture; nil when the sync did not stop at a hook.
func look(in *diagnose.In) *run {
	h, _ := diagnose.Once(in, "hook", func() (*run, bool) {
		h := draw(in)
		return h, h == nil || !h.unread
	})
	return h
}

func draw(in *diagnose.In) *run {
	task, failed, ok := stoppedAt(in)
	if !ok {
		return nil
	}
	h := &run{task: task, ref: task.Ref(), failed: failed}
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
	h.podNode = pods.OfJob(tree, h.ref)
	h.read(in)
	return h
}

// read asks for the two or three facts that the situation calls for, all before looking at any.
func (h *run) read(in *diagnose.In) {
	hook := evidence.ObjectQuery{Ref: h.ref, UID: h.node.UID}
	if h.podNode == nil {
		h.job = get(in, h, evidence.FactObject(hook))
		h.events = get(in, h, evidence.FactEvents(hook))
		return
	}
	pod := evidence.ObjectQuery{Ref: h.podNode.Ref(), UID: h.podNode.UID}
	switch state := pods.ActivityOf(h.podNode); {
	case h.failed || state == pods.Failed:
		h.job = get(in, h, evidence.FactObject(hook))
		if state == pods.Waiting {
			h.events = get(in, h, evidence.FactEvents(pod))
			return
		}
		h.log = get(in, h, evidence.FactLog(pods.LogQuery(h.podNode)))
	case state == pods.Waiting:
		h.pod = get(in, h, evidence.FactObject(pod))
		h.events = get(in, h, evidence.FactEvents(pod))
	default:
		h.pod = get(in, h, evidence.FactObject(pod))
		h.job = get(in, h, evidence.FactObject(hook))
	}
}

func get[T any](in *diagnose.In, h *run, f evidence.Fact[T]) T {
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
	if ref, ok := statement.WaitedFor(op.Message, "completion of hook "); ok {
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

// phaseName is "PreSync hook" and the like.
func (h *run) phaseName() string {
	return cmp.Or(h.task.HookType, "sync") + " hook"
}

// hookThreshold is how long a hook may run before it counts as stuck where nothing else is wrong with it. Migrations take
// minutes; who has longer ones sets activeDeadlineSeconds, and then that is the limit.
const hookThreshold = 5 * time.Minute
