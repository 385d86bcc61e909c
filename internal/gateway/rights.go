package gateway

import (
	"context"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/policy"
)

// clusterRightsTimeout is for asking a cluster whether Jobs may be deleted there. Argo CD is asked where it does not answer, in
// the same time of the caller.
const clusterRightsTimeout = 8 * time.Second

// Lacks implements remedy.Gateway.
func (in *Instance) Lacks(ctx context.Context, kind action.Kind, app diagnose.AppName, project string) (string, error) {
	right, lacks, err := in.conn.LacksRight(ctx, kind, in.conn.App(app.Name, app.Namespace, project), project)
	if err != nil || !lacks {
		return "", err
	}
	who, err := in.conn.Argo.Whoami(ctx)
	if err != nil {
		who = argo.Account{} // the line tells all but the name
	}
	return fmt.Sprintf("add to %s of Argo CD %s: %s", policy.Place(who.Subject(), right.Verb), in.Name, right.Line(who.Subject(), project)), nil
}

// Account is whom Argo CD takes the bot for, in its own words: "argo-why", or an e-mail address.
func (in *Instance) Account(ctx context.Context) (string, error) {
	who, err := in.conn.Argo.Whoami(ctx)
	return who.Name, err
}

// LacksRight asks whether the account in Argo CD lacks its right for a kind of action on an application of a project. Jobs are
// deleted in the cluster of the application, and through Argo CD where the bot may not do that. For other kinds of action the
// application is not looked at, and may be nil.
func (c *Connection) LacksRight(ctx context.Context, kind action.Kind, app *App, project string) (argo.Right, bool, error) {
	right, ok := argo.RightTo(string(kind))
	if !ok {
		return right, false, nil // muting takes nothing
	}
	var of *argo.App
	if app != nil {
		of = app.argo
	}
	if kind == action.DeleteHookJob {
		if _, err := app.Subject(ctx); err != nil {
			return right, false, err
		}
		if deletesJobs(ctx, app) {
			return right, false, nil
		}
	}
	has, err := c.Argo.Has(ctx, right, project, of)
	return right, err == nil && !has, err
}

// deletesJobs reports whether the bot may delete Jobs of the application in its cluster, which it may not reach.
func deletesJobs(ctx context.Context, of *App) bool {
	app := of.Application()
	if app == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, clusterRightsTimeout)
	defer cancel()
	lacks, err := of.cluster.LacksJobs(ctx, app.Spec.Destination.Namespace)
	return err == nil && lacks == ""
}
