//go:build live

package live_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// TestTokensThatExpireAreSeen: the account's own, with the rights of deploy/argocd, and that of a project's role, which has the same ID. The commands that
// are printed to replace them create new ones and delete these.
func TestTokensThatExpireAreSeen(t *testing.T) {
	l := newLab(t)
	l.create(projects, "argocd", map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "AppProject", "metadata": map[string]any{"name": l.name, "namespace": "argocd"},
		"spec": map[string]any{"roles": []any{map[string]any{"name": "deploy"}}},
	})
	a := newActor(l)
	before, err := a.client.Tokens(t.Context())
	if err != nil || len(before) == 0 {
		t.Fatalf("its own token is not in %v, %v", before, err)
	}
	id := before[0].ID
	scheme := "http://"
	if os.Getenv("LIVE_TLS") != "" {
		scheme = "https://"
	}
	l.eventually("a token of the role", func() bool {
		address := scheme + os.Getenv("ARGOCD_SERVER") + "/api/v1/projects/" + l.name + "/roles/deploy/token"
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(fmt.Sprintf(`{"expiresIn": 172800, "id": %q}`, id)))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ARGOCD_AUTH_TOKEN"))
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		return response.Body.Close() == nil && response.StatusCode == http.StatusOK
	})
	var own, role []evidence.Token
	l.eventually("Argo CD lists both", func() bool {
		all, err := a.client.Tokens(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		own, role = nil, nil
		for _, token := range all {
			switch {
			case token.Own:
				own = append(own, token)
			case token.Project == l.name:
				role = append(role, token)
			case token.Account != "":
				t.Errorf("without the right to get accounts it sees a token of %s", token.Account)
			}
		}
		return len(own) == 1 && len(role) == 1
	})
	if life := own[0].Expires.Sub(own[0].Issued); own[0].Account != a.name || life != time.Hour {
		t.Errorf("its own token is %+v", own[0])
	}
	if life := role[0].Expires.Sub(role[0].Issued); role[0].Role != "deploy" || role[0].ID != id || life != 48*time.Hour {
		t.Errorf("the role's token is %+v", role[0])
	}
	for name, token := range map[string]evidence.Token{"of the role": role[0], "its own": own[0]} {
		create, remove := render.TokenCommands(&incident.ExpiringToken{Token: token})
		for _, line := range []string{create, remove} {
			if out, err := exec.CommandContext(t.Context(), "bash", "-c", line).CombinedOutput(); err != nil {
				t.Errorf("%s: %s: %v\n%s", name, line, err, out)
			}
		}
	}
	l.eventually("Argo CD rejects the deleted token", func() bool {
		_, err := a.client.Tokens(t.Context())
		return err != nil
	})
}
