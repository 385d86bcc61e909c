package serve

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/clean"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/remedy"
)

// world is one Argo CD, and the clusters behind it, as actions see them.
type world struct{ *instance }

var _ remedy.Gateway = world{}

const (
	// refreshTimeout is how long Argo CD may take to compare with Git. A person waits, and what is there already is worth
	// showing.
	refreshTimeout = 15 * time.Second
	// hardRefreshTimeout is longer: everything is rendered anew.
	hardRefreshTimeout = time.Minute
	// actTimeout is for one call that changes something. It is well below the lease of who makes it.
	actTimeout = 15 * time.Second
	// logTimeout is for the logs of all pods of a Job, one after the other; logLines and logBytes are of each.
	logTimeout         = 25 * time.Second
	logLines, logBytes = 200, 64 << 10
)

// Look implements remedy.Gateway. The report and all that is read beside it are of one reading of the application.
func (w world) Look(ctx context.Context, want action.Request) (*action.Situation, error) {
	s := &action.Situation{}
	a := w.application(want.App)
	if want.Kind == action.Sync {
		if err := w.refresh(ctx, a, false, refreshTimeout); err != nil {
			s.Unread = append(s.Unread, "Argo CD did not compare with Git just now ("+evidence.OneLine(clean.Text(err.Error()))+")")
		}
	}
	report, err := w.diagnose(ctx, want.App, a)
	if err != nil {
		return nil, gone(err)
	}
	s.Report, s.Application = report, a.Application()
	if s.Application == nil {
		return nil, fmt.Errorf("read %s: Argo CD does not show it: %s", want.App.Name, report.Headline)
	}
	source := w.source(a)
	switch want.Kind {
	case action.Sync:
		w.lookForSync(ctx, source, a, s)
	case action.DeleteHookJob:
		s.Job, err = job(ctx, source, want.Target)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", want.Target, err)
		}
	case action.HardRefresh, action.Terminate, action.Mute:
	}
	return s, nil
}

// lookForSync reads what a sync would change. What cannot be read is said, not guessed.
func (w world) lookForSync(ctx context.Context, source evidence.Source, a *argo.App, s *action.Situation) {
	var err error
	unread := func(what string, err error) {
		if err != nil {
			s.Unread = append(s.Unread, what+" ("+evidence.OneLine(clean.Text(err.Error()))+")")
		}
	}
	s.Managed, err = source.ManagedResources(ctx)
	unread("the differences", err)
	s.Windows, err = source.SyncWindows(ctx)
	unread("the sync windows", err)
	s.Manifests, err = a.Manifests(ctx, revisions(s.Application.Status.Sync)...)
	unread("the hooks", err)
}

// revisions are those that were compared, one for each source; none before the first comparison.
func revisions(s evidence.SyncStatus) []string {
	if len(s.Revisions) == 0 && s.Revision != "" {
		return []string{s.Revision}
	}
	return s.Revisions
}

// job reads a hook's Job, through Argo CD or the cluster.
func job(ctx context.Context, source evidence.Source, ref evidence.Ref) (*action.Job, error) {
	ctx, cancel := context.WithTimeout(ctx, factTimeout)
	defer cancel()
	object, err := source.Object(ctx, evidence.ObjectQuery{Ref: ref})
	if err != nil || object == nil {
		return nil, err
	}
	return action.JobOf(object), nil
}

func (w world) refresh(ctx context.Context, a *argo.App, hard bool, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, err := a.Refresh(ctx, hard)
	return err
}

// Application implements remedy.Gateway.
func (w world) Application(ctx context.Context, app action.App) (*evidence.Application, error) {
	ctx, cancel := context.WithTimeout(ctx, factTimeout)
	defer cancel()
	subject, err := w.application(app).Subject(ctx)
	switch {
	case w.unknown(app, err):
		return nil, action.ErrGone
	case err != nil:
		return nil, err
	case subject.Application == nil:
		return nil, fmt.Errorf("read %s: Argo CD does not show it: %s", app.Name, evidence.OneLine(clean.Text(subject.Refusal)))
	}
	return subject.Application, nil
}

// HardRefresh implements remedy.Gateway.
func (w world) HardRefresh(ctx context.Context, app action.App) error {
	return w.refresh(ctx, w.application(app), true, hardRefreshTimeout)
}

// Terminate implements remedy.Gateway. Argo CD ends whatever is running, so it is looked at right before.
func (w world) Terminate(ctx context.Context, app action.App, startedAt time.Time) error {
	now, err := w.Application(ctx, app)
	if err != nil {
		return err
	}
	op := now.Status.OperationState
	if !op.Running() || !op.StartedAt.Equal(startedAt) {
		return action.ErrChanged
	}
	ctx, cancel := context.WithTimeout(ctx, actTimeout)
	defer cancel()
	return changed(w.application(app).Terminate(ctx))
}

