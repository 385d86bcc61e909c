package world_test

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/workspace"
)

// begin makes a world without a bot.
func begin(t *testing.T) *world.World {
	t.Helper()
	w, err := world.New(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// shell is a bot that runs a script of the shell instead.
func shell(script string) world.BotOptions {
	return world.BotOptions{Command: func(ctx context.Context, _ ...string) *exec.Cmd {
		return exec.CommandContext(ctx, "/bin/sh", "-c", script)
	}}
}

// Where nothing can be written, the error says so; there is no world to close.
func TestAWorldThatCannotBeginIsAnError(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	w, err := world.New(t.Context(), nil)
	if w != nil || err == nil || !strings.Contains(err.Error(), "start the demo: ") {
		t.Errorf("got %v, %v", w, err)
	}
}

func TestABotThatCannotStartIsAnError(t *testing.T) {
	w := begin(t)
	err := w.StartBot(t.Context(), world.BotOptions{Command: func(ctx context.Context, _ ...string) *exec.Cmd {
		return exec.CommandContext(ctx, filepath.Join(t.TempDir(), "missing"))
	}})
	if err == nil || !strings.HasPrefix(err.Error(), "start the bot: ") {
		t.Errorf("it started: %v", err)
	}
}

// What a visitor reads about a bot that ends by itself is what the bot said last.
func TestABotThatEndsByItselfSaysWhy(t *testing.T) {
	for script, want := range map[string]string{
		"echo starting; echo 'bot: the port is in use' >&2; exit 1": "the bot stopped: exit status 1: bot: the port is in use",
		"exit 0": "the bot stopped",
	} {
		w := begin(t)
		if err := w.StartBot(t.Context(), shell(script)); err != nil {
			t.Fatal(err)
		}
		if err := w.AwaitBot(t.Context()); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, not %s", script, err, want)
		}
	}
}

// The bot sees no kubeconfig, no login and no proxy of the visitor's.
func TestTheBotHasAnEnvironmentOfItsOwn(t *testing.T) {
	for _, name := range []string{"HTTPS_PROXY", "ARGOCD_AUTH_TOKEN", "KUBERNETES_SERVICE_HOST"} {
		t.Setenv(name, "the-visitors")
	}
	t.Setenv("KUBECONFIG", "the-visitors")
	t.Setenv("TZ", "Asia/Tokyo")
	out := filepath.Join(t.TempDir(), "env")
	w := begin(t)
	if err := w.StartBot(t.Context(), shell("/usr/bin/env > "+out)); err != nil {
		t.Fatal(err)
	}
	_ = w.AwaitBot(t.Context()) // it has ended
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "the-visitors") {
		t.Errorf("it is given %s", raw)
	}
	if !slices.Contains(strings.Split(string(raw), "\n"), "TZ=Asia/Tokyo") {
		t.Errorf("its clock is not the visitor's: %s", raw)
	}
}

// A call of Slack waits until the bot that it kills is dead. Meanwhile somebody may start one: neither waits for the other.
func TestTheBotIsStartedWhileSlackIsBusy(t *testing.T) {
	w := begin(t)
	var err error
	w.Slack.Fault(workspace.Fault{Method: "chat.postMessage", Match: func(url.Values) bool {
		err = w.StartBot(t.Context(), shell("exit 0"))
		return false
	}})
	post(t, w, "", "web-1", 0)
	if err != nil {
		t.Error(err)
	}
}

// A site that the visitor has open can reach the port, but not guess a token.
func TestTokensAreOtherOnesEachTime(t *testing.T) {
	one, other := begin(t).People.App, begin(t).People.App
	if one.BotToken == other.BotToken || one.AppToken == other.AppToken {
		t.Errorf("two demos have the same tokens: %s, %s", one.BotToken, one.AppToken)
	}
}
