package preflight_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/preflight"
)

// cluster is one where the account has its rights in some namespaces, "" being all of them.
type cluster struct {
	jobs, events []string
	err          error
}

func (c cluster) LacksJobs(_ context.Context, namespace string) (string, error) {
	return lacks("delete jobs.batch", c.jobs, namespace), c.err
}

func (c cluster) LacksEvents(_ context.Context, namespace string) (string, error) {
	return lacks("create events", c.events, namespace), c.err
}

func lacks(doing string, in []string, namespace string) string {
	if slices.Contains(in, namespace) {
		return ""
	}
	return "the bot cannot " + doing + " in namespace " + namespace + "; set rbac.actions.enabled=true in the Helm chart, or kubectl apply -f deploy/rbac/actions.yaml"
}

func TestRightsInACluster(t *testing.T) {
	var many []string
	for n := range 30 {
		many = append(many, fmt.Sprintf("n%02d", n))
	}
	const right = "argocd prod kubernetes right: "
	for _, test := range []struct {
		name         string
		cluster      cluster
		jobs, events []string
		want         []string
	}{
		{"everywhere", cluster{[]string{""}, []string{""}, nil}, []string{"shop"}, []string{"argocd"}, []string{
			"✓ " + right + "delete Jobs in all namespaces", "✓ " + right + "write events in all namespaces",
		}},
		{"where it matters", cluster{[]string{"shop", "pay"}, []string{"argocd"}, nil}, []string{"shop", "pay", "shop"}, []string{"argocd"}, []string{
			"✓ " + right + "delete Jobs in pay, shop", "✓ " + right + "write events in argocd",
		}},
		{"not everywhere", cluster{[]string{"shop"}, nil, nil}, []string{"shop", "pay", "web", "api"}, []string{"argocd"}, []string{
			"! " + right + "the bot cannot delete jobs.batch in namespace api; set rbac.actions.enabled=true in the Helm chart, or kubectl apply -f deploy/rbac/actions.yaml (also in pay, web); without that, Jobs are deleted through Argo CD",
			"! " + right + "the bot cannot create events in namespace argocd; set rbac.actions.enabled=true in the Helm chart, or kubectl apply -f deploy/rbac/actions.yaml; without that, actions write no event on the Application",
		}},
		{"in too many to ask", cluster{many, nil, nil}, many, many, []string{
			"✓ " + right + "delete Jobs in n00, n01, n02, n03, n04 and 15 more namespaces; 10 more were not checked",
			"! " + right + "10 more were not checked: the bot cannot create events in namespace n00; set rbac.actions.enabled=true in the Helm chart, or kubectl apply -f deploy/rbac/actions.yaml (also in n01, n02, n03, n04, n05 and 14 more namespaces); without that, actions write no event on the Application",
		}},
		{"of no application", cluster{}, nil, nil, []string{
			"✓ " + right + "no application is visible to delete Jobs for", "✓ " + right + "no application is visible to write events for",
		}},
		{"of a cluster that is not reached", cluster{err: errors.New("read the bot's rights: there is no kubeconfig;\nuse --kubeconfig FILE")}, []string{"shop"}, []string{"argocd"}, []string{
			"✓ " + right + "Jobs are deleted through Argo CD: read the bot's rights: there is no kubeconfig; use --kubeconfig FILE",
			"✓ " + right + "actions write no event on the Application: read the bot's rights: there is no kubeconfig; use --kubeconfig FILE",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := lines(preflight.CheckKubernetes(t.Context(), "prod", test.cluster, test.jobs, test.events)); !slices.Equal(got, test.want) {
				t.Errorf("reported\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}
