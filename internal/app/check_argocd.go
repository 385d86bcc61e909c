package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/preflight"
)

// checkInstance finds out whether the bot can read an Argo CD, and do there what the configuration allows to people.
func checkInstance(a *config.Instance, c *config.Config, version string) preflight.Check {
	return func(ctx context.Context) (found []preflight.Finding) {
		what := "argocd " + a.Name
		token, f := preflight.ReadSecret(what, a.Token)
		if !f.OK() {
			return []preflight.Finding{f}
		}
		connection, err := gateway.Connect(ctx, gatewayOptions(a, token, version))
		if err != nil {
			return []preflight.Finding{{What: what, Problem: err.Error()}}
		}
		defer func() {
			if err := connection.Close(); err != nil {
				found = append(found, preflight.Finding{What: what, Problem: err.Error()})
			}
		}()
		asked := account{connection}
		found = append(found, preflight.CheckArgo(ctx, a.Name, asked)...)
		if c.Connections.Enabled() {
			found = append(found, preflight.CheckArgoConnections(ctx, a.Name, asked)...)
		}
		wanted := wantedActions(a.Name, c.Actions)
		found = append(found, preflight.CheckArgoActions(ctx, a.Name, asked, wanted)...)
		if !found[0].OK() { // not even the list of applications can be asked for
			return found
		}
		clusters, err := asked.clusters(ctx)
		if err != nil {
			return append(found, preflight.NotRead(readingOf(a.Name), err))
		}
		act := preflight.AllOK(found) && changing(wanted)
		for _, c := range clusters {
			found = append(found, c.checkReading(ctx, a.Name)...)
			if act {
				found = append(found, preflight.CheckKubernetes(ctx, a.Name, clusterRights{c.example.Cluster()}, c.deployedTo, c.applications)...)
			}
		}
		return found
	}
}

// checkCertificate says of a connection that anybody could stand in for Argo CD.
func checkCertificate(a *config.Instance) []preflight.Finding {
	if !a.Insecure {
		return nil
	}
	return []preflight.Finding{{
		What: "argocd " + a.Name + " certificate", Optional: true, Problem: "is not verified, so whoever is between the bot and Argo CD can read the token",
		Remedy: "put the CA, or Argo CD's own certificate, into a file, and set serverCrt instead of insecure (docs/install.md)",
	}}
}

// account asks one Argo CD and the clusters behind it, and says what to do in words of the configuration.
type account struct{ *gateway.Connection }

// Whoami implements preflight.Argo.
func (a account) Whoami(ctx context.Context) (string, error) {
	return ask(ctx, func(ctx context.Context) (string, error) {
		who, err := a.Argo.Whoami(ctx)
		return who.Name, err
	})
}

// CheckWeb implements preflight.Argo.
func (a account) CheckWeb(ctx context.Context) error {
	_, err := ask(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, a.Argo.CheckWeb(ctx) })
	return err
}

// CanI implements preflight.Argo.
func (a account) CanI(ctx context.Context, resource, verb, objects string) (bool, error) {
	return ask(ctx, func(ctx context.Context) (bool, error) { return a.Argo.CanI(ctx, resource, verb, objects) })
}

// Projects implements preflight.Argo.
func (a account) Projects(ctx context.Context) ([]string, error) {
	return ask(ctx, func(ctx context.Context) ([]string, error) {
		apps, err := a.Argo.List(ctx)
		seen := map[string]bool{}
		var projects []string
		for _, app := range apps {
			if !seen[app.Project] {
				seen[app.Project] = true
				projects = append(projects, app.Project)
			}
		}
		return projects, err
	})
}

// Lacks implements preflight.Actor: whether Jobs may be deleted is told by the example of one application.
func (a account) Lacks(ctx context.Context, kind, project string) (string, error) {
	example, err := a.example(ctx, kind, project)
	if err != nil {
		return "", err
	}
	return ask(ctx, func(ctx context.Context) (string, error) {
		right, lacks, err := a.LacksRight(ctx, action.Kind(kind), example, project)
		if !lacks {
			return "", err
		}
		return right.String(), nil
	})
}

// example is the first application of a project, for what depends on one.
func (a account) example(ctx context.Context, kind, project string) (*gateway.App, error) {
	if kind != config.ActionDeleteHookJob {
		return nil, nil
	}
	apps, err := ask(ctx, a.Argo.List)
	if err != nil {
		return nil, err
	}
	for _, app := range apps {
		if app.Project == project {
			return a.App(app.Name, app.Namespace, project), nil
		}
	}
	return nil, fmt.Errorf("project %s no longer has any applications", project)
}

// questionTimeout is for each question of a check, so that one that is not answered leaves time for the others. An Argo CD that
// takes longer would also be too slow for a diagnosis.
const questionTimeout = 10 * time.Second

// ask asks one question. The error says what to do in words of the configuration.
func ask[T any](ctx context.Context, call func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	v, err := call(ctx)
	var problem *argo.Error
	if errors.As(err, &problem) {
		return v, errors.New(problem.What() + ": " + whatToDo(problem.Problem))
	}
	return v, err
}

// whatToDo is what to change in the configuration.
func whatToDo(p argo.Problem) string {
	switch p {
	case argo.NotLoggedIn:
		return "create a token with argocd account generate-token --account argo-why, and put it where token points"
	case argo.Unreachable:
		return "check server, the network and the proxy"
	case argo.BadTLS:
		return "set plainText for an argocd-server without TLS, serverCrt for your own certificate authority, or correct server"
	case argo.WrongServer:
		return "correct server; set grpcWeb behind a proxy without HTTP/2, grpcWebRootPath under a path"
	case argo.Forbidden:
		return "grant it in argocd-rbac-cm"
	case argo.NotConfigured:
		return "set server"
	case argo.TooSlow, argo.Failed, argo.UnknownApplication, argo.Busy, argo.Idle, argo.OutsideWindow:
	}
	return "check the log of argocd-server"
}
