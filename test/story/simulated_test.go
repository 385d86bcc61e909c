package story_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/remedy"
	"github.com/argo-why/argo-why/internal/text"
)

// simulated is an application as Argo CD and its cluster have it while people act on it: a recorded case that moves on.
type simulated struct {
	*evidence.Case
	// failed is when it began to fail.
	failed time.Time
	// job is the live hook Job; nil when there is none.
	job *action.Job
	// fixed: what it fails of is put right, so that the next refresh or sync succeeds.
	fixed bool
	// same are commits that want the same of the application as an older one.
	same map[string]string
	// refuses is what the next dry run says; "" when it finds nothing.
	refuses string
	// first is how the recorded operation went: what a sync without a repair comes to again.
	first *evidence.SyncResult
}

// How long what is asked of Argo CD takes. None of it ends at the very moment at which the bot looks.
const (
	dryRunTakes    = 1900 * time.Millisecond
	syncTakes      = 19900 * time.Millisecond
	terminateTakes = 3 * time.Second
)

// simulate has an application as it is in a case.
func (l *lab) simulate(app action.App, c *evidence.Case) {
	if c.Application == nil {
		return
	}
	s := &simulated{Case: c, failed: time.Now(), same: map[string]string{}}
	if op := c.Application.Status.OperationState; op != nil {
		s.first = op.SyncResult
	}
	meta := &s.Application.Metadata
	relabel(c, meta.Name, strings.ReplaceAll(app.Label(), "/", "_"))
	meta.Name, meta.Namespace = app.Name, app.Namespace
	if c.Project != nil {
		c.Project.Spec.SourceNamespaces = append(c.Project.Spec.SourceNamespaces, app.Namespace)
	}
	for _, task := range s.Application.Status.OperationState.Results() {
		if task.IsHook() && task.Kind == "Job" {
			s.job = &action.Job{Ref: task.Ref(), UID: "uid-of-the-failed-one", Hook: task.HookType, TrackedBy: strings.ReplaceAll(app.Label(), "/", "_"), Finished: "Failed"}
			if task.HookPhase == evidence.OperationRunning {
				s.job.Finished, s.job.Active = "", 1
			}
		}
	}
	l.mu.Lock()
	l.simulated[app] = s
	l.mu.Unlock()
}

// relabel makes what Argo CD marked as a recorded application's one of another name.
func relabel(c *evidence.Case, recorded, now string) {
	const label, id = "app.kubernetes.io/instance", "argocd.argoproj.io/tracking-id"
	mark := func(o evidence.Object) {
		metadata, _ := o["metadata"].(map[string]any)
		if labels, _ := metadata["labels"].(map[string]any); labels[label] == recorded {
			labels[label] = now
		}
		annotations, _ := metadata["annotations"].(map[string]any)
		if of, rest, _ := strings.Cut(o.Annotation(id), ":"); of == recorded {
			annotations[id] = now + ":" + rest
		}
	}
	for _, o := range c.Resources {
		mark(o)
	}
	if c.Managed == nil {
		return
	}
	of := strings.NewReplacer(`"`+label+`":"`+recorded+`"`, `"`+label+`":"`+now+`"`, `"`+id+`":"`+recorded+`:`, `"`+id+`":"`+now+`:`)
	for i := range c.Managed.Items {
		d := &c.Managed.Items[i]
		for _, state := range []*evidence.State{&d.LiveState, &d.TargetState, &d.NormalizedLiveState, &d.PredictedLiveState} {
			*state = evidence.State(of.Replace(string(*state)))
		}
	}
}

// exist has an application that never failed exist for actions.
func (l *lab) exist(app action.App) {
	l.mu.Lock()
	known := l.simulated[app] != nil
	l.mu.Unlock()
	if known {
		return
	}
	well := &evidence.Application{}
	well.Spec.Project, well.Status.Sync.Status, well.Status.Health.Status = "default", "Synced", "Healthy"
	l.simulate(app, &evidence.Case{Version: evidence.CaseVersion, Application: well})
}

