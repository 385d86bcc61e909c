package policy_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/policy"
)

func TestGrant(t *testing.T) {
	want := "add to policy.ci-actions.csv in argocd-rbac-cm: p, ci, applications, sync, shop/*, allow and p, ci, applications, sync, web/*, allow"
	if got := policy.Grant("ci", "applications", "sync", "shop/*", "web/*"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPlace(t *testing.T) {
	for _, test := range []struct{ subject, verb, want string }{
		{"argo-why", "get", "policy.argo-why.csv in argocd-rbac-cm"},
		{"argo-why", "delete/batch/Job/*/*", "policy.argo-why-actions.csv in argocd-rbac-cm"},
		{"ci:apiKey", "sync", "policy.ci-actions.csv in argocd-rbac-cm"},
		{"ann@example.com", "get", "policy.csv in argocd-rbac-cm"},
		{"proj:shop:ci", "sync", "policy.csv in argocd-rbac-cm"},
		{"ACCOUNT", "get", "policy.csv in argocd-rbac-cm"},
	} {
		if got := policy.Place(test.subject, test.verb); got != test.want {
			t.Errorf("%s to %s: %s, want %s", test.subject, test.verb, got, test.want)
		}
	}
}
