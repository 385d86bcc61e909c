package remedy_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/remedy"
	"github.com/argo-why/argo-why/internal/text"
)

const (
	confirmed = "3f2a91c0000000000000000000000000000000aa"
	newer     = "9c1d2e30000000000000000000000000000000bb"
)

var hookJob = evidence.Ref{Group: "batch", Kind: "Job", Namespace: "shop", Name: "db-migrate"}

// cluster is an Argo CD with one application and the cluster behind it. It behaves: operations are taken down, begin, take a
// while and end, terminated ones too; a Job that is deleted goes. Everything that is done to it is in done.
type cluster struct {
	mu   sync.Mutex
	gone bool
	app  evidence.Application
	job  *action.Job
	done []string
	// infos are those of the last sync that was asked for.
	infos []evidence.OperationInfo
	// revisions are those of all syncs that were asked for.
	revisions []string
	events    map[string]action.Event

	// What goes wrong.
	finalizer bool   // the Job stays although it is deleted
	hangs     bool   // operations that are terminated do not end
	dryFails  string // the dry run's message
	syncFails string // the message of the hook of the sync
	takes     string // the revision that Argo CD takes instead
	tries     string // the same of a dry run
	noLog     error
	lacks     map[action.Kind]string
	// looks counts how often all that a plan rests on was read.
	looks int
	// lacksTakes is how long the answer to that takes; asking and askedAtOnce count who waits for it, now and at the most.
	lacksTakes          time.Duration
	asking, askedAtOnce int
	unreadable          error
	// answerLost: what is done is done, and then the connection breaks.
	answerLost bool
	// meanwhile is called once, right before the next operation of that name is looked at.
	meanwhile map[string]func()
	closed    bool   // a sync window
	elsewhere bool   // the newest commit changes nothing of the application
	replicas  string // of the live Deployment
	// refuses is why Argo CD does nothing at all.
	refuses string
	// How long operations take.
	lasts, dryLasts time.Duration
	// idles is how long the controller takes to begin what was taken down.
	idles time.Duration
}

func newCluster() *cluster {
	c := &cluster{lacks: map[action.Kind]string{}, meanwhile: map[string]func(){}, events: map[string]action.Event{}, lasts: 5 * time.Second, dryLasts: 2 * time.Second, replicas: "1"}
	c.app.Metadata = evidence.Metadata{Name: prod.Name, Namespace: prod.Namespace, UID: "app-1"}
	c.app.Spec.Project, c.app.Spec.Destination = "payments", evidence.Destination{Name: "eu-1", Namespace: "shop"}
	c.app.Status.Sync = evidence.SyncStatus{Status: "OutOfSync", Revision: confirmed}
	c.app.Status.Resources = []evidence.ResourceStatus{{Group: "apps", Version: "v1", Kind: "Deployment", Namespace: "shop", Name: "web", Status: "OutOfSync"}}
	c.app.Status.OperationState = &evidence.OperationState{Phase: evidence.OperationFailed, Message: "one or more hooks failed",
		StartedAt: evidence.Time{Time: time.Now().Add(-time.Hour)}, FinishedAt: evidence.Time{Time: time.Now().Add(-50 * time.Minute)}, Operation: evidence.Operation{Sync: &evidence.SyncOperation{Revision: confirmed}}}
	c.job = &action.Job{Ref: hookJob, UID: "job-1", Hook: "PreSync", TrackedBy: prod.Name, Finished: "Failed"}
	return c
}

// stuck has an operation running that does not end by itself.
func (c *cluster) stuck() {
	c.app.Status.OperationState.Phase = evidence.OperationRunning
	c.app.Status.OperationState.FinishedAt = evidence.Time{}
}

// change changes the cluster, from outside.
func (c *cluster) change(edit func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	edit()
}

// othersSync is somebody else who syncs.
func (c *cluster) othersSync() {
	c.begin(evidence.Operation{Sync: &evidence.SyncOperation{Revision: confirmed}})
}

// afterDryRun has something happen right before the first look after the end of the dry run.
func (c *cluster) afterDryRun(do func()) {
	c.meanwhile["look"] = func() {
		if op := c.app.Status.OperationState; op == nil || !op.Operation.Sync.DryRun || op.Running() {
			c.afterDryRun(do)
			return
		}
		do()
	}
}

// beforeDryRun has something happen right after the look from which the sync is begun: the plan and the request have looked before.
func (c *cluster) beforeDryRun(do func()) {
	c.meanwhile["look"] = func() {
		if c.looks < 3 {
			c.beforeDryRun(do)
			return
		}
		c.meanwhile["application"] = do
	}
}

// did counts what was done.
func (c *cluster) did(what string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, d := range c.done {
		if d == what {
			n++
		}
	}
	return n
}

func (c *cluster) interrupt(what string) {
	if f := c.meanwhile[what]; f != nil {
		delete(c.meanwhile, what)
		f()
	}
}

