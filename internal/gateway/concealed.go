package gateway

import (
	"context"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/remedy"
)

// Concealed wraps a gateway and removes private applications from what it returns: results of actions are posted in a thread in Argo CD's own words,
// and not everyone who reads the thread may see those applications. It implements remedy.Gateway.
type Concealed struct {
	remedy.Gateway
	// Others returns the other applications as the readers of an application's thread see them.
	Others func(ctx context.Context, app diagnose.AppName) *Others
}

// Application implements remedy.Gateway.
func (g Concealed) Application(ctx context.Context, app diagnose.AppName) (*evidence.Application, error) {
	a, err := g.Gateway.Application(ctx, app)
	return g.Others(ctx, app).Application(ctx, a), g.inWords(ctx, app, err)
}

// Look implements remedy.Gateway. The report is made for those who read it; what could not be read, Argo CD says in its own words.
func (g Concealed) Look(ctx context.Context, req action.Request) (*action.Situation, error) {
	s, err := g.Gateway.Look(ctx, req)
	if s != nil {
		for i, u := range s.Unread {
			s.Unread[i] = g.Others(ctx, req.App).Text(ctx, req.App, u)
		}
	}
	return s, g.inWords(ctx, req.App, err)
}

// HardRefresh implements remedy.Gateway.
func (g Concealed) HardRefresh(ctx context.Context, app diagnose.AppName) error {
	return g.inWords(ctx, app, g.Gateway.HardRefresh(ctx, app))
}

// Terminate implements remedy.Gateway.
func (g Concealed) Terminate(ctx context.Context, app diagnose.AppName, startedAt time.Time) error {
	return g.inWords(ctx, app, g.Gateway.Terminate(ctx, app, startedAt))
}

// Sync implements remedy.Gateway.
func (g Concealed) Sync(ctx context.Context, app diagnose.AppName, call remedy.SyncCall) (string, error) {
	revision, err := g.Gateway.Sync(ctx, app, call)
	return revision, g.inWords(ctx, app, err)
}

// JobLog implements remedy.Gateway.
func (g Concealed) JobLog(ctx context.Context, app diagnose.AppName, job action.Job) (string, error) {
	log, err := g.Gateway.JobLog(ctx, app, job)
	return g.Others(ctx, app).Text(ctx, app, log), g.inWords(ctx, app, err)
}

// DeleteJob implements remedy.Gateway.
func (g Concealed) DeleteJob(ctx context.Context, app diagnose.AppName, job action.Job) (string, error) {
	way, err := g.Gateway.DeleteJob(ctx, app, job)
	return way, g.inWords(ctx, app, err)
}

// inWords is an error in words that the readers may see; what kind of error it is stays.
func (g Concealed) inWords(ctx context.Context, app diagnose.AppName, err error) error {
	if err == nil {
		return nil
	}
	said := err.Error()
	if t := g.Others(ctx, app).Text(ctx, app, said); t != said {
		return concealedError{t, err}
	}
	return err
}

type concealedError struct {
	text string
	err  error
}

func (e concealedError) Error() string { return e.text }
func (e concealedError) Unwrap() error { return e.err }
