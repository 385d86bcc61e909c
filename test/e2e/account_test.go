//go:build e2e

package e2e_test

import (
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
