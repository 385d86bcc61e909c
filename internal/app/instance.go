package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/kube"
)

// instance is one Argo CD of the configuration, and what looks at its applications.
type instance struct {
	*gateway.Instance
	url        string
	connection *gateway.Connection
	reconciler *incident.Reconciler
	log        *slog.Logger
	// missing are the rights that it was logged of that the account lacks them to see connections.
	missing sync.Map

	mu sync.Mutex
	// leading: the reconciler runs. listed: all applications were listed once. looked: the reconciler knows which were not well then.
	leading, listed, looked bool
}

// noLogin is a file that does not exist: /nonexistent is the home of accounts without one.
const noLogin = "/nonexistent/argocd/config"

// gatewayOptions are how to reach an Argo CD of the configuration. The switches of ARGOCD_OPTS and a login of the argocd
// command do not count: the bot shall do the same whoever starts it.
func gatewayOptions(c *config.Instance, token, version string) gateway.Options {
	return gateway.Options{
		Argo: argo.Options{
			Server: c.Server, AuthToken: token,
			Insecure: c.Insecure, PlainText: c.PlainText, GRPCWeb: c.GRPCWeb, GRPCWebRootPath: c.GRPCWebRootPath, ServerCrt: c.ServerCrt,
			Off:        argo.Off{Insecure: !c.Insecure, PlainText: !c.PlainText, GRPCWeb: !c.GRPCWeb && c.GRPCWebRootPath == ""},
			ConfigPath: noLogin,
			UserAgent:  "argo-why/" + version,
		},
		Clusters: kube.Options{Kubeconfig: c.Kubernetes.Kubeconfig, Context: c.Kubernetes.Context, UserAgent: "argo-why/" + version},
	}
}

// connect sets up an instance whose reconciler comes later.
func connect(ctx context.Context, c *config.Instance, token string, engine *diagnose.Engine, incidents *incident.Store, o Options) (*instance, error) {
	reach := gatewayOptions(c, token, o.Version)
	connection, err := gateway.Connect(ctx, reach)
	if err != nil {
		return nil, fmt.Errorf("argocd %s: %w", c.Name, err)
	}
	if err := reach.CheckKubeconfig(); err != nil {
		return nil, errors.Join(fmt.Errorf("argocd %s: %w", c.Name, err), connection.Close())
	}
	log := o.Log.With("instance", c.Name)
	in := gateway.NewInstance(gateway.InstanceOptions{
		Name: c.Name, Connection: connection, Engine: engine, Log: log,
		Project: func(app diagnose.AppName) string { return projectInIncident(incidents, app) },
	})
	return &instance{Instance: in, url: c.URL, connection: connection, log: log}, nil
}

// projectInIncident is the project of an application as its incident remembers it, from before a restart.
func projectInIncident(incidents *incident.Store, app incident.App) string {
	if i := incidents.Of(app); i != nil && i.Report != nil && i.Report.App == app {
		return i.Report.Context.Project
	}
	return ""
}

// follow keeps the list of applications, has the reconciler look at what changes and may matter while this process leads, and says of each
// that it has changed, until the context ends.
func (in *instance) follow(ctx context.Context, live func(incident.App) bool, changed func(incident.App)) error {
	return in.Follow(ctx, in.allListed, func(c gateway.Change) {
		if !in.leads() {
			return // the leader of tomorrow begins with the list
		}
		if c.Deleted || !c.Well || live(c.App) {
			in.reconciler.AddAs(c.App, c.Looks)
		}
		changed(c.App)
	})
}

func (in *instance) leads() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.leading
}

// allListed is called each time all applications were listed.
func (in *instance) allListed() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.listed = true
	in.firstLook()
}

// isListed reports whether all applications were listed once.
func (in *instance) isListed() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.listed
}

// begin has all looked at that is not well, or that something was posted about, and from now on what changes.
func (in *instance) begin(live []incident.App) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.leading, in.looked = true, false
	in.ForgetReports()
	in.firstLook()
	for app, looks := range in.Directory.Unwell() {
		in.reconciler.AddAs(app, looks)
	}
	for _, app := range live {
		if app.Instance == in.Name {
			in.reconciler.Add(app)
		}
	}
}

// end is when this process no longer leads.
func (in *instance) end() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.leading = false
}

// firstLook says, once while this process leads, which applications are not well when all are known.
func (in *instance) firstLook() {
	if in.leading && in.listed && !in.looked {
		in.looked = true
		in.reconciler.FirstLook(slices.Collect(maps.Keys(in.Directory.Unwell())))
	}
}

// sweep looks at all applications that are not well, and at those that something was posted about: what both webhook and
// watch missed, and incidents that should have closed.
func (in *instance) sweep(ctx context.Context, live []incident.App) error {
	unwell, err := in.Unwell(ctx)
	if err != nil {
		return fmt.Errorf("sweep %s: %w", in.Name, err)
	}
	for _, app := range unwell {
		in.reconciler.Add(app)
	}
	for _, app := range live {
		if app.Instance == in.Name {
			in.reconciler.Add(app)
		}
	}
	return nil
}

// instanceOf is the instance of that name; nil without any.
func instanceOf(all []*instance, name string) *instance {
	for _, in := range all {
		if in.Name == name {
			return in
		}
	}
	return nil
}