// operate begins an operation.
func (s *simulated) operate(phase string, sync evidence.SyncOperation, info []remedy.Info) {
	op := &evidence.OperationState{Phase: phase, StartedAt: evidence.Time{Time: time.Now()}}
	op.Operation.Sync = &sync
	for _, i := range info {
		op.Operation.Info = append(op.Operation.Info, evidence.OperationInfo{Name: i.Name, Value: i.Value})
	}
	s.Application.Status.OperationState = op
}

// end ends the operation that is under way.
func (s *simulated) end(phase, message string) {
	op := *s.Application.Status.OperationState
	op.Phase, op.Message, op.FinishedAt = phase, message, evidence.Time{Time: time.Now()}
	s.Application.Status.OperationState = &op
}

// becomesWell is what a sync brings about.
func (s *simulated) becomesWell() {
	st := &s.Application.Status
	st.Sync.Status, st.Health.Status, st.Conditions = "Synced", "Healthy", nil
	if op := st.OperationState; op != nil { // a recorded one is of another year
		st.ReconciledAt = evidence.Time{Time: op.FinishedAt.Add(time.Second)}
	}
	for i := range st.Resources {
		st.Resources[i].Status = "Synced"
	}
}

// actions is what one process can see and do: it implements remedy.Gateway.
type actions struct{ *bot }

// of does something with an application while nobody else does, and has the bot hear of it.
func (a actions) of(app action.App, do func(s *simulated) error) error {
	a.lab.mu.Lock()
	s := a.lab.simulated[app]
	if s == nil {
		a.lab.mu.Unlock()
		return action.ErrGone
	}
	err := do(s)
	a.lab.mu.Unlock()
	return err
}

// did notes what happened to the cluster: what a story counts.
func (a actions) did(app action.App, what string) {
	a.lab.effects = append(a.lab.effects, app.Label()+": "+what)
}

// changed makes a new report of an application, and has the bot hear of it.
func (l *lab) changed(app action.App) {
	l.mu.Lock()
	s := l.simulated[app]
	var r *diagnose.Report
	var err error
	switch st := s.Application.Status; {
	case st.Sync.Status == "Synced" && st.Health.Status == "Healthy" && !st.OperationState.Running() && !st.OperationState.Failed():
		r = healthy(app, diagnose.VerdictHealthy)
		r.Context.Revision, r.Well.Sync = st.Sync.Revision, synced(st.OperationState)
	default:
		r, err = s.report(app)
	}
	l.mu.Unlock()
	if err != nil {
		l.t.Error(err)
		return
	}
	l.set(app, r, true)
}

// asOf is the application as of the commit that was confirmed, where the newest wants the same.
func (s *simulated) asOf(commit string) (*evidence.Application, action.Moved) {
	app := *s.Application
	newest := app.Status.Sync.Revision
	if commit == "" || commit == newest || cmp.Or(s.same[newest], newest) != cmp.Or(s.same[commit], commit) {
		return &app, action.Moved{}
	}
	app.Status.Sync.Revision = commit
	return &app, action.Moved{To: newest}
}

func (s *simulated) report(app action.App) (*diagnose.Report, error) {
	r, err := diagnosed(s.Case, app)
	if err == nil {
		redate(r, s.failed)
	}
	return r, err
}

// synced is the last operation of an application that is well.
func synced(op *evidence.OperationState) *diagnose.Synced {
	if op == nil || op.Operation.Sync == nil || op.DryRun() || op.Phase != evidence.OperationSucceeded {
		return nil
	}
	out := &diagnose.Synced{Revision: op.Revision(), Started: op.StartedAt.Time, Finished: op.FinishedAt.Time, By: op.Operation.Starter(), Info: op.Operation.Info}
	for _, res := range op.Results() {
		out.Applied = append(out.Applied, res.Ref())
	}
	return out
}

