package argo_test

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
)

func TestFollowBeginsWithWhatIsWorthALook(t *testing.T) {
	s := argotest.NewServer(t, readCase(t, "presync-hook-failed"), shop("healthy", "Healthy", "1"), readCase(t, "git-unreachable"))
	states := all(t, connect(t, s, argo.Options{}))
	var names []string
	for i := range states {
		name := states[i].Namespace + "/" + states[i].Name
		if states[i].Well() {
			name += " (well)"
		}
		names = append(names, name)
	}
	if got, want := strings.Join(names, ", "), "argocd/courier-api, argocd/garage-api-us, argocd/healthy (well)"; got != want {
		t.Fatalf("listed %s, want %s", got, want)
	}
	if got := strings.Join(states[1].Conditions, ", "); got != "ComparisonError" {
		t.Errorf("conditions of garage-api-us: %s", got)
	}
	hook := states[0]
	if hook.Project != "default" || hook.Phase != "Failed" || hook.StartedAt.IsZero() || !hook.FinishedAt.After(hook.StartedAt) {
		t.Errorf("courier-api: %+v", hook)
	}
}

// all are the states that a Follow begins with.
func all(t *testing.T, c *argo.Client) []argo.AppState {
	t.Helper()
	var states []argo.AppState
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	heard := func(err error) {
		if err != nil {
			t.Error(err)
		}
		cancel()
	}
	_ = c.Follow(ctx, argo.FollowOptions{Heard: heard}, func(change argo.Change) { states = append(states, change.State) }) // ends with the context
	slices.SortFunc(states, func(a, b argo.AppState) int { return cmp.Compare(a.Name, b.Name) })
	return states
}

// TestHealthyIsNotAlwaysWell: a hydrator that failed and a request that nobody picked up are worth a look, whatever the health is.
func TestHealthyIsNotAlwaysWell(t *testing.T) {
	const cases = "../diagnose/rules/testdata/cases/"
	for name, well := range map[string]bool{
		"render/hydrator/own-01":                 false,
		"render/hydrator/own-03":                 false,
		"operation/not-started/own-04":           false,
		"control/healthy/own-hydrated":           true,
		"control/healthy/own-hpa-fine":           true,
		"health/hpa-metrics/own-healthy-request": true, // only a person is worth the calls that it takes to see that
	} {
		text, err := os.ReadFile(filepath.FromSlash(cases + name + ".json"))
		if err != nil {
			t.Fatal(err)
		}
		states := all(t, connect(t, argotest.NewServer(t, text), argo.Options{}))
		if len(states) != 1 || states[0].Well() != well {
			t.Errorf("%s: well is not %t: %+v", name, well, states)
		}
	}
}

func TestListSaysWhatIsWrongWithTheAccount(t *testing.T) {
	s := argotest.NewServer(t)
	s.Fail("List", status.Error(codes.PermissionDenied, "permission denied: applications, get, default/web, sub: ci, iat: 2026-01-01T00:00:00Z"))
	_, err := connect(t, s, argo.Options{}).List(t.Context())
	const want = "list applications: no permission to get applications in default/web: add to policy.ci.csv in argocd-rbac-cm: p, ci, applications, get, default/web, allow"
	if problemOf(err) != argo.Forbidden || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestWhoami(t *testing.T) {
	s := argotest.NewServer(t)
	account, err := connect(t, s, argo.Options{}).Whoami(t.Context())
	if err != nil || account.Name != argotest.Account || account.Issuer != "argocd" {
		t.Errorf("Whoami = %+v, %v", account, err)
	}
	_, err = connect(t, s, argo.Options{AuthToken: "expired"}).Whoami(t.Context())
	if problemOf(err) != argo.NotLoggedIn || !strings.HasPrefix(err.Error(), "read the account: the token has expired: run argocd login ") {
		t.Errorf("Whoami with an expired token: %v", err)
	}
}

func TestCanI(t *testing.T) {
	s := argotest.NewServer(t)
	s.Deny("applications", "delete", "*/*")
	c := connect(t, s, argo.Options{})
	for action, want := range map[string]bool{"get": true, "delete": false} {
		got, err := c.CanI(t.Context(), "applications", action, "*/*")
		if err != nil || got != want {
			t.Errorf("may %s applications: %v, %v; want %v", action, got, err, want)
		}
	}
	_, err := c.CanI(t.Context(), "pizzas", "get", "*")
	if problemOf(err) != argo.Failed || !strings.HasPrefix(err.Error(), "check the right to get pizzas *: ") {
		t.Errorf("asked for nonsense: %v", err)
	}
}
