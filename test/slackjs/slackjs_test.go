//go:build slackjs

// Package slackjs tests the embedded workspace with Slack's own clients, because slack-go alone would not show where it differs
// from Slack. Needs Node (18 or later) and `npm ci` in this directory: `make slackjs`.
package slackjs

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

func TestSlacksOwnClientsFeelAtHome(t *testing.T) {
	w, url := workspacetest.Start(t)
	app := w.AddApp(workspace.App{Name: "argo", Commands: []string{"/argo"}, Scopes: []string{
		"app_mentions:read", "channels:history", "chat:write", "commands", "files:write", "users:read",
	}})
	w.AddUser(workspace.User{Name: "alice"})
	deploys := w.AddChannel("deploys", "alice", "argo")
	// After two posts and two that are refused for other reasons, the fifth meets the limit.
	w.Fault(workspace.Fault{Method: "chat.postMessage", Skip: 4, Status: 429, RetryAfter: 2 * time.Second})

	told := run(t, map[string]string{
		"SLACK_API_URL": url + "/api/", "SLACK_BOT_TOKEN": app.BotToken, "SLACK_APP_TOKEN": app.AppToken,
		"SLACK_CHANNEL": deploys.ID(),
	})

	told(t, "auth", map[string]any{"user": "argo", "scopes": []any{
		"app_mentions:read", "channels:history", "chat:write", "commands", "files:write", "users:read",
	}})
	told(t, "history", []any{map[string]any{
		"text": "my-app is healthy", "replies": 1.0,
		"metadata": map[string]any{"event_type": "argo_why", "event_payload": map[string]any{"incident": "i1", "seq": 0.0}},
	}})
	told(t, "users", []any{"argo", "alice"})
	told(t, "blocks", map[string]any{"code": "slack_webapi_platform_error", "error": "invalid_blocks", "messages": []any{
		"[ERROR] failed to match all allowed schemas [json-pointer:/blocks/0/text]",
		"[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
	}})
	told(t, "channel", map[string]any{"code": "slack_webapi_platform_error", "error": "channel_not_found"})
	told(t, "token", map[string]any{"code": "slack_webapi_platform_error", "error": "invalid_auth"})
	told(t, "scope", map[string]any{"code": "slack_webapi_platform_error", "error": "missing_scope", "needed": "team:read"})
	told(t, "limited", "waited")
	told(t, "upload", true)
	told(t, "ready", true)

	if err := w.Command("alice", "deploys", "/argo", "why my-app"); err != nil {
		t.Fatal(err)
	}
	told(t, "command", map[string]any{"command": "/argo", "text": "why my-app", "user": "alice"})
	if err := w.Await(t.Context(), func() bool { return len(deploys.Ephemerals("alice")) == 1 }); err != nil {
		t.Fatal(err)
	}

	text := "<@" + app.BotUserID + "> why my-app"
	if _, err := w.Say("alice", "deploys", text, ""); err != nil {
		t.Fatal(err)
	}
	messages := deploys.Messages
	if err := w.Await(t.Context(), func() bool { return last(messages()).Text == "Sync?" }); err != nil {
		t.Fatal(err)
	}
	question := last(messages())
	told(t, "mention", map[string]any{"text": text, "ts": question.TS})
	if err := w.Click("alice", "deploys", question.TS, "Sync"); err != nil {
		t.Fatal(err)
	}
	told(t, "click", map[string]any{"action": "sync", "value": "my-app", "user": "alice"})
	told(t, "answered", true)

	if got := last(messages()); got.TS != question.TS || got.Text != "Synced" {
		t.Errorf("the question became %+v", got)
	}
	if failures := w.Timeouts(); len(failures) != 0 {
		t.Errorf("alice saw %+v", failures)
	}
}

func last(messages []workspace.Message) workspace.Message { return messages[len(messages)-1] }

// run starts the script and returns a check of the next thing that it prints.
func run(t *testing.T, env map[string]string) func(t *testing.T, name string, value any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	node := exec.CommandContext(ctx, "node", "client.js")
	// Calls go to this machine, whatever proxy there is.
	node.Env = append(os.Environ(), "NO_PROXY=*", "no_proxy=*")
	for name, value := range env {
		node.Env = append(node.Env, name+"="+value)
	}
	node.Stderr = os.Stderr
	out, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatalf("start node: %v; it has to be installed, and `npm ci` run in test/slackjs", err)
	}
	t.Cleanup(func() {
		cancel()
		_ = node.Wait() // killed, if the test ended before it
	})
	lines := bufio.NewScanner(out)
	return func(t *testing.T, name string, value any) {
		t.Helper()
		want := map[string]any{"name": name, "value": value}
		if !lines.Scan() {
			t.Fatalf("node ended before it told %q", name)
		}
		var got map[string]any
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
			t.Fatalf("node printed %q: %v", lines.Text(), err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("node told something else (-want +got):\n%s", diff)
		}
	}
}
