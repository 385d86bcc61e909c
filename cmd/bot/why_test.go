package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/argo/argotest"
)

// bot runs a command line in this process.
func bot(ctx context.Context, args ...string) (code int, out, errOut string) {
	var o, e bytes.Buffer
	code = execute(ctx, args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

func TestASavedCaseReplaysToTheSameReport(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBECONFIG", "")
	files, err := filepath.Glob(casesDir + "/*/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if appOf(t, raw) == "/" {
				t.Skip("Argo CD refused to show the application, or there is none")
			}
			server := argotest.NewServer(t, raw)
			saved := filepath.Join(t.TempDir(), "case.json")
			code, live, errOut := bot(t.Context(), "why", appOf(t, raw), "-o", "json", "--save", saved,
				"--server", server.Address, "--plaintext", "--auth-token", argotest.Token)
			if code != exitDiagnosed {
				t.Fatalf("live: exit code %d: %s", code, errOut)
			}
			code, replayed, errOut := bot(t.Context(), "why", "-f", saved, "-o", "json")
			if code != exitDiagnosed {
				t.Fatalf("saved: exit code %d: %s", code, errOut)
			}
			if a, b := withoutCost(t, live), withoutCost(t, replayed); !reflect.DeepEqual(a, b) {
				t.Errorf("live:\n%s\nsaved:\n%s", live, replayed)
			}
		})
	}
}

func TestWhatArgoCDRefusesToShowIsNamed(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBECONFIG", "")
	raw := recordedCase(t, "hook-failed")
	server := argotest.NewServer(t, raw)
	server.Fail("ResourceTree", errors.New("the cache is cold"))
	saved := filepath.Join(t.TempDir(), "case.json")
	code, out, errOut := bot(t.Context(), "why", appOf(t, raw), "--save", saved,
		"--server", server.Address, "--plaintext", "--auth-token", argotest.Token)
	if code != exitDiagnosed || !strings.Contains(out, "Not read\n        resource tree") || !strings.Contains(out, "the cache is cold") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if !strings.Contains(errOut, saved+" is incomplete: read resource tree of") || strings.Count(errOut, "\n") != 1 {
		t.Errorf("stderr: %q", errOut)
	}
}

// appOf is the application of a case as an argument.
func appOf(t *testing.T, raw []byte) string {
	t.Helper()
	var c struct {
		Application struct {
			Metadata struct{ Namespace, Name string }
		}
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	return c.Application.Metadata.Namespace + "/" + c.Application.Metadata.Name
}

// withoutCost is a report without what was read and at what cost, which a file does not have.
func withoutCost(t *testing.T, report string) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(report), &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "examined")
	if m["verdict"] == "healthy" { // a complete file tells more about an application that was not worth another call
		delete(m, "findings")
	}
	return m
}

func TestAPipeIsReadLikeAFile(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	raw := recordedCase(t, "healthy")
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(pipe, raw, 0o600) }()
	code, out, errOut := bot(t.Context(), "why", "-f", pipe)
	if code != exitDiagnosed || !strings.Contains(out, "Synced and healthy") {
		t.Errorf("exit code %d\n%s%s", code, out, errOut)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
}

func TestWaitingForAPipeEndsWithTheContext(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if code, _, errOut := bot(ctx, "why", "-f", pipe); code != exitFailed || errOut != "argo-why: interrupted\n" {
		t.Errorf("exit code %d: %q", code, errOut)
	}
}

func TestASignalIsInTheExitCode(t *testing.T) {
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(interruption{signal})
		if code, _, errOut := bot(ctx, "why", "shop", "--server", "127.0.0.1:1"); code != want || errOut != "argo-why: interrupted\n" {
			t.Errorf("%v: exit code %d: %q", signal, code, errOut)
		}
	}
}

// What computes does not look at its context all the time.
func TestASignalEndsWhatComputes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		computed := make(chan struct{})
		defer close(computed)
		cancel()
		if err := untilInterrupted(ctx, func(context.Context) error { <-computed; return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := errors.New("closed the connection")
	if err := untilInterrupted(ctx, func(ctx context.Context) error { cancel(); <-ctx.Done(); return ended }); !errors.Is(err, ended) {
		t.Errorf("what ends by itself ended with %v", err)
	}
}

// TestTheApplicationHasAllTheTime: it is waited for as long as --timeout says, not as long as for one of many facts.
func TestTheApplicationHasAllTheTime(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBECONFIG", "")
	raw := recordedCase(t, "healthy")
	server := argotest.NewServer(t, raw)
	code, out, errOut := bot(t.Context(), "why", appOf(t, raw), "--timeout", "60s",
		"--server", server.Address, "--plaintext", "--auth-token", argotest.Token)
	if code != exitDiagnosed || !strings.Contains(out, "Synced and healthy") {
		t.Errorf("exit code %d\n%s%s", code, out, errOut)
	}
	if given := server.CallerTimeout("Get"); given < 30*time.Second { // one of many facts has a third; what is left is for a slow machine
		t.Errorf("waited for %s", given)
	}
}

func TestASecretGoesNeitherToTheTerminalNorIntoAFile(t *testing.T) {
	// Put together here, so that no scanner takes this file for a leak.
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	raw := bytes.ReplaceAll(recordedCase(t, "git-unreachable"), []byte("http://127.0.0.1:9/"), []byte("http://ci:"+secret+"@127.0.0.1:9/"))
	if !bytes.Contains(raw, []byte(secret)) {
		t.Fatal("the case no longer has such an address")
	}
	dir := t.TempDir()
	file, saved := filepath.Join(dir, "in.json"), filepath.Join(dir, "out.json")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range formats {
		code, out, errOut := bot(t.Context(), "why", "-f", file, "-o", format, "--save", saved)
		if code != exitDiagnosed || strings.Contains(out+errOut, secret) {
			t.Errorf("%s: exit code %d\n%s%s", format, code, out, errOut)
		}
	}
	if text, err := os.ReadFile(saved); err != nil || bytes.Contains(text, []byte(secret)) {
		t.Errorf("the saved case contains the secret (%v)", err)
	}
	if code, _, errOut := bot(t.Context(), "why", "-f", dir+"/token="+secret); code != exitFailed || strings.Contains(errOut, secret) {
		t.Errorf("exit code %d: %s", code, errOut)
	}
}
