//go:build live

// Package hooks_test applies the output of `bot generate argocd-notifications` to a real Argo CD and waits for what its
// notifications controller sends.
//
// It needs a KUBECONFIG for the cluster of an Argo CD in the namespace argocd, whose notifications controller reaches this
// host on 127.0.0.1, and a Git repository in GIT_URL that Argo CD can read. Without them it fails and does not skip. It
// reverts everything it changes.
package hooks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/webhook"
)

const (
	token = "8d3fb1c14c5e4a6f9b1c2d3e4f5a6b7c"
	// patience is longer than the minute after which the controller looks at every application again.
	patience = 150 * time.Second
	// nasty has all that breaks a message put together without care.
	nasty = "no \"such\"\n{\\thing}"
)

func TestHooks(t *testing.T) {
	if os.Getenv("KUBECONFIG") == "" || os.Getenv("GIT_URL") == "" {
		t.Fatal("set KUBECONFIG and GIT_URL to the cluster of an Argo CD and a repository that it can read")
	}
	listener := listen(t, "127.0.0.1:0")
	address := listener.Addr().String()
	install(t, address)
	bot := start(t, listener)

	t.Run("a failed sync", func(t *testing.T) {
		apply(t, "hooks-failed", map[string]any{"path": "there-is-no-such-path"}, true)
		await(t, "the failed sync", func() bool {
			return strings.Contains(field(t, "hooks-failed", ".status.operationState.phase"), "Error")
		})
		began := time.Now()
		bot.await(t, "hooks-failed")
		t.Logf("hook after %s", time.Since(began).Round(time.Millisecond))
	})
	t.Run("a comparison error with quotes and line ends", func(t *testing.T) {
		apply(t, "hooks-quotes", map[string]any{"path": ".", "targetRevision": nasty}, false)
		bot.await(t, "hooks-quotes")
		const message = `.status.conditions[?(@.type=="ComparisonError")].message`
		if text := field(t, "hooks-quotes", message); !strings.Contains(text, nasty) {
			t.Errorf("the message of the error has no quotes and line ends, so this shows nothing: %q", text)
		}
	})
	t.Run("the bot is down", func(t *testing.T) {
		bot.stop(t)
		// Something that accepts and hangs up, so that the attempts can be counted.
		down := listen(t, address)
		attempts := make(chan struct{}, 100)
		go func() {
			for {
				conn, err := down.Accept()
				if err != nil {
					return
				}
				attempts <- struct{}{}
				_ = conn.Close()
			}
		}()
		apply(t, "hooks-down", map[string]any{"path": "there-is-no-such-path"}, false)
		began := time.Now()
		for wait, tried := patience, 0; ; {
			select {
			case <-attempts:
				tried, wait = tried+1, 5*time.Second // silence: it has given up on every trigger
				t.Logf("attempt after %s", time.Since(began).Round(time.Millisecond))
				continue
			case <-time.After(wait):
			}
			if tried == 0 {
				t.Fatal("Argo CD did not try")
			}
			break
		}
		_ = down.Close()
		bot = start(t, listen(t, address))
		began = time.Now()
		bot.await(t, "hooks-down")
		t.Logf("hook %s after the bot came back", time.Since(began).Round(time.Millisecond))
	})
}

// receiver is the bot's HTTP server with a sink that keeps the names.
type receiver struct {
	apps   chan diagnose.AppName
	cancel context.CancelFunc
	ended  chan error
}

