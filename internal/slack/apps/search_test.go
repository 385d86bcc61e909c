package apps_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/command"
)

func TestSearch(t *testing.T) {
	var all []apps.Known
	for _, s := range []string{"staging/argocd/payments-api", "prod/argocd/payments-api", "prod/team-a/payments-api", "prod/argocd/payments-web", "prod/argocd/ledger", "prod/argocd/ledger-prod"} {
		p := strings.Split(s, "/")
		all = append(all, apps.Known{App: incident.App{Instance: p[0], Namespace: p[1], Name: p[2]}, Cluster: p[0] + "-eu"})
	}
	for _, s := range []struct{ name, target, matches, near string }{
		{"one of that name", "//ledger", "prod/argocd/ledger", ""},
		{"several of that name", "//payments-api", "prod/argocd/payments-api prod/team-a/payments-api staging/argocd/payments-api", ""},
		{"in a namespace", "/team-a/payments-api", "prod/team-a/payments-api", ""},
		{"in an instance", "staging//payments-api", "staging/argocd/payments-api", ""},
		{"as messages call it, with the instance", "/staging/payments-api", "staging/argocd/payments-api", ""},
		{"as messages call it, with the cluster", "/prod-eu/ledger", "prod/argocd/ledger", ""},
		{"with the cluster and the namespace", "prod-eu/team-a/payments-api", "prod/team-a/payments-api", ""},
		{"with another cluster", "prod-eu/team-b/payments-api", "", "prod/argocd/payments-api prod/team-a/payments-api"},
		{"in another namespace", "/team-b/ledger", "", "prod/argocd/ledger prod/argocd/ledger-prod"},
		{"a slip", "//ledgre", "", "prod/argocd/ledger"},
		{"a part", "//payments", "", "prod/argocd/payments-api prod/argocd/payments-web prod/team-a/payments-api staging/argocd/payments-api"},
		{"nothing like it", "//frontend", "", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			p := strings.Split(s.target, "/")
			f := apps.Search(command.Target{Instance: p[0], Namespace: p[1], Name: p[2]}, all, func(apps.Known) bool { return true })
			if names(f.Matches) != s.matches || !strings.HasPrefix(names(f.Near), s.near) || s.near == "" && len(f.Near) > 0 {
				t.Errorf("matches %q\nnear %q", names(f.Matches), names(f.Near))
			}
		})
	}
}

func TestWhatIsNotVisibleDoesNotExist(t *testing.T) {
	var all []apps.Known
	for _, name := range []string{"ledger", "ledger-web"} {
		all = append(all, apps.Known{App: incident.App{Name: name}, Project: name})
	}
	f := apps.Search(command.Target{Name: "ledger"}, all, func(k apps.Known) bool { return k.Project != "ledger" })
	if got := names(f.Matches); got != "" {
		t.Errorf("found %q", got)
	}
	if got := names(f.Near); got != "//ledger-web" { // as for a name that there is not
		t.Errorf("near %q", got)
	}
}

func names(list []apps.Known) string {
	var out []string
	for _, k := range list {
		out = append(out, strings.Join([]string{k.App.Instance, k.App.Namespace, k.App.Name}, "/"))
	}
	return strings.Join(out, " ")
}
