//go:build e2e

package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const deploy = "../../deploy"

// run is a command of the lab, as its administrator.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// argoAccount is a token of the account that deploy/argocd sets up: it has the rights that are written there, and no others.
func argoAccount(t *testing.T) string {
	t.Helper()
	patch := func(configMap, file string) {
		run(t, "kubectl", "-n", "argocd", "patch", "configmap", configMap, "--type", "merge", "--patch-file", filepath.Join(deploy, "argocd", file))
	}
	patch("argocd-cm", "account.yaml")
	patch("argocd-rbac-cm", "rbac.yaml")
	patch("argocd-rbac-cm", "rbac-actions.yaml")
	var token string
	eventually(t, "argocd-server knows the account", func() error {
		out, err := exec.CommandContext(t.Context(), "argocd", "account", "generate-token", "--account", "argo-why").CombinedOutput()
		token = strings.TrimSpace(string(out))
		if err != nil {
			return fmt.Errorf("%w: %s", err, token)
		}
		return nil
	})
	return token
}

// clusterAccount is a kubeconfig of an account that has the rights of deploy/rbac/actions.yaml and no others.
func clusterAccount(t *testing.T) string {
	t.Helper()
	const name = "argo-why-e2e"
	run(t, "kubectl", "create", "namespace", name)
	t.Cleanup(func() {
		out, err := exec.Command("kubectl", "delete", "namespace", name, "--wait=false").CombinedOutput() //nolint:noctx // the test is over
		if err != nil {
			t.Logf("delete namespace %s: %v\n%s", name, err, out)
		}
	})
	run(t, "kubectl", "-n", name, "create", "serviceaccount", "argo-why")
	run(t, "bash", "-c", `kubectl apply -f "$1" && for role in argo-why-jobs argo-why-events; do
		kubectl create clusterrolebinding $role-e2e --clusterrole $role --serviceaccount `+name+`:argo-why --dry-run=client -o yaml | kubectl apply -f -
	done`, "bash", filepath.Join(deploy, "rbac", "actions.yaml"))
	return kubeconfigWith(t, run(t, "kubectl", "-n", name, "create", "token", "argo-why", "--duration", "1h"))
}

// kubeconfigWith leads to the lab's cluster with that token.
func kubeconfigWith(t *testing.T, token string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(run(t, "kubectl", "config", "view", "--raw", "--minify", "--flatten")), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "kubectl", "--kubeconfig", file, "config", "set-credentials", "argo-why", "--token", token)
	run(t, "kubectl", "--kubeconfig", file, "config", "set-context", "--current", "--user", "argo-why")
	return file
}
