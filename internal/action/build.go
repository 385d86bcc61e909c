package action

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// Build works out what would happen if it were done now, or why it cannot be. It is pure: the same request and situation give
// the same plan, in which only words about how long ago something was depend on now.
func Build(req Request, s *Situation, now time.Time) *Plan {
	if s == nil {
		s = &Situation{}
	}
	p := &Plan{Request: req, built: now.UTC(), application: s.Application}
	if a := s.Application; a != nil {
		p.Project, p.Destination = a.ProjectName(), a.Spec.Destination
	}
	switch {
	case req.Kind == Mute:
		p.mute()
	case !slices.Contains(Kinds, req.Kind):
		p.refuse("unknown action")
	case s.Application == nil:
		p.refuse("the application could not be read")
	case req.Kind == HardRefresh:
		p.hardRefresh(s)
	case req.Kind == DeleteHookJob:
		p.deleteHookJob(s)
	case req.Kind == Terminate:
		p.terminate(s)
	case req.Kind == Sync:
		p.sync(s)
	}
	return p
}

// refuse keeps the first reason: what follows from it helps nobody.
func (p *Plan) refuse(format string, args ...any) {
	if p.RefusedBecause == "" {
		p.RefusedBecause = fmt.Sprintf(format, args...)
	}
}

func (p *Plan) mute() {
	if p.MuteFor <= 0 {
		p.Steps = []string{"Unmute this incident"}
		return
	}
	p.Steps = []string{fmt.Sprintf("Mute this incident for %s", text.Duration(p.MuteFor))}
}

// hardRefresh changes nothing in any cluster, so it needs no reason.
func (p *Plan) hardRefresh(s *Situation) {
	p.Steps = []string{"Render the manifests again without Argo CD's cache, and compare them with the cluster"}
	p.refuseDeleted(s.Application)
	p.refuseUnattended(s.Report, "refresh")
	if s.Application.RefreshRequested() == "hard" {
		p.refuse("a hard refresh is already requested and has not happened yet")
	}
	if a, _ := offer(s.Report, p.Request); a != nil {
		p.Why = a.Why
	}
}

func (p *Plan) terminate(s *Situation) {
	op := s.Application.Status.OperationState
	switch {
	case !op.Running():
		p.refuse("no operation is running")
	case op.Phase == evidence.OperationTerminating:
		p.refuse("the %s is already being terminated", p.operation(op))
	}
	if op.Running() {
		p.Operation = op.StartedAt.Time
		p.Steps = []string{"Terminate the " + p.operation(op)}
	}
	p.refuseUnattended(s.Report, "termination")
	p.requireOffer(s.Report, "nothing suggests that the operation is stuck")
	p.Fingerprint = fingerprintOf(p.Request, s, nil)
}

// deleteHookJob deletes a Job that ended. Where an operation is running it may wait for that Job, and would make of its
// deletion what nobody foresees: it is terminated first.
func (p *Plan) deleteHookJob(s *Situation) {
	app, op := s.Application, s.Application.Status.OperationState
	p.Job = s.Job
	p.refuseJob(s.Job, s.ArgoNamespace)
	switch {
	case op.Running() && op.Phase == evidence.OperationTerminating:
		p.refuse("the %s is being terminated: try again when it has ended", p.operation(op))
	case !op.Running() && app.Operation != nil:
		p.refuse("%s", pendingOperation(app))
	case op.Running():
		p.refuseUnattended(s.Report, "termination of the running operation")
		p.Needs, p.Operation = []Kind{Terminate}, op.StartedAt.Time
		p.Steps = append(p.Steps, "Terminate the "+p.operation(op)+" and wait for it to end")
	}
	p.Steps = append(p.Steps, fmt.Sprintf("Save the log of %s to the thread", jobName(p)), fmt.Sprintf("Delete %s", jobName(p)))
	p.requireOffer(s.Report, fmt.Sprintf("%s is not a hook Job that failed or blocks a sync", jobName(p)))
	p.Fingerprint = fingerprintOf(p.Request, s, nil)
}

