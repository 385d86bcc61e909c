package gateway

import (
	"context"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// refreshTimeout is how long Argo CD may take to compare with Git before a plan is made. A person waits, and what is known
// already is worth showing: the plan says that it may be old.
const refreshTimeout = 15 * time.Second

// Situation is what a plan is made of. The report, which is for those who read the plan, and all that is read beside it are of one reading of the
// application.
func (in *Instance) Situation(ctx context.Context, req action.Request, who audience.Audience) (*action.Situation, error) {
	s := &action.Situation{}
	a := in.app(req.App)
	if req.Kind == action.Sync {
		unread(s, "a fresh comparison with Git", refresh(ctx, a))
		var err error
		switch s.Moved, err = a.hold(ctx, req.Sync.Commit); {
		case in.isGone(req.App, err):
			return nil, action.ErrGone
		case err != nil:
			return nil, err
		}
	}
	report, err := in.diagnose(ctx, req.App, a, who, Diagnose)
	if err != nil {
		return nil, err
	}
	s.Report, s.Application = report, a.Application()
	if s.Application == nil {
		return nil, &RefusedError{Name: req.App.Name, Refusal: sanitize.Line(report.Headline)}
	}
	if s.Moved.To != "" && s.Application.Status.Sync.At() != req.Sync.Commit {
		return nil, errMoved
	}
	switch req.Kind {
	case action.Sync:
		lookForSync(ctx, a, s)
	case action.DeleteHookJob:
		s.Job, err = job(ctx, a, req.Target)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", req.Target, err)
		}
		if project, err := a.Source().Project(ctx); err == nil && project != nil {
			s.ArgoNamespace = project.Metadata.Namespace
		}
	case action.HardRefresh, action.Terminate, action.Mute:
	}
	return s, nil
}

func refresh(ctx context.Context, a *App) error {
	ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	_, err := a.argo.Refresh(ctx, false)
	return err
}

// lookForSync reads what a sync would change. What cannot be read is said, not guessed.
func lookForSync(ctx context.Context, a *App, s *action.Situation) {
	var err error
	s.Managed, err = a.argo.ManagedResources(ctx)
	unread(s, "the differences", err)
	s.Windows, err = a.argo.SyncWindows(ctx)
	unread(s, "the sync windows", err)
	s.Manifests, err = a.argo.Manifests(ctx, revisions(s.Application.Status.Sync)...)
	unread(s, "the hooks", err)
}

func unread(s *action.Situation, what string, err error) {
	if err != nil {
		s.Unread = append(s.Unread, string(sanitize.Sprintf("%s (%s)", what, err)))
	}
}

// revisions are those that were compared, one for each source; none before the first comparison.
func revisions(s evidence.SyncStatus) []string {
	if len(s.Revisions) == 0 && s.Revision != "" {
		return []string{s.Revision}
	}
	return s.Revisions
}

// job reads a hook's Job, through Argo CD or the cluster; nil when there is none.
func job(ctx context.Context, a *App, ref evidence.Ref) (*action.Job, error) {
	object, err := a.Source().Object(ctx, evidence.ObjectQuery{Ref: ref})
	if err != nil || object == nil {
		return nil, err
	}
	return action.JobOf(object), nil
}