// report is what the diagnosis makes of the application. A last operation that did not fail explains nothing any more.
func (c *cluster) report() *diagnose.Report {
	op := c.app.Status.OperationState
	r := &diagnose.Report{App: prod, Context: diagnose.Context{Project: c.app.Spec.Project}}
	add := func(id, refused string, target evidence.Ref) {
		r.Actions = append(r.Actions, diagnose.Action{ID: id, Target: target, RefusedBecause: refused, Why: "it helps"})
	}
	add(diagnose.ActionHardRefresh, "", evidence.Ref{})
	if c.job != nil {
		add(diagnose.ActionDeleteHookJob, "", hookJob)
	}
	if op.Running() {
		add(diagnose.ActionTerminate, "", evidence.Ref{})
	}
	r.Sync = diagnose.Sync{Verdict: diagnose.SyncSafe, Why: "it brings what Git wants"}
	refused := ""
	if !op.Failed() {
		r.Sync = diagnose.Sync{Verdict: diagnose.SyncUnknown, Why: "why the resources differ is not known"}
		refused = r.Sync.Why
	}
	add(diagnose.ActionSync, refused, evidence.Ref{})
	return r
}

func (c *cluster) Look(_ context.Context, w action.Request) (*action.Situation, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	c.interrupt("look")
	switch {
	case c.unreadable != nil:
		return nil, c.unreadable
	case c.gone:
		return nil, action.ErrGone
	}
	can := !c.closed
	app, moved := c.copied(), action.Moved{}
	if newest := app.Status.Sync.Revision; c.elsewhere && w.Sync.Commit != "" && w.Sync.Commit != newest {
		app.Status.Sync.Revision, moved.To = w.Sync.Commit, newest
	}
	s := &action.Situation{Report: c.report(), Application: app, Moved: moved, Windows: &evidence.SyncWindows{CanSync: &can},
		Managed: []evidence.ResourceDiff{{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web",
			TargetState: `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"},"spec":{"replicas":3}}`,
			LiveState:   evidence.State(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","uid":"d1"},"spec":{"replicas":` + c.replicas + `}}`)}}}
	if w.Kind == action.DeleteHookJob {
		s.Job = c.jobNow()
	}
	return s, nil
}

func (c *cluster) Application(context.Context, action.App) (*evidence.Application, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.interrupt("application")
	switch {
	case c.unreadable != nil:
		return nil, c.unreadable
	case c.gone:
		return nil, action.ErrGone
	}
	return c.copied(), nil
}

func (c *cluster) copied() *evidence.Application {
	app := c.app
	if op := c.app.Status.OperationState; op != nil {
		again := *op
		app.Status.OperationState = &again
	}
	return &app
}

func (c *cluster) jobNow() *action.Job {
	if c.job == nil {
		return nil
	}
	j := *c.job
	return &j
}

// effect does something, and says so, or breaks the connection after it.
func (c *cluster) effect(what string, do func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.interrupt(what)
	if c.refuses != "" {
		return errors.New(c.refuses)
	}
	if err := do(); err != nil {
		return err
	}
	c.done = append(c.done, what)
	if c.answerLost {
		return errors.New("connection reset by peer")
	}
	return nil
}

func (c *cluster) HardRefresh(context.Context, action.App) error {
	return c.effect("refresh", func() error { return nil })
}

func (c *cluster) Terminate(_ context.Context, _ action.App, began time.Time) error {
	return c.effect("terminate", func() error {
		op := c.app.Status.OperationState
		if !op.Running() || !op.StartedAt.Equal(began) {
			return action.ErrChanged
		}
		op.Phase = evidence.OperationTerminating
		if !c.hangs {
			c.after(3*time.Second, op, func() {
				c.app.Operation = nil
				op.Phase, op.Message, op.FinishedAt = evidence.OperationFailed, "Operation terminated", evidence.Time{Time: time.Now()}
			})
		}
		return nil
	})
}

// after changes the operation later, if it is still that one.
func (c *cluster) after(d time.Duration, op *evidence.OperationState, do func()) {
	time.AfterFunc(d, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.app.Status.OperationState == op {
			do()
		}
	})
}

func (c *cluster) Sync(_ context.Context, _ action.App, call remedy.SyncCall) (string, error) {
	what, revision := "sync", call.Revision
	if call.DryRun {
		what, revision = "dry-run", cmp.Or(c.tries, revision)
	} else if c.takes != "" {
		revision = c.takes
	}
	return revision, c.effect(what, func() error {
		if c.app.Operation != nil || c.app.Status.OperationState.Running() {
			return errors.New("another operation is already in progress")
		}
		o := evidence.Operation{Sync: &evidence.SyncOperation{Revision: revision, DryRun: call.DryRun, Prune: call.Prune}}
		c.revisions = append(c.revisions, wanted(call))
		for _, i := range call.Info {
			o.Info = append(o.Info, evidence.OperationInfo(i))
		}
		c.infos = o.Info
		// As Argo CD does: it is noted down, and what was before is forgotten.
		c.app.Operation, c.app.Status.OperationState = &o, nil
		time.AfterFunc(cmp.Or(c.idles, time.Second), func() { c.change(func() { c.begin(o) }) })
		return nil
	})
}

// wanted is the revision of a sync, and whether none other would do.
func wanted(call remedy.SyncCall) string {
	s := text.Revision(call.Revision) + "…"
	if call.Exactly {
		s += " exactly"
	}
	return s
}

// begin begins the operation that was noted down.
func (c *cluster) begin(o evidence.Operation) {
	op := &evidence.OperationState{Phase: evidence.OperationRunning, StartedAt: evidence.Time{Time: time.Now().Truncate(time.Second)}, Operation: o}
	c.app.Status.OperationState = op
	lasts := c.lasts
	fails := c.syncFails
	if o.Sync.DryRun {
		lasts, fails = c.dryLasts, c.dryFails
	}
	c.after(lasts, op, func() {
		if op.Phase == evidence.OperationTerminating {
			return
		}
		c.app.Operation = nil
		op.Phase, op.Message, op.FinishedAt = evidence.OperationSucceeded, "successfully synced (all tasks run)", evidence.Time{Time: time.Now()}
		if fails != "" {
			op.Phase, op.Message = evidence.OperationFailed, "one or more tasks failed"
			op.SyncResult = &evidence.SyncResult{Revision: confirmed, Resources: []evidence.ResourceResult{{Group: "batch", Kind: "Job", Namespace: "shop", Name: "db-migrate", HookType: "PreSync", HookPhase: evidence.OperationFailed, Message: fails}}}
		} else if !o.Sync.DryRun {
			c.app.Status.Sync.Status = "Synced"
		}
	})
}

func (c *cluster) JobLog(context.Context, action.App, action.Job) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.noLog != nil {
		return "", c.noLog
	}
	return "connect\nERROR: column missing\npassword=hunter2hunter2", nil
}

func (c *cluster) DeleteJob(_ context.Context, _ action.App, job action.Job) (string, error) {
	return "Kubernetes", c.effect("delete", func() error {
		if c.job == nil || c.job.UID != job.UID {
			return action.ErrChanged
		}
		c.job.Deleting = true
		if !c.finalizer {
			gone := c.job
			time.AfterFunc(time.Second, func() {
				c.change(func() {
					if c.job == gone {
						c.job = nil
					}
				})
			})
		}
		return nil
	})
}

func (c *cluster) Job(_ context.Context, _ action.App, job action.Job) (*action.Job, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.interrupt("job")
	if c.job == nil || c.job.UID != job.UID {
		return nil, nil
	}
	return c.jobNow(), nil
}

func (c *cluster) Announce(_ context.Context, _ action.App, e action.Event) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, there := c.events[e.Record]; !there {
		c.events[e.Record] = e
	}
	return nil
}

func (c *cluster) Lacks(_ context.Context, kind action.Kind, _ action.App, _ string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asking++
	c.askedAtOnce = max(c.askedAtOnce, c.asking)
	c.mu.Unlock()
	time.Sleep(c.lacksTakes)
	c.mu.Lock()
	c.asking--
	lack := c.lacks[kind]
	if lack == "?" {
		return "", errors.New("Argo CD does not answer")
	}
	return lack, nil
}

// journal is one in memory, that all replicas share.
type journal struct {
	mu   sync.Mutex
	logs map[action.App]*action.Log
	n    int
	down error
	// damaged is why one more log, of another application, cannot be read.
	damaged error
	// conflicts makes the next writes conflict.
	conflicts int
	// lost: the next write comes through and its answer does not.
	lost int
	// lostAs is what is heard instead of that answer.
	lostAs error
}

func newJournal() *journal { return &journal{logs: map[action.App]*action.Log{}} }

func (j *journal) Get(_ context.Context, app action.App) (*action.Log, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch l := j.logs[app]; {
	case j.down != nil:
		return nil, j.down
	case l != nil:
		return cloned(l), nil
	}
	return &action.Log{App: app}, nil
}

func (j *journal) Put(_ context.Context, l *action.Log) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	held := ""
	if there := j.logs[l.App]; there != nil {
		held = there.Version
	}
	switch {
	case j.down != nil:
		return j.down
	case j.conflicts > 0:
		j.conflicts--
		return action.ErrConflict
	case held != l.Version:
		return action.ErrConflict
	}
	j.n++
	l.Version = fmt.Sprint(j.n)
	j.logs[l.App] = cloned(l)
	if j.lost > 0 {
		j.lost--
		return cmp.Or(j.lostAs, errors.New("no answer"))
	}
	return nil
}

func (j *journal) Delete(_ context.Context, l *action.Log) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if there := j.logs[l.App]; there != nil && there.Version != l.Version {
		return action.ErrConflict
	}
	delete(j.logs, l.App)
	return j.down
}

func (j *journal) List(context.Context) ([]*action.Log, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.down != nil {
		return nil, j.down
	}
	out := []*action.Log{}
	for _, app := range slices.SortedFunc(maps.Keys(j.logs), func(a, b action.App) int { return 0 }) {
		out = append(out, cloned(j.logs[app]))
	}
	return out, j.damaged
}

func (j *journal) fails(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.down = err
}
