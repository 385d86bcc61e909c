package statement

import (
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

// TestAnotherApplicationOfTheSameNameIsAnother: whose resource it is as well is told apart by the namespace.
func TestAnotherApplicationOfTheSameNameIsAnother(t *testing.T) {
	for _, s := range []struct {
		namespace, controller, named string
		want                         bool
	}{
		{"argocd", "", "pay", true}, {"argocd", "argocd", "argocd/pay", true}, {"argocd", "", "team-a/pay", false}, {"argocd", "", "team-a_pay", false},
		{"team-a", "argocd", "pay", false}, {"team-a", "argocd", "team-a/pay", true}, {"team-a", "", "team-a_pay", true}, {"team-a", "", "team-b_pay", false},
		{"gitops", "gitops", "pay", true}, {"", "", "pay", true}, {"argocd", "", "other", false},
	} {
		app := &evidence.Application{}
		app.Metadata.Namespace, app.Metadata.Name, app.Status.ControllerNamespace = s.namespace, "pay", s.controller
		if got := isSelf(app, s.named); got != s.want {
			t.Errorf("%s in %s of %s: %v", s.named, s.namespace, s.controller, got)
		}
	}
}
