package gateway

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/remedy"
)

// said is an Argo CD all of whose answers name a private application.
type said struct{ remedy.Gateway }

const saysPrivate = `Application.argoproj.io "vault-core" is invalid`

func (said) Application(context.Context, diagnose.AppName) (*evidence.Application, error) {
	a := &evidence.Application{}
	a.Metadata.Name, a.Metadata.Namespace = "platform", "argocd"
	a.Status.OperationState = &evidence.OperationState{Message: saysPrivate, SyncResult: &evidence.SyncResult{Resources: []evidence.ResourceResult{
		{Group: "argoproj.io", Kind: "Application", Namespace: "argocd", Name: "vault-core", Status: "SyncFailed", Message: "unseal key 3 is wrong"},
	}}}
	return a, nil
}
func (said) HardRefresh(context.Context, diagnose.AppName) error {
	return errors.Join(errors.New(saysPrivate), action.ErrGone)
}

func (said) Look(context.Context, action.Request) (*action.Situation, error) {
	return &action.Situation{Unread: []string{"the differences (" + saysPrivate + ")"}}, errors.New(saysPrivate)
}

func (said) Sync(context.Context, diagnose.AppName, remedy.SyncCall) (string, error) {
	return "", errors.New(saysPrivate)
}

func (said) JobLog(context.Context, diagnose.AppName, action.Job) (string, error) {
	return "waiting for vault-core", nil
}

func TestWhatBecomesOfAnActionNamesNoPrivateApplication(t *testing.T) {
	in := &Instance{Name: "", Directory: newDirectory()}
	in.Directory.put(named("platform"), Entry{Project: "default"})
	in.Directory.put(named("vault-core"), Entry{Project: "vault"})
	outsider := audience.New(func(_ audience.App, project string) bool { return project == "default" }, in.Project)
	g := Concealed{Gateway: said{}, Others: func(context.Context, diagnose.AppName) *Others { return in.Others(outsider) }}
	ctx, app := t.Context(), named("platform")
	a, _ := g.Application(ctx, app)
	refreshed := g.HardRefresh(ctx, app)
	_, synced := g.Sync(ctx, app, remedy.SyncCall{})
	look, unlooked := g.Look(ctx, action.Request{App: app})
	log, _ := g.JobLog(ctx, app, action.Job{})
	for what, text := range map[string]string{
		"operation": a.Status.OperationState.Message + a.Status.OperationState.SyncResult.Resources[0].Message, "refresh": refreshed.Error(), "sync": synced.Error(), "log": log,
		"unread": look.Unread[0], "look": unlooked.Error(),
	} {
		if strings.Contains(text, "vault") || strings.Contains(text, "unseal") || text == "" {
			t.Errorf("%s says %q", what, text)
		}
	}
	if !errors.Is(refreshed, action.ErrGone) {
		t.Error("the kind of the error is lost")
	}
}
