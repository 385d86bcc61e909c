package app_test

import (
	"errors"
	"testing"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/app"
	"github.com/argo-why/argo-why/internal/argo/argotest"
)

// TestAccountOfAToken: a token that Argo CD rejects is distinguished from one that could not be checked.
func TestAccountOfAToken(t *testing.T) {
	s := argotest.NewServer(t)
	in := &config.Instance{Name: "prod", Server: s.Address, PlainText: true}
	if name, err := app.AccountOf(t.Context(), in, argotest.Token, "test"); err != nil || name == "" {
		t.Errorf("%q, %v", name, err)
	}
	const rejected = "rejected by Argo CD: create one with argocd account generate-token --account argo-why"
	if _, err := app.AccountOf(t.Context(), in, "another", "test"); err == nil || err.Error() != rejected {
		t.Errorf("another token: %v", err)
	}
	s.Stop()
	if _, err := app.AccountOf(t.Context(), in, argotest.Token, "test"); !errors.Is(err, app.ErrUnanswered) {
		t.Errorf("a server that is down: %v", err)
	}
}