// Sync implements remedy.Gateway.
func (w world) Sync(ctx context.Context, app action.App, call remedy.SyncCall) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, actTimeout)
	defer cancel()
	request := argo.SyncRequest{Revision: call.Revision, Prune: call.Prune, DryRun: call.DryRun, Resources: call.Resources}
	if several := strings.Split(call.Revision, ", "); len(several) > 1 {
		request.Revision, request.Revisions = "", several
	}
	for _, i := range call.Info {
		request.Info = append(request.Info, argo.SyncInfo(i))
	}
	return w.application(app).Sync(ctx, request)
}

// JobLog implements remedy.Gateway.
func (w world) JobLog(ctx context.Context, app action.App, j action.Job) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, logTimeout)
	defer cancel()
	text, err := w.application(app).JobLog(ctx, j.Ref, logLines, logBytes)
	return clean.Text(text), err
}

// DeleteJob implements remedy.Gateway: through the cluster, which compares the UID as it deletes; where that cannot be reached,
// or does not let us, through Argo CD, which takes a name alone, so that it is looked at right before.
func (w world) DeleteJob(ctx context.Context, app action.App, j action.Job) (way string, err error) {
	ctx, cancel := context.WithTimeout(ctx, actTimeout)
	defer cancel()
	a := w.application(app)
	if _, err := a.Subject(ctx); err != nil { // names the cluster
		return "", err
	}
	err = w.clusters.App(a.Application).DeleteJob(ctx, j.Ref, j.UID)
	if err == nil || !kube.Untouched(err) {
		return "Kubernetes", err
	}
	now, err := w.Job(ctx, app, j)
	switch {
	case err != nil:
		return "", err
	case now == nil || now.Active > 0:
		return "", action.ErrChanged
	}
	return "Argo CD", changed(a.DeleteResource(ctx, j.Ref, j.UID))
}

// changed is ErrChanged of actions for that of Argo CD.
func changed(err error) error {
	if errors.Is(err, argo.ErrChanged) {
		return action.ErrChanged
	}
	return err
}

// Job implements remedy.Gateway.
func (w world) Job(ctx context.Context, app action.App, j action.Job) (*action.Job, error) {
	a := w.application(app)
	if _, err := a.Subject(ctx); err != nil {
		return nil, err
	}
	now, err := job(ctx, w.source(a), j.Ref)
	if err != nil || now == nil || now.UID != j.UID {
		return nil, err
	}
	return now, nil
}

// Announce implements remedy.Gateway.
func (w world) Announce(ctx context.Context, app action.App, e action.Event) error {
	ctx, cancel := context.WithTimeout(ctx, actTimeout)
	defer cancel()
	a := w.application(app)
	if _, err := a.Subject(ctx); err != nil { // its UID is the event's
		return err
	}
	return w.clusters.App(a.Application).Announce(ctx, e)
}

// Lacks implements remedy.Gateway.
func (w world) Lacks(ctx context.Context, kind action.Kind, app action.App, project string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, factTimeout)
	defer cancel()
	right, lacks, err := LacksRight(ctx, w.client, w.clusters, kind, w.client.App(app.Name, app.Namespace, project), project)
	if err != nil || !lacks {
		return "", err
	}
	return fmt.Sprintf("the bot's account in Argo CD %s lacks a right; add to policy.csv in argocd-rbac-cm: %s", w.name, right.Line("argo-why", project)), nil
}

// LacksRight asks whether the account in Argo CD lacks its right for a kind of action on an application of a project. Jobs are
// deleted in the cluster of the application, and through Argo CD where the bot may not do that. For other kinds of action the
// application is not looked at.
func LacksRight(ctx context.Context, client *argo.Client, clusters *kube.Clusters, kind action.Kind, app *argo.App, project string) (argo.Right, bool, error) {
	right, ok := argo.RightTo(string(kind))
	if !ok {
		return right, false, nil // muting takes nothing
	}
	if kind == action.DeleteHookJob {
		if _, err := app.Subject(ctx); err != nil {
			return right, false, err
		}
		if deletesJobs(ctx, clusters, app) {
			return right, false, nil
		}
	}
	has, err := client.Has(ctx, right, project, app)
	return right, err == nil && !has, err
}

// deletesJobs reports whether the bot may delete Jobs of the application in its cluster, which it may not reach.
func deletesJobs(ctx context.Context, clusters *kube.Clusters, of *argo.App) bool {
	app := of.Application()
	if app == nil {
		return false
	}
	lacks, err := clusters.App(of.Application).LacksJobs(ctx, app.Spec.Destination.Namespace)
	return err == nil && lacks == ""
}

// gone is ErrGone of actions for that of incidents.
func gone(err error) error {
	if errors.Is(err, incident.ErrGone) {
		return action.ErrGone
	}
	return err
}
