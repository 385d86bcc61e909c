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

// TestTheCertificateOfArgoCDIsCopied: your own, its authority first, else the one that Argo CD made; and where there is none the script says so and
// makes no Secret that the bot cannot start with.
func TestTheCertificateOfArgoCDIsCopied(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it is for a POSIX shell")
	}
	o := begin(t, few)
	o.Account = func(string) string { return "echo token-of-argocd\n" }
	if _, err := setup.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	const kubectl = `#!/bin/sh
case "$*" in
  '-n argocd get secret '*) printf '%s\n' "$*" >> "$LOG"; case "$*" in *"$HAS"*) printf '%s' "$HAS";; esac;;
  *'create secret'*) printf '%s\n' "$*" >> "$LOG";;
  *apply*) cat > /dev/null;;
esac
`
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(kubectl), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(o.Dir, "tokens", "argocd.crt")
	for has, want := range map[string]string{
		`argocd-server-tls --ignore-not-found -o go-template={{with index .data "ca.crt"}}{{base64decode .}}{{end}}`:  "",
		`argocd-server-tls --ignore-not-found -o go-template={{with index .data "tls.crt"}}{{base64decode .}}{{end}}`: "",
		`argocd-secret --ignore-not-found -o go-template={{with index .data "tls.crt"}}{{base64decode .}}{{end}}`:     "",
		"nothing": "Neither argocd-server-tls nor argocd-secret in namespace argocd has a certificate",
	} {
		log := filepath.Join(t.TempDir(), "log")
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "sh", filepath.Join(o.Dir, "secret.sh"))
		cmd.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "LOG=" + log, "HAS=" + has}
		out, err := cmd.CombinedOutput()
		if (err != nil) != (want != "") || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v: %s", has, err, out)
		}
		made := strings.Contains(read(t, log), "--from-file=tokens/argocd.crt")
		if made != (want == "") || want == "" && read(t, file) != has {
			t.Errorf("%s: the Secret is made: %v, of %q\n%s", has, made, read(t, file), read(t, log))
		}
	}
}

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
