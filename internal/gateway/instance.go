package gateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// Instance is one Argo CD of the configuration, followed: it knows by name which applications there are, diagnoses them, and is
// what internal/remedy acts through. It is safe for parallel use.
type Instance struct {
	Name string
	// Directory are its applications, as [Instance.Follow] keeps them.
	Directory *Directory

	conn    *Connection
	engine  *diagnose.Engine
	project func(diagnose.AppName) string
	log     *slog.Logger

	mu sync.Mutex
	// state is that of the watch: nil when it stands and everything was listed.
	state error
	// failing are the reports of the connections that fail, by the connection and what Argo CD says of it.
	failing map[string]*diagnose.Report
	// heard is what the application controller last reported, by cluster.
	heard map[string]heard
}

// InstanceOptions are what an Instance works with.
type InstanceOptions struct {
	Name       string
	Connection *Connection
	Engine     *diagnose.Engine
	// Project is the project of an application as it was known before this process began, "" where it was not.
	Project func(diagnose.AppName) string
	Log     *slog.Logger
}

// NewInstance makes an Instance that knows no application until Follow.
func NewInstance(o InstanceOptions) *Instance {
	return &Instance{
		Name: o.Name, Directory: newDirectory(), conn: o.Connection, engine: o.Engine, project: o.Project, log: o.Log, state: errNotConnected,
	}
}

// Read diagnoses an application for those who read the report, which names no other application that they may not see, and holds no
// secrets. The error is [action.ErrGone] when there is no such application.
func (in *Instance) Read(ctx context.Context, app diagnose.AppName, who audience.Audience) (*diagnose.Report, error) {
	return in.diagnose(ctx, app, in.app(app), who, Diagnose)
}

// Examine is Read for a person who asked: it also looks behind what Argo CD calls healthy.
func (in *Instance) Examine(ctx context.Context, app diagnose.AppName, who audience.Audience) (*diagnose.Report, error) {
	return in.diagnose(ctx, app, in.app(app), who, Examine)
}

// diagnose diagnoses an application through a, which holds afterwards what was read.
func (in *Instance) diagnose(ctx context.Context, app diagnose.AppName, a *App, who audience.Audience, how func(context.Context, *diagnose.Engine, evidence.Source, time.Time) (*diagnose.Report, error)) (*diagnose.Report, error) {
	now := time.Now().UTC().Truncate(time.Second)
	beside := in.Others(who)
	report, err := how(ctx, in.engine, beside.Conceal(a.Source(), app), now)
	var fault *InternalError
	switch {
	case errors.As(err, &fault):
		return nil, fmt.Errorf("diagnose %s: %w", app.Name, err)
	case in.isGone(app, err):
		return nil, action.ErrGone
	case foreign.IsTooLarge(err):
		report = diagnose.Undiagnosed(diagnose.AppName{Namespace: app.Namespace, Name: app.Name}, in.listed(app), err)
	case err != nil:
		return nil, err
	}
	return beside.Report(report), nil
}

// listed is what a list shows of an application that could not be read.
func (in *Instance) listed(app diagnose.AppName) diagnose.Context {
	entry, _ := in.Directory.Entry(app)
	to := diagnose.Context{Project: in.Project(app)}
	if strings.Contains(entry.Cluster, "://") {
		to.Destination.Server = entry.Cluster
	} else {
		to.Destination.Name = entry.Cluster
	}
	return to
}

// Application implements remedy.Gateway.
func (in *Instance) Application(ctx context.Context, app diagnose.AppName) (*evidence.Application, error) {
	return in.subject(ctx, app, in.app(app))
}

// Compare reads an application and its resources for those who read the result: what Git wants of each, and what is live.
func (in *Instance) Compare(ctx context.Context, app diagnose.AppName, who audience.Audience) (*evidence.Application, []evidence.ResourceDiff, error) {
	source := in.Others(who).Conceal(in.app(app).Source(), app)
	subject, err := in.subject(ctx, app, source)
	if err != nil {
		return nil, nil, err
	}
	managed, err := source.ManagedResources(ctx)
	return subject, managed, err
}

// subject reads the application itself.
func (in *Instance) subject(ctx context.Context, app diagnose.AppName, from interface {
	Subject(context.Context) (evidence.Subject, error)
},
) (*evidence.Application, error) {
	subject, err := from.Subject(ctx)
	switch {
	case in.isGone(app, err):
		return nil, action.ErrGone
	case err != nil:
		return nil, err
	case subject.Application == nil:
		return nil, &RefusedError{Name: app.Name, Refusal: sanitize.Excerpt(subject.Refusal)}
	}
	return subject.Application, nil
}

// RefusedError says that Argo CD does not show an application, and in its words why not. A diagnosis can explain that.
type RefusedError struct {
	Name    string
	Refusal sanitize.Clean
}

func (e *RefusedError) Error() string {
	return "read " + e.Name + ": Argo CD does not show it: " + string(e.Refusal)
}

// app names an application to Argo CD, which tells one that is missing from one that is forbidden only to those who name its
// project.
func (in *Instance) app(app diagnose.AppName) *App {
	project, _ := in.projectOf(app)
	return in.conn.App(app.Name, app.Namespace, project)
}

// Project is the project of an application; "" where it is not known.
func (in *Instance) Project(app diagnose.AppName) string {
	project, _ := in.projectOf(app)
	return project
}

// projectOf is the project of an application: as Argo CD lists it, or as it was known before this process began.
func (in *Instance) projectOf(app diagnose.AppName) (project string, listed bool) {
	entry, listed := in.Directory.Entry(app)
	if entry.Project == "" && in.project != nil {
		return in.project(app), listed
	}
	return entry.Project, listed
}

// isGone reports whether an error says that there is no such application: Argo CD has to say so, and to have said so in the
// list as well. Else an account that lost its rights would make everything seem to be gone: where a project is named, Argo
// CD tells the two apart.
func (in *Instance) isGone(app diagnose.AppName, err error) bool {
	var problem *argo.Error
	if !errors.As(err, &problem) || problem.Problem != argo.UnknownApplication || in.ConnectionState() != nil {
		return false
	}
	project, listed := in.projectOf(app)
	if project != "" {
		return !listed && problem.Missing()
	}
	return !listed && in.Directory.Len() > 0
}
