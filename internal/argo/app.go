package argo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	projectpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/project"
	repositorypkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/repository"
	"google.golang.org/grpc/codes"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/foreign"
)

// App reads the evidence about one application: an [evidence.Source], and safe for parallel use. Each method is one
// request to Argo CD or none. Errors are *Error, or wrap [evidence.ErrAbsent] if Argo CD does not have the evidence.
type App struct {
	// Record, when set, is given every answer as Argo CD gave it.
	Record *evidence.Recording

	client                   *Client
	name, namespace, project string

	mu sync.Mutex
	// application is what Subject last read; nil before.
	application *evidence.Application
	// uids of the objects that were seen: Argo CD wants them for events.
	uids map[evidence.Ref]string
	// answered says which sections were read, so that Everything does not read them again.
	answered map[evidence.Kind]bool
}

// App names an application. An empty namespace is Argo CD's own; the name may carry it ("team-a/web", as `argocd app
// list` prints it). The project may be empty; given one, Argo CD distinguishes a missing application from a forbidden one.
func (c *Client) App(name, namespace, project string) *App {
	if before, after, ok := strings.Cut(name, "/"); ok && namespace == "" {
		namespace, name = before, after
	}
	return &App{client: c, name: name, namespace: namespace, project: project, uids: map[evidence.Ref]string{}, answered: map[evidence.Kind]bool{}}
}

// Name is the application as errors call it: "web", or "team-a/web" where a namespace was given.
func (a *App) Name() string {
	if a.namespace == "" {
		return a.name
	}
	return a.namespace + "/" + a.name
}

// Subject reads the application as it is, without a refresh. When Argo CD refuses because of the application itself
// (its project does not exist, for example) the answer is a Refusal, not an error.
func (a *App) Subject(ctx context.Context) (evidence.Subject, error) {
	app, err := a.get(ctx, "")
	if err != nil {
		err = a.client.fail(ctx, "read application "+a.Name(), err)
		if refusal := refusalOf(err); refusal != "" {
			a.record(evidence.KindApplication, "apiError", refusal)
			return evidence.Subject{Refusal: refusal}, nil
		}
		return evidence.Subject{}, err
	}
	return evidence.Subject{Application: app}, nil
}

// get reads the application, after a refresh of the kind where one is given.
func (a *App) get(ctx context.Context, refresh string) (*evidence.Application, error) {
	q := &applicationpkg.ApplicationQuery{Name: &a.name, AppNamespace: given(a.namespace), Refresh: given(refresh)}
	if a.project != "" {
		q.Projects = []string{a.project}
	}
	enabled := &autoSyncSwitch{measured: measured{limits: foreign.Application}}
	answer, err := a.client.applications.Get(ctx, q, enabled.option())
	switch {
	case enabled.refused != nil:
		return nil, enabled.refused
	case err != nil:
		return nil, err
	}
	raw, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	raw = enabled.restore(raw)
	app := &evidence.Application{}
	if err := foreign.Application.JSON(raw, app); err != nil {
		return nil, err
	}
	app.Wanted, app.Compared = sourcesOf(&answer.Spec), comparedSources(&answer.Status.Sync.ComparedTo)
	app.Policy = policyOf(&answer.Spec)
	a.record(evidence.KindApplication, "application", json.RawMessage(raw))
	a.mu.Lock()
	a.application = app
	a.mu.Unlock()
	return app, nil
}

// Application is what Subject last read; nil before.
func (a *App) Application() *evidence.Application {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.application
}

// refusalOf is Argo CD's own answer when it is about the application and so can be diagnosed; "" for every other error.
func refusalOf(err error) string {
	var e *Error
	if !errors.As(err, &e) || e.Problem != Failed {
		return ""
	}
	switch code(e.Err) {
	case codes.InvalidArgument, codes.FailedPrecondition:
		return e.Err.Error()
	default: // trouble of Argo CD itself
		return ""
	}
}

// SyncWindows reads the windows of the project that apply to the application.
func (a *App) SyncWindows(ctx context.Context) (*evidence.SyncWindows, error) {
	answer, err := a.client.applications.GetApplicationSyncWindows(ctx, &applicationpkg.ApplicationSyncWindowsQuery{
		Name: &a.name, AppNamespace: given(a.namespace), Project: given(a.project),
	})
	return take[*evidence.SyncWindows](ctx, a, "sync windows", evidence.KindWindows, "syncWindows", answer, err)
}

// Project reads the application's project; nil where there is none of that name. Its name comes from the application, so Subject goes first.
func (a *App) Project(ctx context.Context) (*evidence.Project, error) {
	name := a.projectName()
	if name == "" {
		return nil, fmt.Errorf("read project: the application, which names it, was not read: %w", evidence.ErrAbsent)
	}
	answer, err := a.client.projects.Get(ctx, &projectpkg.ProjectQuery{Name: name})
	if err != nil && (code(err) == codes.NotFound || strings.Contains(message(err), "invalid resource name")) { // which no object can have
		return nil, nil
	}
	if err != nil && ctx.Err() == nil {
		a.Record.NotShown(evidence.KindProject)
	}
	return take[*evidence.Project](ctx, a, "project "+name, evidence.KindProject, "project", answer, err)
}

func (a *App) projectName() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.application != nil && a.application.Spec.Project != "" {
		return a.application.Spec.Project
	}
	if a.application != nil {
		return "default" // what Argo CD takes an empty project for
	}
	return a.project
}

// Repositories reads the repositories that Argo CD knows and the account may see. Argo CD leaves out the others without a
// word, so that none at all is no evidence. It may test connections that it has not tested lately, which takes seconds.
func (a *App) Repositories(ctx context.Context) ([]evidence.Repository, error) {
	answer, err := a.client.repositories.ListRepositories(ctx, &repositorypkg.RepoQuery{})
	if err == nil && len(answer.Items) == 0 {
		return nil, fmt.Errorf("read repositories: this account has access to none: %w", evidence.ErrAbsent)
	}
	var items any
	if answer != nil {
		items = answer.Items
	}
	return take[[]evidence.Repository](ctx, a, "repositories", evidence.KindRepositories, "repositories", items, err)
}

func (a *App) resourcesQuery() *applicationpkg.ResourcesQuery {
	return &applicationpkg.ResourcesQuery{ApplicationName: &a.name, AppNamespace: given(a.namespace), Project: given(a.project)}
}

// take turns an answer into evidence through JSON, the common language of both models, and records it.
func take[T any](ctx context.Context, a *App, what string, kind evidence.Kind, section string, answer any, err error) (T, error) {
	var v, none T
	operation := "read " + what + " of " + a.Name()
	if err != nil {
		return none, a.client.fail(ctx, operation, err)
	}
	raw, err := json.Marshal(answer)
	if err == nil {
		err = foreign.Answer.JSON(raw, &v)
	}
	if err != nil {
		return none, fmt.Errorf("%s: %w", operation, err)
	}
	a.record(kind, section, json.RawMessage(raw))
	return v, nil
}

// record keeps an answer under its key of the case file.
func (a *App) record(kind evidence.Kind, section string, answer any) {
	a.mu.Lock()
	a.answered[kind] = true
	a.mu.Unlock()
	if a.Record == nil {
		return
	}
	if raw, err := json.Marshal(answer); err == nil { // text and ready JSON: cannot fail
		a.Record.Section(section, raw)
	}
}

// given is nil for an empty string: Argo CD distinguishes "not given" from "empty".
func given(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
