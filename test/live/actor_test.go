//go:build live

package live_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/argo-why/argo-why/internal/argo"
)

// actor is an account of the lab's Argo CD that has the rights of deploy/argocd.
type actor struct {
	l    *lab
	name string
	// lines are the policy lines of rbac-actions.yaml, with the account's own name.
	lines  []string
	client *argo.Client
	app    *argo.App
}

// newActor makes the account as deploy/argocd says, and takes it away with the test.
func newActor(l *lab) *actor {
	l.t.Helper()
	a := &actor{l: l, name: l.name}
	read := policyOf(l.t, "rbac.yaml", "policy.argo-why.csv", a.name)
	a.lines = policyOf(l.t, "rbac-actions.yaml", "policy.argo-why-actions.csv", a.name)
	a.setting("argocd-cm", "accounts."+a.name, "apiKey")
	a.setting("argocd-rbac-cm", "policy."+a.name+"-read.csv", strings.Join(read, "\n"))
	a.allow(a.lines)
	a.client = a.login()
	a.app = a.client.App(l.name, "", "default")
	a.until(argo.RightSync, true)
	return a
}

// policyOf are the lines of a file of deploy/argocd.
func policyOf(t *testing.T, file, key, account string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "argocd", file))
	if err != nil {
		t.Fatal(err)
	}
	var patch struct{ Data map[string]string }
	if err := yaml.Unmarshal(text, &patch); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(patch.Data[key]) {
		if strings.HasPrefix(line, "p, ") {
			lines = append(lines, strings.TrimSpace(strings.Replace(line, "argo-why", account, 1)))
		}
	}
	if len(lines) == 0 {
		t.Fatalf("%s has no lines under %s", file, key)
	}
	return lines
}

// setting writes a key into the settings of Argo CD, for the time of the test.
func (a *actor) setting(configMap, key string, value any) {
	a.l.t.Helper()
	a.patch(a.l.t.Context(), configMap, key, value)
	a.l.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(a.l.t.Context()), patience)
		defer cancel()
		a.patch(ctx, configMap, key, nil)
	})
}

func (a *actor) patch(ctx context.Context, configMap, key string, value any) {
	a.l.t.Helper()
	patch, err := json.Marshal(map[string]any{"data": map[string]any{key: value}})
	if err != nil {
		a.l.t.Fatal(err)
	}
	if _, err := a.l.client.Resource(configMaps).Namespace("argocd").Patch(ctx, configMap, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		a.l.t.Errorf("patch %s: %v", configMap, err)
	}
}

// allow makes these the lines of the account's actions.
func (a *actor) allow(lines []string) {
	a.l.t.Helper()
	a.setting("argocd-rbac-cm", "policy."+a.name+"-actions.csv", strings.Join(lines, "\n")+"\n")
}

// login makes a token as `argocd account generate-token` does, and connects with it.
func (a *actor) login() *argo.Client {
	a.l.t.Helper()
	scheme := "http://"
	if os.Getenv("LIVE_TLS") != "" {
		scheme = "https://"
	}
	var answer struct{ Token string }
	a.l.eventually("an account "+a.name, func() bool {
		body := bytes.NewReader([]byte(`{"expiresIn":3600}`))
		request, err := http.NewRequestWithContext(a.l.t.Context(), http.MethodPost, scheme+os.Getenv("ARGOCD_SERVER")+"/api/v1/account/"+a.name+"/token", body)
		if err != nil {
			a.l.t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ARGOCD_AUTH_TOKEN"))
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			a.l.t.Fatal(err)
		}
		defer response.Body.Close()
		return json.NewDecoder(response.Body).Decode(&answer) == nil && answer.Token != ""
	})
	client, err := argo.Connect(a.l.t.Context(), argo.Options{PlainText: os.Getenv("LIVE_TLS") == "", AuthToken: answer.Token, Server: os.Getenv("ARGOCD_SERVER")})
	if err != nil {
		a.l.t.Fatal(err)
	}
	a.l.t.Cleanup(func() { _ = client.Close() })
	return client
}

// until waits for Argo CD to know of a right, or of its end.
func (a *actor) until(right argo.Right, want bool) {
	a.l.t.Helper()
	a.l.eventually("the right to "+right.Action, func() bool {
		may, err := a.client.Has(a.l.t.Context(), right, "default", a.app)
		return err == nil && may == want
	})
}