// refuseJob checks all that must be true of a Job before it may be deleted.
func (p *Plan) refuseJob(j *Job, argo string) {
	switch {
	case p.Target.IsZero():
		p.refuse("no Job was specified")
	case j == nil:
		p.refuse("%s no longer exists", p.Target)
	case j.UID == "" || j.Ref.Kind != "Job" || !j.Ref.Same(p.Target):
		p.refuse("%s could not be read", p.Target)
	case j.Hook == "":
		p.refuse("%s has no hook annotation: it is a regular resource of the application, not a hook", j.Ref)
	case !j.BelongsTo(p.App, argo):
		p.refuse("%s", foreign(j))
	case j.Deleting:
		p.refuse("%s is already being deleted", j.Ref)
	case j.Active > 0 || j.Finished == "":
		p.refuse("%s is still running, and running Jobs are never deleted", j.Ref)
	}
}

func foreign(j *Job) string {
	if j.TrackedBy == "" {
		return fmt.Sprintf("%s is not tracked by any application", j.Ref)
	}
	return fmt.Sprintf("%s belongs to application %s", j.Ref, j.TrackedBy)
}

func (p *Plan) refuseDeleted(app *evidence.Application) {
	if t := app.Metadata.DeletionTimestamp; !t.IsZero() {
		p.refuse("the application is being deleted (since %s)", text.Moment(t.Time, p.built))
	}
}

// refuseUnattended refuses what an application controller would have to do where none acts on the application: Argo CD's API takes the request,
// and it stays pending.
func (p *Plan) refuseUnattended(r *diagnose.Report, what string) {
	if r != nil && r.Unattended != "" {
		p.refuse("the %s would stay pending %s", what, r.Unattended)
	}
}

// pendingOperation says that an operation was requested and has not started.
func pendingOperation(app *evidence.Application) string {
	return fmt.Sprintf("a sync requested%s is about to start", cmp.Or(by(app.Operation), " earlier"))
}

// operation names a running operation: "sync of 3f2a91c that started at 02:51 UTC, requested by dana".
func (p *Plan) operation(op *evidence.OperationState) string {
	s := "sync"
	if r := op.Revision(); r != "" {
		s += " of " + text.Revision(r)
	}
	s += " that started at " + text.Moment(op.StartedAt.Time, p.built)
	if who := by(&op.Operation); who != "" {
		s += ", requested" + who
	}
	return s
}

// by is " by dana" with a space in front, or nothing.
func by(op *evidence.Operation) string {
	if who := op.Starter(); who != "" {
		return " by " + who
	}
	return ""
}

// requireOffer refuses what the report does not offer, with its reason or else with ours, and says why it does.
func (p *Plan) requireOffer(r *diagnose.Report, otherwise string) {
	a, refused := offer(r, p.Request)
	switch {
	case r == nil:
		p.refuse("the application could not be diagnosed")
	case a != nil:
		p.Why, p.Confirm = a.Why, a.Once
	case refused != "":
		p.refuse("%s", refused)
	default:
		p.refuse("%s", otherwise)
	}
}

// offer is the action of a report, nil where it has none or refuses it: then with the reason. One that makes sense once a
// person says that something is true is offered, too: who acts asks for that.
func offer(r *diagnose.Report, req Request) (*diagnose.Action, string) {
	if r == nil {
		return nil, ""
	}
	refused := ""
	for i := range r.Actions {
		a := &r.Actions[i]
		switch {
		case a.ID != string(req.Kind), req.Kind == DeleteHookJob && !a.Target.Same(req.Target):
		case a.RefusedBecause == "" || a.Once != "":
			return a, ""
		default:
			refused = cmp.Or(refused, a.RefusedBecause)
		}
	}
	return nil, refused
}
