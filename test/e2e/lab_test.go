//go:build e2e

// Package e2e_test runs the built bot against a real Argo CD and an embedded Slack workspace, and checks what people see.
//
// `make e2e` starts what it needs. To start it manually: `make build lab-up`, source the environment that it prints, and
// `go test -tags e2e,live -count=1 -v ./test/e2e`. Nothing is skipped: anything missing is an error.
package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/argo-why/argo-why/test/lab/scenarios"
)

const lab = "../lab"

// command is the built bot.
var command string

func TestMain(m *testing.M) {
	if err := prepare(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func prepare() error {
	for _, name := range []string{"LAB_DIR", "ARGOCD_SERVER", "ARGOCD_AUTH_TOKEN", "ARGOCD_READONLY_TOKEN", "KUBECONFIG", "BOT_LISTEN"} {
		if os.Getenv(name) == "" {
			return fmt.Errorf("%s is not set: run `make e2e`, or source the environment of a lab that is up", name)
		}
	}
	var err error
	if command, err = filepath.Abs("../../bin/bot"); err != nil {
		return err
	}
	if _, err := os.Stat(command); err != nil {
		return fmt.Errorf("find the bot (make build): %w", err)
	}
	return nil
}

// play runs or fixes scenarios, "all" for all. The script waits until the applications are where they should be.
func play(t *testing.T, do string, names ...string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), filepath.Join(lab, "scenario"), append([]string{do}, names...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("scenario %s %v: %v\n%s", do, names, err, out)
	}
}

// applications are those of all scenarios.
func applications(t *testing.T) []scenarios.App {
	t.Helper()
	all, err := scenarios.Cured()
	if err != nil {
		t.Fatal(err)
	}
	var apps []scenarios.App
	for _, s := range all {
		apps = append(apps, s.Apps...)
	}
	return apps
}
