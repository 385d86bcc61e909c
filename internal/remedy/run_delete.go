package remedy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

const (
	// goneFor is how long Kubernetes has to remove a deleted Job.
	goneFor = 30 * time.Second
	// logTimeout is for the logs of all pods of a Job, one after the other.
	logTimeout = 25 * time.Second
)

// deleteJob saves the logs of the hook Job into the thread, terminates the operation that waits for it, and deletes it.
func (t *turn) deleteJob(ctx context.Context, p *Plan) (outcome, error) {
	if p.Job == nil || p.Job.UID == "" {
		return ends(Failed, "Which Job it is could not be read, so nothing was done.")
	}
	job := *p.Job
	if out, err := t.saveLog(ctx, job); out != nil || err != nil {
		return deref(out), err
	}
	if !p.Operation.IsZero() {
		if _, out, err := t.endOperation(ctx, p.Operation); out != nil || err != nil {
			return deref(out), err
		}
	}
	if err := t.step(ctx, StepDelete); err != nil {
		return outcome{}, err
	}
	live, err := t.job(ctx, job)
	switch {
	case err != nil:
		return t.failed(ctx, fmt.Sprintf("%s could not be read, so it was not deleted", job.Ref), err)
	case live == nil:
		return ends(Done, "%s is gone already%s.", job.Ref, t.ifTerminated(p, ", Argo CD removed it when the operation ended"))
	case live.Deleting:
		return t.untilGone(ctx, job, fmt.Sprintf("%s was being deleted already", job.Ref))
	case live.Active > 0:
		return ends(Changed, "%s is running again, so it was not deleted%s.", job.Ref, t.ifTerminated(p, "; the operation was terminated"))
	}
	if out, err := t.inUse(ctx, job, p); out != nil || err != nil {
		return deref(out), err
	}
	calling, cancel := context.WithTimeout(ctx, effectTimeout)
	way, refused := t.world.DeleteJob(calling, t.record().App, job)
	cancel()
	switch {
	case ctx.Err() != nil:
		return outcome{}, context.Cause(ctx)
	case refused == nil:
		return t.untilGone(ctx, job, fmt.Sprintf("Deleted %s through %s", job.Ref, way))
	}
	return t.undeleted(ctx, job, refused)
}

// inUse looks once more whether an operation runs, which may wait for the Job: one may have begun since the plan.
func (t *turn) inUse(ctx context.Context, job Job, p *Plan) (*outcome, error) {
	reading, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	app, err := t.world.Application(reading, t.record().App)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return &outcome{Failed, fmt.Sprintf("The application could not be read, so %s was not deleted: %s", job.Ref, sentence(line(err.Error())))}, nil
	case app.Status.OperationState.Running() || app.Operation != nil:
		return &outcome{Changed, fmt.Sprintf("Another operation has begun and may wait for %s, so it was not deleted%s.", job.Ref, t.ifTerminated(p, "; the operation before it was terminated"))}, nil
	}
	return nil, nil
}

func (t *turn) ifTerminated(p *Plan, text string) string {
	if p.Operation.IsZero() {
		return ""
	}
	return text
}

// saveLog brings the tail of the Job's log into the thread. Nothing may be deleted before it stands there, unless there is none:
// one that cannot be read now is lost with the Job.
func (t *turn) saveLog(ctx context.Context, job Job) (*outcome, error) {
	if err := t.step(ctx, StepLogs); err != nil {
		return nil, err
	}
	reading, cancel := context.WithTimeout(ctx, logTimeout)
	text, unread := t.world.JobLog(reading, t.record().App, job)
	cancel()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	n := Note{At: time.Now(), From: job.Ref.String(), Log: tail(text)}
	switch {
	case unread != nil && !errors.Is(unread, evidence.ErrAbsent):
		return &outcome{Failed, fmt.Sprintf("The log of %s could not be read, so nothing was deleted: %s", job.Ref, sentence(line(unread.Error())))}, nil
	case unread != nil:
		n.Text = fmt.Sprintf("There is no log of %s to save: %s", job.Ref, sentence(line(unread.Error())))
	case n.Log == "":
		n.Text = fmt.Sprintf("The log of %s is empty.", job.Ref)
	}
	if err := t.write(ctx, func(r *Record, _ time.Time) { r.note(n) }); err != nil {
		return nil, err
	}
	for try := range 3 {
		if try > 0 {
			if err := t.wait(ctx, time.Duration(try)*5*time.Second); err != nil {
				return nil, err
			}
		}
		unread = t.tell(ctx, t.record(), false)
		if unread == nil || ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return &outcome{Failed, fmt.Sprintf("The log of %s could not be brought into the thread, so nothing was deleted: %s", job.Ref, sentence(line(unread.Error())))}, nil
}

// job reads the Job of that UID; nil when there is none.
func (t *turn) job(ctx context.Context, job Job) (*Job, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return t.world.Job(ctx, t.record().App, job)
}

// undeleted is what is known after a deletion that gave an error: the answer may have been lost, the deletion not.
func (t *turn) undeleted(ctx context.Context, job Job, refused error) (outcome, error) {
	live, err := t.job(ctx, job)
	why := sentence(line(refused.Error()))
	switch {
	case ctx.Err() != nil:
		return outcome{}, context.Cause(ctx)
	case err != nil:
		return ends(Failed, "Whether %s was deleted is not known: %s", job.Ref, why)
	case live == nil || live.Deleting:
		return t.untilGone(ctx, job, fmt.Sprintf("%s was deleted", job.Ref))
	case errors.Is(refused, ErrChanged):
		return ends(Changed, "%s changed at the last moment, so it was not deleted.", job.Ref)
	}
	return ends(Failed, "%s was not deleted: %s", job.Ref, why)
}

// untilGone waits until the deleted Job is gone.
func (t *turn) untilGone(ctx context.Context, job Job, text string) (outcome, error) {
	for until := time.Now().Add(goneFor); ; {
		live, err := t.job(ctx, job)
		switch {
		case ctx.Err() != nil:
			return outcome{}, context.Cause(ctx)
		case err == nil && live == nil:
			return ends(Done, "%s.", text)
		case !time.Now().Before(until) && err != nil:
			return ends(Done, "%s. Whether it is gone could not be read: %s", text, sentence(line(err.Error())))
		case !time.Now().Before(until):
			return ends(Done, "%s. It is still there, because Kubernetes waits for its finalizers or its pods; look at `metadata.finalizers` of %s.", text, job.Ref)
		}
		if err := t.wait(ctx, lookEvery); err != nil {
			return outcome{}, err
		}
	}
}
