package gateway

import (
	"fmt"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
)

// TestAChildWithoutANamespaceIsNotAnotherTeams: a forged status names a child as one beside the application itself, and Argo CD has a private one
// of that name.
func TestAChildWithoutANamespaceIsNotAnotherTeams(t *testing.T) {
	project := func(app audience.App) string {
		if app.Namespace == "team-a" {
			return "team-a"
		}
		return "vault"
	}
	outsider := audience.New(func(_ audience.App, project string) bool { return project == "team-a" }, project)
	for _, own := range []string{"vault-core", "shop"} {
		for name, status := range parents {
			t.Run(own+", "+name, func(t *testing.T) {
				status := strings.ReplaceAll(strings.ReplaceAll(status, `"namespace": "argocd"`, `"namespace": ""`), "unseal key 3 is wrong", "x")
				s := argotest.NewServer(t, []byte(child), fmt.Appendf(nil, `{"application": {
					"metadata": {"name": %q, "namespace": "team-a", "resourceVersion": "1"}, "spec": {"project": "team-a", "destination": {"namespace": "team-a"}}, "status": {%s}}}`, own, status))
				in := watching(t, s)
				in.Directory.put(named("vault-core"), Entry{Project: "vault"})
				for _, name := range []string{own, "vault-core"} {
					in.Directory.put(diagnose.AppName{Instance: "prod", Namespace: "team-a", Name: name}, Entry{Project: "team-a"})
				}
				r, err := in.Examine(t.Context(), diagnose.AppName{Instance: "prod", Namespace: "team-a", Name: own}, outsider)
				if err != nil {
					t.Fatal(err)
				}
				if text := shown(t, r); strings.Contains(text, "unseal") || strings.Contains(text, "authentication required") {
					t.Errorf("the report has what is said of the private one: %s", text)
				}
			})
		}
	}
}