// syncedBy is a sync of somebody else's that puts everything right.
func (s *simulated) syncedBy(who, revision string) {
	s.Application.Status.Sync.Revision = revision
	s.operate(evidence.OperationRunning, evidence.SyncOperation{Revision: revision}, nil)
	by := &s.Application.Status.OperationState.Operation.InitiatedBy
	by.Username, by.Automated = who, false
	if who == "auto-sync" {
		by.Username, by.Automated = "", true
	}
	s.end(evidence.OperationSucceeded, "successfully synced (all tasks run)")
	s.becomesWell()
}

// Look implements remedy.Gateway.
func (a actions) Look(ctx context.Context, req action.Request) (out *action.Situation, err error) {
	var as evidence.Case
	err = a.of(req.App, func(s *simulated) error {
		app, moved := s.asOf(req.Sync.Commit)
		as = *s.Case
		as.Application = app
		r, err := diagnosed(&as, req.App)
		if err != nil {
			return err
		}
		out = &action.Situation{Report: r, Application: app, Windows: s.Windows, Moved: moved}
		if s.Managed != nil {
			out.Managed = s.Managed.Items
		}
		if s.job != nil {
			job := *s.job
			out.Job = &job
		}
		return nil
	})
	if err == nil && a.lab.seen.restricted() {
		out.Report, err = a.lab.diagnosedFor(ctx, &as, req.App, a.places.Reported(ctx, req.App, a.store.ChannelOf(req.App)))
	}
	return out, err
}

// Application implements remedy.Gateway.
func (a actions) Application(_ context.Context, app action.App) (out *evidence.Application, err error) {
	err = a.of(app, func(s *simulated) error {
		one := *s.Application
		out = &one
		return nil
	})
	return out, err
}

// HardRefresh implements remedy.Gateway.
func (a actions) HardRefresh(_ context.Context, app action.App) error {
	return a.lab.around(a.bot, "hard-refresh", func() error {
		err := a.of(app, func(s *simulated) error {
			a.did(app, "hard refresh")
			if s.fixed {
				s.becomesWell()
			}
			return nil
		})
		a.lab.changed(app)
		return err
	})
}

// Terminate implements remedy.Gateway.
func (a actions) Terminate(_ context.Context, app action.App, startedAt time.Time) error {
	return a.lab.around(a.bot, "terminate", func() error {
		return a.of(app, func(s *simulated) error {
			op := s.Application.Status.OperationState
			if !op.Running() || !op.StartedAt.Equal(startedAt) {
				return action.ErrChanged
			}
			a.did(app, "terminate")
			s.end(evidence.OperationTerminating, "")
			a.lab.later(app, terminateTakes, func(s *simulated) { s.end(evidence.OperationFailed, "Operation terminated") })
			return nil
		})
	})
}

// Sync implements remedy.Gateway.
func (a actions) Sync(_ context.Context, app action.App, call remedy.SyncCall) (revision string, err error) {
	name := "sync"
	if call.DryRun {
		name = "dry-run"
	}
	err = a.lab.around(a.bot, name, func() error {
		return a.of(app, func(s *simulated) error {
			if s.Application.Status.OperationState.Running() {
				return errors.New("another operation is already in progress; wait until it has ended")
			}
			what := name + " " + text.Revision(call.Revision)
			if call.Prune {
				what += " with prune"
			}
			a.did(app, what)
			revision = call.Revision
			s.operate(evidence.OperationRunning, evidence.SyncOperation{Revision: call.Revision, Prune: call.Prune, DryRun: call.DryRun}, call.Info)
			if call.DryRun {
				a.lab.later(app, dryRunTakes, (*simulated).dryRunEnds)
			} else {
				a.lab.later(app, syncTakes, (*simulated).syncEnds)
			}
			return nil
		})
	})
	return revision, err
}

