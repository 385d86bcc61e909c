package gateway

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/remedy"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// logLines and logBytes are how much is saved of the log of each pod of a Job.
const logLines, logBytes = 200, 64 << 10

// HardRefresh implements remedy.Gateway.
func (in *Instance) HardRefresh(ctx context.Context, app diagnose.AppName) error {
	_, err := in.app(app).argo.Refresh(ctx, true)
	return err
}

// Terminate implements remedy.Gateway. Argo CD ends whatever is running, so it is looked at right before.
func (in *Instance) Terminate(ctx context.Context, app diagnose.AppName, startedAt time.Time) error {
	a := in.app(app)
	now, err := in.subject(ctx, app, a)
	if err != nil {
		return err
	}
	op := now.Status.OperationState
	if !op.Running() || !op.StartedAt.Equal(startedAt) {
		return action.ErrChanged
	}
	return changed(a.argo.Terminate(ctx))
}

// Sync implements remedy.Gateway.
func (in *Instance) Sync(ctx context.Context, app diagnose.AppName, call remedy.SyncCall) (string, error) {
	request := argo.SyncRequest{Revision: call.Revision, Exactly: call.Exactly, Prune: call.Prune, DryRun: call.DryRun, Resources: call.Resources}
	if several := strings.Split(call.Revision, ", "); len(several) > 1 {
		request.Revision, request.Revisions = "", several
	}
	for _, i := range call.Info {
		request.Info = append(request.Info, argo.SyncInfo(i))
	}
	return in.app(app).argo.Sync(ctx, request)
}

// JobLog implements remedy.Gateway.
func (in *Instance) JobLog(ctx context.Context, app diagnose.AppName, j action.Job) (string, error) {
	text, err := in.app(app).argo.JobLog(ctx, j.Ref, logLines, logBytes)
	return sanitize.Text(text), err
}

// DeleteJob implements remedy.Gateway: through the cluster, which compares the UID as it deletes; where that cannot be reached,
// or does not let us, through Argo CD, which takes a name alone, so that it is looked at right before.
func (in *Instance) DeleteJob(ctx context.Context, app diagnose.AppName, j action.Job) (way string, err error) {
	a := in.app(app)
	if _, err := a.Subject(ctx); err != nil { // names the cluster
		return "", err
	}
	err = a.cluster.DeleteJob(ctx, j.Ref, j.UID)
	if err == nil || !kube.Untouched(err) {
		return "Kubernetes", err
	}
	now, err := in.Job(ctx, app, j)
	switch {
	case err != nil:
		return "", err
	case now == nil || now.Active > 0:
		return "", action.ErrChanged
	}
	return "Argo CD", changed(a.argo.DeleteResource(ctx, j.Ref, j.UID))
}

// changed is ErrChanged of actions for that of Argo CD.
func changed(err error) error {
	if errors.Is(err, argo.ErrChanged) {
		return action.ErrChanged
	}
	return err
}

// Job implements remedy.Gateway.
func (in *Instance) Job(ctx context.Context, app diagnose.AppName, j action.Job) (*action.Job, error) {
	a := in.app(app)
	if _, err := a.Subject(ctx); err != nil {
		return nil, err
	}
	now, err := job(ctx, a, j.Ref)
	if err != nil || now == nil || now.UID != j.UID {
		return nil, err
	}
	return now, nil
}

// Announce implements remedy.Gateway.
func (in *Instance) Announce(ctx context.Context, app diagnose.AppName, e action.Event) error {
	a := in.app(app)
	if _, err := a.Subject(ctx); err != nil { // its UID is the event's
		return err
	}
	return a.cluster.Announce(ctx, e)
}
