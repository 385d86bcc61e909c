package remedy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// maxDeletion is how long Kubernetes has to remove a deleted Job.
const maxDeletion = 30 * time.Second

// deleteJob saves the logs of the hook Job into the thread, terminates the operation that waits for it, and deletes it.
func (x *execution) deleteJob(ctx context.Context, p *action.Plan) error {
	if p.Job == nil || p.Job.UID == "" {
		return ends(action.Failed, "The Job could not be identified, so nothing was done.")
	}
	job := *p.Job
	if err := x.saveLog(ctx, job); err != nil {
		return err
	}
	if !p.Operation.IsZero() {
		if _, err := x.endOperation(ctx, p.Operation); err != nil {
			return err
		}
	}
	if err := x.step(ctx, action.StepDelete); err != nil {
		return err
	}
	live, err := x.job(ctx, job)
	switch {
	case err != nil:
		return refused(ctx, fmt.Sprintf("%s could not be read, so it was not deleted", job.Ref), err)
	case live == nil:
		return ends(action.Done, "%s was already gone%s.", job.Ref, x.ifTerminated(p, ": Argo CD removed it when the operation ended"))
	case live.Deleting:
		return x.untilGone(ctx, job, fmt.Sprintf("%s was already being deleted", job.Ref))
	case live.Active > 0:
		return ends(action.Changed, "%s is running again, so it was not deleted%s.", job.Ref, x.ifTerminated(p, "; the operation was terminated"))
	}
	if err := x.inUse(ctx, job, p); err != nil {
		return err
	}
	calling, cancel := context.WithTimeout(ctx, effectTimeout)
	way, failure := x.gateway.DeleteJob(calling, x.record().App, job)
	cancel()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case failure == nil:
		return x.untilGone(ctx, job, fmt.Sprintf("Deleted %s through %s", job.Ref, way))
	}
	return x.undeleted(ctx, job, failure)
}

// inUse looks once more whether an operation runs, which may wait for the Job: one may have begun since the plan.
func (x *execution) inUse(ctx context.Context, job action.Job, p *action.Plan) error {
	app, err := x.application(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return ends(action.Failed, "The application could not be read, so %s was not deleted: %s", job.Ref, err)
	case app.Status.OperationState.Running() || app.Operation != nil:
		return ends(action.Changed, "Another operation has started and may be waiting for %s, so it was not deleted%s.", job.Ref, x.ifTerminated(p, "; the previous operation was terminated"))
	}
	return nil
}

func (x *execution) ifTerminated(p *action.Plan, content string) string {
	if p.Operation.IsZero() {
		return ""
	}
	return content
}

// saveLog brings the tail of the Job's log into the thread. Nothing may be deleted before it stands there, unless there is none:
// one that cannot be read now is lost with the Job.
func (x *execution) saveLog(ctx context.Context, job action.Job) error {
	if err := x.step(ctx, action.StepLogs); err != nil {
		return err
	}
	reading, cancel := context.WithTimeout(ctx, logTimeout)
	content, unread := x.gateway.JobLog(reading, x.record().App, job)
	cancel()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	n := action.Note{At: time.Now(), From: job.Ref.String(), Log: tail(content)}
	switch {
	case unread != nil && !errors.Is(unread, evidence.ErrAbsent):
		return ends(action.Failed, "The log of %s could not be read, so nothing was deleted: %s", job.Ref, unread)
	case unread != nil:
		n.Text = string(sanitize.Sentence(sanitize.Sprintf("There is no log of %s to save: %s", job.Ref, unread)))
	case n.Log == "":
		n.Text = fmt.Sprintf("The log of %s is empty.", job.Ref)
	}
	if err := x.write(ctx, func(r *action.Record, _ time.Time) { r.AddNote(n) }); err != nil {
		return err
	}
	for try := range 3 {
		if try > 0 {
			if err := x.wait(ctx, time.Duration(try)*5*time.Second); err != nil {
				return err
			}
		}
		unread = x.messenger.send(ctx, x.record())
		if unread == nil || ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return ends(action.Failed, "The log of %s could not be saved to the thread, so nothing was deleted: %s", job.Ref, unread)
}

// job reads the Job of that UID; nil when there is none.
func (x *execution) job(ctx context.Context, job action.Job) (*action.Job, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return x.gateway.Job(ctx, x.record().App, job)
}

// undeleted is what is known after a deletion that gave an error: the answer may have been lost, the deletion not.
func (x *execution) undeleted(ctx context.Context, job action.Job, refused error) error {
	live, err := x.job(ctx, job)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return ends(action.Failed, "It is unclear whether %s was deleted: %s", job.Ref, refused)
	case live == nil || live.Deleting:
		return x.untilGone(ctx, job, fmt.Sprintf("%s was deleted", job.Ref))
	case errors.Is(refused, action.ErrChanged):
		return ends(action.Changed, "%s changed at the last moment, so it was not deleted.", job.Ref)
	}
	return ends(action.Failed, "%s was not deleted: %s", job.Ref, refused)
}

// untilGone waits until the deleted Job is gone.
func (x *execution) untilGone(ctx context.Context, job action.Job, content string) error {
	for until := time.Now().Add(maxDeletion); ; {
		live, err := x.job(ctx, job)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err == nil && live == nil:
			return ends(action.Done, "%s.", content)
		case !time.Now().Before(until) && err != nil:
			return ends(action.Done, "%s. Could not check whether it is gone: %s", content, err)
		case !time.Now().Before(until):
			return ends(action.Done, "%s. It still exists, because Kubernetes is waiting for its finalizers or its pods; check `metadata.finalizers` of %s.", content, job.Ref)
		}
		if err := x.wait(ctx, lookInterval); err != nil {
			return err
		}
	}
}