func start(t *testing.T, listener net.Listener) *receiver {
	t.Helper()
	r := &receiver{apps: make(chan diagnose.AppName, 1000), ended: make(chan error, 1)}
	s, err := webhook.New(webhook.Options{
		Hooks: []webhook.Hook{{Instance: "lab", Token: token}},
		Sink: func(_ context.Context, app diagnose.AppName) error {
			r.apps <- app
			return nil
		},
		Registry: prometheus.NewRegistry(), Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	var ctx context.Context
	ctx, r.cancel = context.WithCancel(t.Context())
	metrics := listen(t, "127.0.0.1:0") // nobody asks
	go func() { r.ended <- s.Serve(ctx, listener, metrics) }()
	return r
}

func (r *receiver) stop(t *testing.T) {
	t.Helper()
	r.cancel()
	if err := <-r.ended; err != nil {
		t.Fatal(err)
	}
}

func (r *receiver) await(t *testing.T, name string) {
	t.Helper()
	want := diagnose.AppName{Instance: "lab", Namespace: "argocd", Name: name}
	end := time.After(patience)
	for {
		select {
		case got := <-r.apps:
			if got == want {
				return
			}
			t.Logf("also: %+v", got)
		case <-end:
			t.Fatalf("no hook about %s within %s", name, patience)
		}
	}
}

func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}

// install does what the generated file says, and afterwards undoes it as the file says.
func install(t *testing.T, address string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "bot")
	run(t, "", "go", "build", "-o", program, "github.com/argo-why/argo-why/cmd/bot")
	before := data(t)
	text := run(t, before["subscriptions"], program,
		"generate", "argocd-notifications", "--url", "http://"+address, "--instance", "lab", "--subscriptions", "-")
	file := filepath.Join(t.TempDir(), "argocd-notifications.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		patch(t, "configmap", "argocd-notifications-cm", map[string]any{"data": map[string]any{"subscriptions": before["subscriptions"]}})
		for line := range strings.Lines(text) {
			if _, change, found := strings.Cut(line, "configmap argocd-notifications-cm --type merge -p "); found {
				kubectl(t, "", "-n", "argocd", "patch", "configmap", "argocd-notifications-cm", "--type", "merge", "-p", strings.Trim(change, "'\n"))
			}
		}
		patch(t, "secret", "argocd-notifications-secret", map[string]any{"data": map[string]any{"argo-why-token": nil}})
		if after := data(t); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("the ConfigMap is not as it was:\n%v\nwas\n%v", after, before)
		}
	})
	patch(t, "secret", "argocd-notifications-secret", map[string]any{"stringData": map[string]any{"argo-why-token": token}})
	kubectl(t, "", "-n", "argocd", "patch", "configmap", "argocd-notifications-cm", "--type", "merge", "--patch-file", file)
	after := data(t)
	for key, value := range before {
		if key != "subscriptions" && after[key] != value {
			t.Fatalf("%s of the ConfigMap was %q and is %q", key, value, after[key])
		}
	}
}

func data(t *testing.T) map[string]string {
	t.Helper()
	var configMap struct{ Data map[string]string }
	if err := json.Unmarshal([]byte(kubectl(t, "", "-n", "argocd", "get", "configmap", "argocd-notifications-cm", "-o", "json")), &configMap); err != nil {
		t.Fatal(err)
	}
	return configMap.Data
}

func patch(t *testing.T, kind, name string, change any) {
	t.Helper()
	text, err := json.Marshal(change)
	if err != nil {
		t.Fatal(err)
	}
	kubectl(t, "", "-n", "argocd", "patch", kind, name, "--type", "merge", "-p", string(text))
}

// apply makes an application, with a sync asked for or not.
func apply(t *testing.T, name string, source map[string]any, sync bool) {
	t.Helper()
	source["repoURL"] = os.Getenv("GIT_URL")
	app := map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
		"metadata": map[string]any{"name": name, "namespace": "argocd"},
		"spec":     map[string]any{"project": "default", "source": source, "destination": map[string]any{"server": "https://kubernetes.default.svc", "namespace": "default"}},
	}
	if sync {
		app["operation"] = map[string]any{"sync": map[string]any{}}
	}
	text, err := json.Marshal(app)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kubectl(t, "", "-n", "argocd", "delete", "application", name, "--timeout=300s") })
	kubectl(t, string(text), "create", "-f", "-")
}

func field(t *testing.T, name, path string) string {
	t.Helper()
	return kubectl(t, "", "-n", "argocd", "get", "application", name, "-o", "jsonpath={"+path+"}")
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for end := time.After(patience); !done(); {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("waited too long for %s", what)
		}
	}
}

func kubectl(t *testing.T, input string, args ...string) string {
	t.Helper()
	return run(t, input, "kubectl", args...)
}

func run(t *testing.T, input, program string, args ...string) string {
	t.Helper()
	text, err := try(t, input, program, args...)
	if err != nil {
		t.Fatalf("%s %s: %v: %s", program, strings.Join(args, " "), err, text)
	}
	return text
}

// try outlives the test's context, for the clean-up.
func try(t *testing.T, input, program string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, program, args...)
	command.Stdin = strings.NewReader(input)
	out, err := command.CombinedOutput()
	return string(out), err
}
