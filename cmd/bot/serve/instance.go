package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/clean"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/kube"
)

// factTimeout is for each piece of evidence after the application itself; without it the report says what is missing.
const factTimeout = 10 * time.Second

// instance is one Argo CD: how its applications are read, and how we hear that one has changed.
type instance struct {
	name, url  string
	client     *argo.Client
	clusters   *kube.Clusters
	engine     *diagnose.Engine
	known      *directory
	book       *incident.Store
	reconciler *incident.Reconciler
	log        *slog.Logger

	mu sync.Mutex
	// heard is what the watch said last: nil when it stands and everything was listed.
	heard error
}

var errNotHeard = errors.New("not connected yet")

// noLogin is a file that does not exist: /nonexistent is the home of accounts without one.
const noLogin = "/nonexistent/argocd/config"

// ArgoOptions are how to reach an Argo CD of the configuration. The switches of ARGOCD_OPTS and a login of the argocd
// command do not count: the bot shall do the same whoever starts it.
func ArgoOptions(a *config.Instance, token, version string) argo.Options {
	return argo.Options{
		Server: a.Server, AuthToken: token,
		Insecure: a.Insecure, PlainText: a.PlainText, GRPCWeb: a.GRPCWeb, GRPCWebRootPath: a.GRPCWebRootPath, ServerCrt: a.ServerCrt,
		Off:        argo.Off{Insecure: !a.Insecure, PlainText: !a.PlainText, GRPCWeb: !a.GRPCWeb && a.GRPCWebRootPath == ""},
		ConfigPath: noLogin,
		UserAgent:  "argo-why/" + version,
	}
}

func connect(ctx context.Context, c *config.Instance, engine *diagnose.Engine, version string, log *slog.Logger) (*instance, error) {
	token, err := c.Token.Read()
	if err != nil {
		return nil, fmt.Errorf("argocd %s: token: %w", c.Name, err)
	}
	client, err := argo.Connect(ctx, ArgoOptions(c, token, version))
	if err != nil {
		return nil, fmt.Errorf("argocd %s: %w", c.Name, err)
	}
	clusters := kube.Open(kube.Options{Kubeconfig: c.Kubernetes.Kubeconfig, Context: c.Kubernetes.Context, UserAgent: "argo-why/" + version})
	if err := clusters.Check(); err != nil {
		return nil, errors.Join(fmt.Errorf("argocd %s: %w", c.Name, err), client.Close())
	}
	return &instance{name: c.Name, url: c.URL, client: client, clusters: clusters, engine: engine, known: newDirectory(), log: log.With("instance", c.Name), heard: errNotHeard}, nil
}

// Read implements incident.Reader.
func (in *instance) Read(ctx context.Context, app incident.App) (*diagnose.Report, error) {
	return in.diagnose(ctx, app, in.application(app))
}

// diagnose reads and diagnoses an application through a.
func (in *instance) diagnose(ctx context.Context, app incident.App, a *argo.App) (report *diagnose.Report, err error) {
	defer func() {
		if fault := recover(); fault != nil { // of ours: it must not take the other applications down
			report, err = nil, fmt.Errorf("diagnose %s: internal error: %v", app.Name, fault)
		}
	}()
	now := time.Now().UTC().Truncate(time.Second)
	report, err = in.engine.Diagnose(ctx, in.source(a), now)
	switch {
	case in.unknown(app, err):
		return nil, incident.ErrGone
	case err != nil:
		return nil, err
	}
	report.App.Instance = in.name
	return clean.Report(report), nil
}

// application names an application to Argo CD, which tells one that is missing from one that is forbidden only to those who
// name its project.
func (in *instance) application(app incident.App) *argo.App {
	project, _ := in.project(app)
	return in.client.App(app.Name, app.Namespace, project)
}

// source is where the evidence about an application is read.
func (in *instance) source(a *argo.App) evidence.Source {
	return evidence.WithCluster(a, in.clusters.App(a.Application))
}

// project is that of an application: as Argo CD lists it, or as its incident remembers it from before a restart.
func (in *instance) project(app incident.App) (project string, listed bool) {
	project, listed = in.known.project(app)
	if project == "" {
		if i := in.book.Of(app); i != nil && i.Report != nil && i.Report.App == app {
			project = i.Report.Context.Project
		}
	}
	return project, listed
}

// unknown reports whether an error says that there is no such application: Argo CD has to say so, and to have said so in the
// list as well. Else an account that lost its rights would make everything seem to be gone: where a project is named, Argo
// CD tells the two apart.
func (in *instance) unknown(app incident.App, err error) bool {
	var problem *argo.Error
	if !errors.As(err, &problem) || problem.Problem != argo.UnknownApplication || in.hears() != nil {
		return false
	}
	project, listed := in.project(app)
	if project != "" {
		return !listed && problem.Missing()
	}
	return !listed && in.known.size() > 0
}

// Follow has the reconciler look at what changes, and says of each that it has, until the context ends.
func (in *instance) Follow(ctx context.Context, live func(incident.App) bool, changed func(incident.App)) error {
	return in.client.Follow(ctx, argo.FollowOptions{Heard: in.hear}, func(c argo.Change) {
		app := in.app(&c.State)
		if c.Deleted {
			in.known.remove(app)
		} else {
			in.known.put(app, c.State.Project)
		}
		if c.Deleted || !c.State.Well() || live(app) {
			in.reconciler.Add(app)
		}
		changed(app)
	})
}

func (in *instance) app(s *argo.AppState) incident.App {
	return incident.App{Instance: in.name, Namespace: s.Namespace, Name: s.Name}
}

func (in *instance) hear(err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if err != nil && (in.heard == nil || errors.Is(in.heard, errNotHeard)) {
		in.log.Warn("Argo CD cannot be watched", "error", err)
	}
	if err == nil && in.heard != nil {
		in.log.Info("watching Argo CD", "server", in.client.Server(), "applications", in.known.size())
	}
	in.heard = err
}

// hears is nil while the watch stands: what readiness asks.
func (in *instance) hears() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.heard
}

// Sweep looks at all applications that are not well, and at those that something was told about: what both webhook and
// watch missed, and incidents that should have closed. Which applications there are is the watch's to say: this list may be
// older than what it has told since.
func (in *instance) Sweep(ctx context.Context, live []incident.App) error {
	states, err := in.client.List(ctx)
	if err != nil {
		return fmt.Errorf("sweep %s: %w", in.name, err)
	}
	for i := range states {
		if !states[i].Well() {
			in.reconciler.Add(in.app(&states[i]))
		}
	}
	for _, app := range live {
		if app.Instance == in.name {
			in.reconciler.Add(app)
		}
	}
	return nil
}
