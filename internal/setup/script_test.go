package setup_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/setup"
)

// TestSecretScript: it makes the token that is missing, once, and the Secret of all tokens, from any directory. test/install runs it in a cluster.
func TestSecretScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it is for a POSIX shell")
	}
	o := begin(t, many)
	o.Account = func(string) string { return "echo asked >> asked.log; echo token-of-argocd\n" }
	if _, err := setup.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	const kubectl = "#!/bin/sh\nprintf '%s\\n' \"$*\" >> \"$LOG\"\ncase \"$*\" in *apply*) cat > /dev/null;; esac\n"
	if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(kubectl), 0o755); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		log := filepath.Join(bin, "log")
		if err := os.Remove(log); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "sh", filepath.Join(o.Dir, "secret.sh"))
		cmd.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "LOG=" + log}
		if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "token-of-argocd") {
			t.Fatalf("%v: %s", err, out)
		}
		for _, want := range []string{
			"create namespace tools --dry-run=client -o yaml\n",
			"-n tools create secret generic argo-why --dry-run=client -o yaml --from-file=tokens/slack-bot-token --from-file=tokens/slack-app-token --from-file=tokens/argocd-token --from-file=tokens/webhook-token\n",
			"apply --server-side -f -\n", "apply --server-side --force-conflicts -f -\n",
		} {
			if got := read(t, log); !strings.Contains(got, want) {
				t.Errorf("never ran kubectl %s, but\n%s", want, got)
			}
		}
	}
	if got := read(t, filepath.Join(o.Dir, "asked.log")); got != "asked\n" {
		t.Errorf("the token was made more than once: %q", got)
	}
	token := filepath.Join(o.Dir, "tokens", "argocd-token")
	if info, err := os.Stat(token); err != nil || info.Mode().Perm() != 0o600 || read(t, token) != "token-of-argocd\n" {
		t.Errorf("the token: %v, %v", info, err)
	}
}