func (s *simulated) dryRunEnds() {
	if s.refuses != "" {
		s.end(evidence.OperationFailed, s.refuses)
		return
	}
	s.end(evidence.OperationSucceeded, "successfully synced (dry run)")
}

func (s *simulated) syncEnds() {
	if !s.fixed {
		s.end(evidence.OperationFailed, "one or more synchronization tasks completed unsuccessfully")
		s.Application.Status.OperationState.SyncResult = s.first
		if s.job != nil { // the hook ran again, in another Job
			s.job.UID = "uid-of-the-one-that-failed-again"
		}
		return
	}
	s.end(evidence.OperationSucceeded, "successfully synced (all tasks run)")
	s.becomesWell()
}

// lose takes an object out of the cluster, with its pods and their logs.
func (s *simulated) lose(ref evidence.Ref) {
	if s.Tree == nil {
		return
	}
	s.Case.Missing = append(s.Case.Missing, ref)
	gone := map[string]bool{}
	left := evidence.Tree{OrphanedNodes: s.Tree.OrphanedNodes}
	left.Nodes = slices.DeleteFunc(slices.Clone(s.Tree.Nodes), func(n evidence.Node) bool {
		is := n.Ref().Same(ref) || slices.ContainsFunc(n.ParentRefs, func(p evidence.Parent) bool { return p.Ref().Same(ref) })
		gone[n.Ref().Name] = is
		return is
	})
	s.Tree = &left
	s.Logs = slices.DeleteFunc(slices.Clone(s.Logs), func(l evidence.Log) bool { return gone[l.Pod] })
	s.Resources = slices.DeleteFunc(slices.Clone(s.Resources), func(o evidence.Object) bool { return gone[o.Ref().Name] })
}

// later is Argo CD's own time: it goes on when the bot is dead.
func (l *lab) later(app action.App, d time.Duration, do func(*simulated)) {
	time.AfterFunc(d, func() {
		l.mu.Lock()
		s := l.simulated[app]
		if s != nil {
			do(s)
		}
		l.mu.Unlock()
		if s != nil {
			l.changed(app)
		}
	})
}

// JobLog implements remedy.Gateway.
func (a actions) JobLog(_ context.Context, app action.App, _ action.Job) (content string, err error) {
	err = a.of(app, func(s *simulated) error {
		for _, l := range s.Logs {
			content += l.Text + "\n"
		}
		return nil
	})
	return content, err
}

// DeleteJob implements remedy.Gateway.
func (a actions) DeleteJob(_ context.Context, app action.App, job action.Job) (string, error) {
	return "Kubernetes", a.lab.around(a.bot, "delete-job", func() error {
		err := a.of(app, func(s *simulated) error {
			if s.job == nil || s.job.UID != job.UID {
				return action.ErrChanged
			}
			a.did(app, "delete "+job.Ref.String())
			s.job = nil
			s.lose(job.Ref)
			return nil
		})
		if err == nil {
			a.lab.changed(app)
		}
		return err
	})
}

// Job implements remedy.Gateway.
func (a actions) Job(_ context.Context, app action.App, job action.Job) (out *action.Job, err error) {
	err = a.of(app, func(s *simulated) error {
		if s.job != nil && s.job.UID == job.UID {
			one := *s.job
			out = &one
		}
		return nil
	})
	return out, err
}

// Announce implements remedy.Gateway.
func (a actions) Announce(_ context.Context, app action.App, e action.Event) error {
	return a.of(app, func(*simulated) error {
		if a.lab.events[e.Record] == "" {
			a.lab.events[e.Record] = fmt.Sprintf("%s: %s %s", app.Label(), e.Reason, strings.TrimSpace(e.Message))
		}
		return nil
	})
}

// Lacks implements remedy.Gateway.
func (a actions) Lacks(context.Context, action.Kind, action.App, string) (string, error) {
	return "", nil
}
