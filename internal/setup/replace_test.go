package setup_test

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/argo-why/argo-why/internal/setup"
)

// TestReplacingWithoutATokenOfArgoCD leaves none of the old ones, which secret.sh would keep. Argo CD still has that for webhooks.
func TestReplacingWithoutATokenOfArgoCD(t *testing.T) {
	o := begin(t, many)
	o.Env = func(name string) string { return cmp.Or(tokens[name], "an-old-token") }
	if _, err := setup.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	argoCD, webhook := filepath.Join(o.Dir, "tokens", "argocd-token"), filepath.Join(o.Dir, "tokens", "webhook-token")
	before := read(t, webhook)
	if got := read(t, argoCD); got != "an-old-token" {
		t.Fatalf("wrote the token %q", got)
	}
	o.Env, o.Force = func(name string) string { return tokens[name] }, true
	result, err := setup.Run(t.Context(), o)
	if err != nil || result.HasArgoCDToken {
		t.Fatalf("%+v, %v", result, err)
	}
	if _, err := os.Stat(argoCD); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the old token stays: %v", err)
	}
	if read(t, webhook) != before {
		t.Error("the token for webhooks was replaced")
	}
}

// TestTheDirectoryIsAFile, or would be in one.
func TestTheDirectoryIsAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notadir")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := "--dir: " + file + " is a file, not a directory: give another one"
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		o := begin(t, few)
		o.Dir, o.Force = dir, true
		if _, err := setup.Run(t.Context(), o); err == nil || err.Error() != want || read(t, file) != "mine" {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
