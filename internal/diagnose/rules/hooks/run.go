package hooks

import (
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// run is the hook that a sync stopped at. That happens in one of these ways:
//
//	the Job failed                  Job ── last failed pod ── decisive line of its log
//	the Job never ends              Job ── pod ── what the pod waits for
//	its pod cannot start            Job ── pod ── waiting reason, event
//	it has no pod                   Job ── event FailedCreate
//	the Job is gone                 no Job in the tree
//
// All hook rules look at the same picture, so each piece is read once: the tree, then two of the Job, the pod, the
// events and the log. A hook costs at most four calls.
type run struct {
	task evidence.ResourceResult
	ref  evidence.Ref
	// failed: the hook ended badly; else the operation waits for it.
	failed bool
	// node is the hook in the tree, nil if the tree does not have it. inTree is false if there is no tree to look at.
	node   *evidence.Node
	tree   *evidence.Tree
	inTree bool
	// pod is the one to learn from: the last that failed, else the newest. podNode is nil when there is none.
	podNode *evidence.Node
	pod     evidence.Object
	job     evidence.Object
	events  []evidence.Event
	// podEvents are those of a pod that its Job has deleted.
	podEvents []evidence.Event
	log       evidence.Log
	// words are the last words of the hook, once they were looked for: several rules ask.
	words *words
	// cause is what the rules about health find at it, nil where they find nothing; trouble is what its pod suffers from.
	cause   *diagnose.Finding
	trouble pods.Trouble
	// unread: some of it could not be read (or is not read yet).
	unread bool
	// fits reports whether a headline has room for a title.
	fits func(title string) bool
}

// needs are the kinds of evidence that hook rules can request.
var needs = []evidence.Kind{evidence.KindTree, evidence.KindObject, evidence.KindEvents, evidence.KindLog}

// hookKinds are what charts make hooks of. One that another program created, or that the tree does not show yet, is not in the application.
var hookKinds = []evidence.Outside{
	evidence.OutsideJob, evidence.OutsideServiceAccount, evidence.OutsideRole, evidence.OutsideRoleBinding, evidence.OutsideConfigMap, evidence.OutsideSecret,
}

// look draws the picture; nil when the sync did not stop at a hook.
func look(in *diagnose.In) *run {
	h, _ := diagnose.Once(in, "hook", func() (*run, bool) {
		h := draw(in)
		return h, h == nil || !h.unread && !in.Waiting()
	})
	return h
}

func draw(in *diagnose.In) *run {
	task, failed, ok := stoppedAt(in)
	if !ok {
		return nil
	}
	h := &run{task: task, ref: task.Ref(), failed: failed, fits: in.Fits}
	tree, ok := diagnose.Get(in, evidence.FactTree)
	if !ok {
		h.unread = true
		return h
	}
	h.tree, h.inTree = tree, true
	h.node = tree.Find(h.ref)
	if h.node == nil && failed {
		return h
	}
	if h.node == nil { // a tree may be older than the hook: one that is there is not gone
		h.job, _ = diagnose.Look(in, evidence.FactObject(evidence.ObjectQuery{Ref: h.ref}))
		h.events, _ = diagnose.Look(in, evidence.FactEvents(evidence.ObjectQuery{Ref: h.ref}))
		return h
	}
	h.ref = h.node.Ref()
	h.podNode = pods.OfJob(tree, h.ref)
	if h.ref.Kind == "Pod" && h.ref.Group == "" {
		h.podNode = h.node
	}
	h.read(in)
	found, _ := in.At(diagnose.GroupHealth, h.ref)
	if len(found) > 0 {
		h.cause = &found[0]
	}
	if p := unhealthy.Look(in.Asking(h.ref)); p != nil && len(p.Resources) > 0 && p.Resources[0].Ref == h.ref {
		h.trouble = p.Resources[0].Symptom.Trouble
	}
	return h
}

// read requests the two facts that the situation calls for, both before it looks at any. What a case file has besides is free.
func (h *run) read(in *diagnose.In) {
	hook := evidence.FactObject(h.node.Query())
	if h.podNode == nil {
		h.job = get(in, h, hook)
		h.events = get(in, h, evidence.FactEvents(h.node.Query()))
		h.readDeletedPod(in)
		return
	}
	q := h.podNode.Query()
	pod := evidence.FactObject(q)
	h.job, _ = diagnose.Look(in, hook)
	h.pod, _ = diagnose.Look(in, pod)
	log := pods.LogQuery(h.podNode)
	activity := pods.ActivityOf(h.podNode)
	switch {
	case activity == pods.Waiting:
		h.events = get(in, h, evidence.FactEvents(q))
		if h.failed {
			h.job = get(in, h, hook)
		} else {
			h.pod = get(in, h, pod)
		}
	case log.Container == "" && pods.HasSeveral(h.podNode): // only the pod tells which of them has a log that helps
		h.pod = get(in, h, pod)
		if in.Waiting() && h.pod == nil {
			return
		}
		log.Container = pods.TellingContainer(h.pod)
		h.log = get(in, h, evidence.FactLog(log))
	default:
		h.job = get(in, h, hook)
		if activity == pods.Failed || h.failed || in.RunningFor() >= time.Minute { // one that has just started has nothing to say
			h.log = get(in, h, evidence.FactLog(log))
		}
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
	if op == nil || op.Running() && strings.Contains(op.Message, "waiting for deletion of") {
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

// titled is a title about the hook: "PreSync hook migrate exited 3", "PreSync hook migrate: image not found". A name that is too long for a headline is left out. named is
// the sentence that says what the title leaves out; empty if that is nothing.
func (h *run) titled(what string) (title, named string) {
	phase := h.phaseTitle()
	if !strings.HasPrefix(what, ":") {
		what = " " + what
	}
	title = phase + " " + h.ref.Name + what
	switch {
	case !h.fits(title):
		return phase + what, fmt.Sprintf("The hook is %s.", h.ref)
	case h.ref.Kind != "Job":
		return title, fmt.Sprintf("The hook is a %s.", h.ref.Kind)
	}
	return title, ""
}

// phaseTitle is the phase as it begins a title: "PreSync hook".
func (h *run) phaseTitle() string {
	return text.UpperFirst(strings.TrimSpace(h.task.HookType + " hook"))
}

// hookThreshold is how long a hook may run before it counts as stuck where nothing else is wrong with it. Migrations take
// minutes; anyone with longer ones sets activeDeadlineSeconds, and then that is the limit.
const hookThreshold = 5 * time.Minute
