package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience is how long something may take that takes seconds at most, on a machine that does ten other things.
const patience = 2 * time.Minute

// A visitor starts it, sees the failure that is there, and ends it with Ctrl-C or closes the terminal: nothing stays behind.
func TestDemoShowsAFailureAndLeavesNothing(t *testing.T) {
	for name, end := range map[string][]os.Signal{
		"Ctrl-C": {os.Interrupt}, "the terminal is closed": {syscall.SIGHUP}, "a signal that comes more than once": {syscall.SIGTERM, syscall.SIGTERM},
	} {
		t.Run(name, func(t *testing.T) {
			if signal.Ignored(end[0]) {
				t.Skip("this test runs under nohup, which the demo inherits")
			}
			t.Parallel()
			showsAndLeavesNothing(t, end...)
		})
	}
}

func showsAndLeavesNothing(t *testing.T, end ...os.Signal) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	temporary := t.TempDir()
	cmd := exec.CommandContext(ctx, "bot", "demo", "--port", "0", "--no-browser", "--log", filepath.Join(temporary, "bot.log"))
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	address, found := strings.CutPrefix(strings.TrimSpace(line), "The demo is at ")
	if err != nil || !found || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("it said %q, %v", line, err)
	}
	for !strings.Contains(get(ctx, t, address+"/channel/deploys"), "demo/payments-api: ") {
		time.Sleep(100 * time.Millisecond)
	}
	if err := cmd.Process.Signal(end[0]); err != nil {
		t.Fatal(err)
	}
	// As often as it takes until it is gone: it must not end before it has cleaned up.
	for len(end) > 1 && cmd.Process.Signal(end[1]) == nil && !hasEnded(cmd.Process.Pid) {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(temporary, "argo-why-demo-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("there is still %v, %v", left, err)
	}
	log, err := os.ReadFile(filepath.Join(temporary, "bot.log"))
	if err != nil || !strings.Contains(string(log), "connected to Slack") {
		t.Errorf("the log of the bot is %s, %v", log, err)
	}
}

// hasEnded reports whether a child has ended that nobody has waited for.
func hasEnded(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}

func get(ctx context.Context, t *testing.T, url string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// TestTheDemoTakesWhatWhyReads: each application becomes a case file, with a time of its own.
func TestTheDemoTakesWhatWhyReads(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saved.txt")
	app := func(name string) string {
		return `{"metadata":{"name":"` + name + `","creationTimestamp":"2026-08-14T02:11:00Z"},"spec":{},"status":{}}`
	}
	text := "$ argocd app list -o json\n[" + app("shop") + "," + app("till") + `,{"kind":"AppProject","metadata":{"name":"team-a"}}]` + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	cases, err := readCases(t.Context(), []string{file}, nil, &said)
	if err != nil || len(cases) != 2 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for i, name := range []string{"shop", "till"} {
		if got := string(cases[i].Text); !strings.Contains(got, `"name": "`+name+`"`) && !strings.Contains(got, `"name":"`+name+`"`) || !strings.Contains(got, "2026-08-14T02:11:00Z") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := said.String(); !strings.Contains(got, "not diagnosed: AppProject team-a") {
		t.Errorf("it said %q", got)
	}
}
