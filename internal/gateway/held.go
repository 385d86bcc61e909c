package gateway

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

// held is the commit that an application is read as of, and the newest one, with which Argo CD has compared it.
type held struct{ commit, newest string }

// hold has the application read as of a commit that somebody has confirmed, if Git has moved on since
// and wants the same of it: what Argo CD has compared is then what it would have compared there. In a repository of many
// applications nothing could ever be approved if each commit mattered. Otherwise nothing changes, and the answer is zero.
func (a *App) hold(ctx context.Context, commit string) (action.Moved, error) {
	if commit == "" {
		return action.Moved{}, nil
	}
	subject, err := a.Subject(ctx)
	switch app := subject.Application; {
	case err != nil:
		return action.Moved{}, err
	case app == nil, app.Status.Sync.Status == "Unknown": // nothing was compared: the newest may not even render
		return action.Moved{}, nil
	}
	newest := subject.Application.Status.Sync.At()
	if newest == "" || newest == commit {
		return action.Moved{}, nil
	}
	then, err := a.argo.Rendered(ctx, commit)
	if err != nil {
		return action.Moved{}, fmt.Errorf("compare the newest commit with the confirmed one: %w", err)
	}
	now, err := a.argo.Rendered(ctx, newest)
	if err != nil {
		return action.Moved{}, fmt.Errorf("compare the newest commit with the confirmed one: %w", err)
	}
	if then != now {
		return action.Moved{}, nil
	}
	a.held = held{commit, newest}
	return action.Moved{To: newest, Hidden: strings.HasSuffix(now, evidence.Partly)}, nil
}

// errMoved: what was found out about the newest commit is not true of the one that was read then.
var errMoved = errors.New("somebody committed again while it was read; try again")

// of is the application as of the commit that is held; where Argo CD has compared yet another one by now, as it is.
func (h held) of(app *evidence.Application) *evidence.Application {
	if app == nil || h.newest == "" || app.Status.Sync.At() != h.newest {
		return app
	}
	as := *app
	if len(app.Status.Sync.Revisions) > 0 {
		as.Status.Sync.Revisions = strings.Split(h.commit, ", ")
	} else {
		as.Status.Sync.Revision = h.commit
	}
	return &as
}

// heldSource is a Source that shows the application as of the commit that is held.
type heldSource struct {
	evidence.Source
	held held
}

// Subject implements evidence.Source.
func (s heldSource) Subject(ctx context.Context) (evidence.Subject, error) {
	subject, err := s.Source.Subject(ctx)
	subject.Application = s.held.of(subject.Application)
	return subject, err
}
