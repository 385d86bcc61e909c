//go:build live

package compare_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// rounds is how often each application is asked about.
const rounds = 15

// The promises: how long `bot why` takes, as a part of what the others take.
const (
	ofAppGet  = 0.8
	ofRunbook = 0.25
)

// applications are those that are asked about: a cause that stands in the application, and causes whose evidence are logs, pods, and differences.
var applications = []string{"helm-nil", "admission-webhook", "presync-hook-failed", "scale-drift", "pod-waiting-crashloop", "healthy"}

// runbook is what people type who have no bot: README.md begins with it. The namespace of an application in the lab is s- and its name.
func runbook(app string) [][]string {
	namespace := "s-" + app
	return [][]string{
		{"argocd", "app", "get", app, "--show-operation"},
		{"argocd", "app", "diff", app},
		{"kubectl", "-n", namespace, "get", "events"},
		{"kubectl", "-n", namespace, "describe", "pods,jobs"},
		{"kubectl", "-n", namespace, "logs", "-l", "app=" + app, "--tail", "50"},
	}
}

// used is what commands took.
type used struct {
	took time.Duration
	// memory is the most that one of them had, in MB.
	memory int64
}

func TestCompare(t *testing.T) {
	for _, name := range []string{"ARGOCD_SERVER", "ARGOCD_AUTH_TOKEN", "KUBECONFIG"} {
		if os.Getenv(name) == "" {
			t.Fatalf("%s is not set: source the environment of a lab that is up", name)
		}
	}
	bot, err := filepath.Abs("../../bin/bot")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	out.WriteString("| application | bot why | argocd app get | runbook | why : app get | why : runbook | memory, MB |\n|---|---|---|---|---|---|---|\n")
	var allGet, allBook []float64
	for _, app := range applications {
		why := [][]string{{bot, "why", app, "--plaintext"}}
		get := [][]string{{"argocd", "app", "get", app}}
		three := [][][]string{why, get, runbook(app)}
		var took [3][]float64
		var ofGet, ofBook []float64
		var memory [3]int64
		for round := range rounds + 1 {
			var now [3]used
			for n := range three { // who is first has a cold cache
				which := (round + n) % len(three)
				now[which] = run(t, three[which], which < 2)
			}
			if round == 0 {
				continue // Argo CD and the disk were cold
			}
			for n, u := range now {
				took[n] = append(took[n], float64(u.took.Milliseconds()))
				memory[n] = max(memory[n], u.memory)
			}
			ofGet = append(ofGet, float64(now[0].took)/float64(now[1].took))
			ofBook = append(ofBook, float64(now[0].took)/float64(now[2].took))
		}
		allGet, allBook = append(allGet, median(ofGet)), append(allBook, median(ofBook))
		fmt.Fprintf(&out, "| %s | %.0f ms | %.0f ms | %.0f ms | %.2f | %.2f | %d, %d, %d |\n", app, median(took[0]), median(took[1]), median(took[2]),
			median(ofGet), median(ofBook), memory[0], memory[1], memory[2])
	}
	fmt.Fprintf(&out, "| median of all | | | | %s | %s | |\n", judged(median(allGet), ofAppGet), judged(median(allBook), ofRunbook))
	fmt.Print("\n", out.String())
}

func judged(ratio, promise float64) string {
	text := fmt.Sprintf("%.2f, promised ≤ %.2f", ratio, promise)
	if ratio > promise {
		text = "**" + text + "** (missed)"
	}
	return text
}

// run runs commands one after the other, as a person does who reads the output of each. mustAnswer: a failure of one is a failure of the
// test. Of a runbook some do: a diff says with its exit code that there is one, and not every application has pods.
func run(t *testing.T, commands [][]string, mustAnswer bool) (u used) {
	t.Helper()
	for _, c := range commands {
		cmd := exec.CommandContext(t.Context(), c[0], c[1:]...)
		began := time.Now()
		out, err := cmd.Output()
		u.took += time.Since(began)
		var exit *exec.ExitError
		if err != nil && (mustAnswer || !errors.As(err, &exit)) {
			t.Fatalf("%s: %v\n%s", strings.Join(c, " "), err, stderr(err))
		}
		if mustAnswer && len(out) == 0 {
			t.Fatalf("%s: no answer", strings.Join(c, " "))
		}
		if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			u.memory = max(u.memory, usage.Maxrss/1024)
		}
	}
	return u
}

func stderr(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(exit.Stderr)
	}
	return ""
}

func median(all []float64) float64 {
	return slices.Sorted(slices.Values(all))[len(all)/2]
}
