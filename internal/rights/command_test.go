package rights_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/rights"
)

// TestTheCommandIsForThisAccountAndCluster: it is printed by bot check, and pasted.
func TestTheCommandIsForThisAccountAndCluster(t *testing.T) {
	for want, x := range map[string]struct {
		user, context string
		o             rights.Options
	}{
		"argo-why generate kubernetes-rbac --service-account tools:bot | kubectl apply -f -": {
			user: "system:serviceaccount:tools:bot", o: rights.Options{Applications: []string{"argocd"}},
		},
		"argo-why generate kubernetes-rbac --user 'dana & co' --namespaces pay,shop --applications \"\" --secret-keys | kubectl --context eu apply -f -": {
			user: "dana & co", context: "eu", o: rights.Options{Namespaces: []string{"pay", "shop"}, SecretKeys: true},
		},
		"argo-why generate kubernetes-rbac --service-account NAMESPACE:NAME --applications argocd,team-a | kubectl apply -f -": {
			o: rights.Options{Applications: []string{"argocd", "team-a"}},
		},
	} {
		x.o.Account = rights.AccountOf(x.user)
		if got := rights.Command(x.o, x.context); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
