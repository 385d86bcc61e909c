package gateway

import (
	"context"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/kube"
)

// App is one application. It is read through Argo CD, and through its cluster for what Argo CD does not hold. It is safe for
// parallel use.
type App struct {
	argo    *argo.App
	cluster *kube.App
	held    held
}

// App names an application as [argo.Client.App] does: given its project, Argo CD tells a missing one from a forbidden one.
func (c *Connection) App(name, namespace, project string) *App {
	a := c.Argo.App(name, namespace, project)
	return &App{argo: a, cluster: c.clusters.App(a.Application)}
}

// Source is where the evidence about the application is read.
func (a *App) Source() evidence.Source {
	source := evidence.WithCluster(a.argo, a.cluster, a.argo.Application)
	if a.held.commit == "" {
		return source
	}
	return heldSource{source, a.held}
}

// SourceUntil is a Source for a diagnosis that somebody waits for: the application itself may take as long as that context
// lasts, and not only the time of one fact. Without the application there is no report at all; without another fact there is one.
func (a *App) SourceUntil(end context.Context) evidence.Source {
	return evidence.WithCluster(unhurried{a.argo, end}, a.cluster, a.argo.Application)
}

type unhurried struct {
	*argo.App
	end context.Context //nolint:containedctx // lives as long as the diagnosis
}

// Subject implements evidence.Source.
func (u unhurried) Subject(context.Context) (evidence.Subject, error) { return u.App.Subject(u.end) }

// Subject reads the application itself.
func (a *App) Subject(ctx context.Context) (evidence.Subject, error) { return a.argo.Subject(ctx) }

// Application is what was last read of it; nil before.
func (a *App) Application() *evidence.Application { return a.held.of(a.argo.Application()) }

// Cluster is the cluster that the application is deployed to, which is found by what was read of the application.
func (a *App) Cluster() *kube.App { return a.cluster }

// Record keeps every answer from now on, for a case file.
func (a *App) Record() *evidence.Recording {
	r := &evidence.Recording{}
	a.argo.Record, a.cluster.Record = r, r
	return r
}

// ReadAll reads what a complete case file needs beyond what was read already. The error names what could not be read.
func (a *App) ReadAll(ctx context.Context) error { return a.argo.Everything(ctx) }
