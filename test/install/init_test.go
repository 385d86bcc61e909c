//go:build live

package install_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/argo-why/argo-why/test/cluster"
)

// TestTheSecretIsMade: what `bot init` writes makes the namespace and the Secret, again after a token has changed, and in place of one that was made in
// another way. No token is in an annotation, where kubectl describe would show it.
func TestTheSecretIsMade(t *testing.T) {
	i := &installed{cluster.New(t, "init"), t.TempDir()}
	dir, namespace := filepath.Join(t.TempDir(), "install"), i.Name+"-bot"
	t.Cleanup(func() {
		_, _ = i.try(context.WithoutCancel(t.Context()), "kubectl", "delete", "namespace", namespace, "--wait=false")
	})
	init := exec.CommandContext(t.Context(), "../../bin/bot", "init", "--offline", "--dir", dir, "--namespace", namespace,
		"--team", "T0123456789", "--channel", "argo-alerts", "--argocd-url", "https://argocd.example.com", "--notifications")
	init.Env = append(os.Environ(), "SLACK_BOT_TOKEN=xoxb-123456", "SLACK_APP_TOKEN=xapp-123456", "ARGOCD_TOKEN=a-token-of-argocd")
	if out, err := init.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := map[string]string{"slack-bot-token": "xoxb-123456", "slack-app-token": "xapp-123456", "argocd-token": "a-token-of-argocd"}
	webhook, err := os.ReadFile(filepath.Join(dir, "tokens", "webhook-token"))
	if err != nil {
		t.Fatal(err)
	}
	want["webhook-token"] = string(webhook)

	// The lab's argocd-server is a process, for which Argo CD may have made no certificate.
	if err := os.WriteFile(filepath.Join(dir, "tokens", "argocd.crt"), []byte("a certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	want["argocd.crt"] = "a certificate"

	i.run(t, "kubectl", "create", "namespace", namespace)
	i.run(t, "kubectl", "-n", namespace, "create", "secret", "generic", "argo-why", "--from-literal=slack-bot-token=old")
	for _, token := range []string{"xoxb-123456", "xoxb-654321"} {
		want["slack-bot-token"] = token
		if err := os.WriteFile(filepath.Join(dir, "tokens", "slack-bot-token"), []byte(token), 0o600); err != nil {
			t.Fatal(err)
		}
		i.run(t, "sh", filepath.Join(dir, "secret.sh"))
		var secret struct {
			Metadata struct{ Annotations map[string]string }
			Data     map[string]string
		}
		if err := json.Unmarshal([]byte(i.run(t, "kubectl", "-n", namespace, "get", "secret", "argo-why", "-o", "json")), &secret); err != nil {
			t.Fatal(err)
		}
		if len(secret.Metadata.Annotations) > 0 || len(secret.Data) != len(want) {
			t.Errorf("annotations %v, %d keys", secret.Metadata.Annotations, len(secret.Data))
		}
		for key, token := range want {
			if secret.Data[key] != base64.StdEncoding.EncodeToString([]byte(token)) {
				t.Errorf("%s is not the token in the file", key)
			}
		}
	}
}
