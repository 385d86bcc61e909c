package preflight_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/preflight"
)

// actor is an Argo CD whose account lacks some rights.
type actor struct {
	argo
	lacks map[string]string // "sync shop": "applications, sync"
}

func (a actor) Lacks(_ context.Context, action, project string) (string, error) {
	return a.lacks[action+" "+project], a.err
}

func TestActionsAtArgoCD(t *testing.T) {
	shops := argo{projects: []string{"shop", "pay"}}
	sync, terminate := preflight.WantedAction{Action: "sync"}, preflight.WantedAction{Action: "terminate", Projects: []string{"sh*"}}
	for _, test := range []struct {
		name   string
		argo   actor
		wanted []preflight.WantedAction
		want   []string
	}{
		{"nobody may do anything", actor{argo: shops}, nil, nil},
		{"all rights", actor{argo: shops}, []preflight.WantedAction{sync, terminate}, []string{
			"✓ argocd prod action: sync", "✓ argocd prod action: terminate, only in project shop",
		}},
		{
			"none at all",
			actor{argo: shops, lacks: map[string]string{"sync shop": "applications, sync", "sync pay": "applications, sync", "terminate shop": "applications, sync"}},
			[]preflight.WantedAction{sync, terminate},
			[]string{
				"✗ argocd prod action: sync has no button in projects pay, shop: the account lacks the right: add to policy.why-actions.csv in argocd-rbac-cm: p, why, applications, sync, */*, allow",
				"✗ argocd prod action: terminate has no button in project shop: the account lacks the right: add to policy.why-actions.csv in argocd-rbac-cm: p, why, applications, sync, shop/*, allow",
			},
		},
		{
			"a right in one project only",
			actor{argo: shops, lacks: map[string]string{"delete-hook-job pay": "applications, delete/batch/Job/*/*"}},
			[]preflight.WantedAction{{Action: "delete-hook-job"}},
			[]string{
				"✗ argocd prod action: delete-hook-job has no button in project pay: the account lacks the right: add to policy.why-actions.csv in argocd-rbac-cm: p, why, applications, delete/batch/Job/*/*, pay/*, allow",
			},
		},
		{"allowed where there is nothing", actor{argo: shops}, []preflight.WantedAction{{Action: "sync", Projects: []string{"media", "[", "shop/*"}}}, []string{
			"✓ argocd prod action: sync, but no application is visible in the projects in which it is allowed",
		}},
		{"not logged in", actor{argo: argo{login: errors.New("read the account: token expired: make a token")}}, []preflight.WantedAction{sync}, nil},
		{"no list", actor{argo: argo{err: errors.New("list applications: the server is gone")}}, []preflight.WantedAction{sync}, []string{
			"✗ argocd prod action: list applications: the server is gone",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := lines(preflight.CheckArgoActions(t.Context(), "prod", test.argo, test.wanted)); !slices.Equal(got, test.want) {
				t.Errorf("reported\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// silent answers all but the question for a right.
type silent struct{ argo }

func (silent) Lacks(context.Context, string, string) (string, error) {
	return "", errors.New("ask for the right:\n no answer")
}

func TestNoAnswerIsNoRightToAct(t *testing.T) {
	got := lines(preflight.CheckArgoActions(t.Context(), "prod", silent{argo{projects: []string{"shop"}}}, []preflight.WantedAction{{Action: "sync"}}))
	if want := []string{"✗ argocd prod action: cannot check the right to sync: ask for the right: no answer: fix that, and check again"}; !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
}

// TestAnAccountThatCannotBeReadIsReportedOnce: what follows from it helps nobody.
func TestAnAccountThatCannotBeReadIsReportedOnce(t *testing.T) {
	a := actor{argo: argo{login: errors.New("read the account: token expired: make a token")}}
	found := preflight.CheckArgo(t.Context(), "prod", a)
	found = append(found, preflight.CheckArgoConnections(t.Context(), "prod", a)...)
	found = append(found, preflight.CheckArgoActions(t.Context(), "prod", a, []preflight.WantedAction{{Action: "sync"}})...)
	if got, want := lines(found), []string{"✗ argocd prod: read the account: token expired: make a token"}; !slices.Equal(got, want) {
		t.Errorf("reported\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestTheRightToSeeConnections(t *testing.T) {
	got := lines(preflight.CheckArgoConnections(t.Context(), "prod", argo{}))
	want := []string{"! argocd prod right: get clusters is missing, so the bot does not warn of a cluster that Argo CD cannot connect to before applications fail: add to policy.why.csv in argocd-rbac-cm: p, why, clusters, get, *, allow"}
	if !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
}
