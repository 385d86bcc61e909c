//go:build linux || darwin

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/slack/probe"
	"github.com/argo-why/argo-why/internal/workspace"
)

// newSlack is a workspace with the app of the manifest.
func newSlack(t *testing.T) (w *workspace.Workspace, app workspace.App, api string) {
	t.Helper()
	w = workspace.New(workspace.Options{})
	t.Cleanup(w.Close)
	server, err := workspace.Start(t.Context(), "127.0.0.1:0", w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return w, w.AddApp(workspace.App{Name: "argo", Scopes: probe.Names()}), server.URL + "/api/"
}

// TestInitAsks: a person answers one question at a time, and mistakes are explained at once.
func TestInitAsks(t *testing.T) {
	w, app, api := newSlack(t)
	argocd := argotest.NewServer(t)
	p := sitDown(t, "--slack-api-url", api)
	p.answers("Name of the Slack app [argo-why]: ", "")
	p.answers("Slash command [/argo]: ", "ask why")
	p.sees(`✗ "/ask why" is not a slash command: expected a slash and up to 31 of a-z, 0-9, - and _, such as /argo`)
	p.answers("Slash command [/argo]: ", "why")
	p.sees("✓ wrote argo-why-install/slack-app.yaml")
	p.answers("create the app from it? [Y/n]: ", "maybe")
	p.sees("✗ answer y or n")
	p.answers("[Y/n]: ", "y")
	p.sees("No browser found.")
	p.sees("https://api.slack.com/apps?new_app=1, From a manifest, and paste argo-why-install/slack-app.yaml")
	p.answersHidden("Bot User OAuth Token (xoxb-…; not shown): ", app.AppToken)
	p.sees("✗ expected a token that begins with xoxb-")
	p.answersHidden("not shown): ", "xoxb-000000")
	p.sees("✗ Slack rejects it (invalid_auth)")
	p.answersHidden("not shown): ", app.BotToken)
	p.sees("✓ " /* the name of the workspace */)
	p.sees("(" + w.TeamID() + "), as @argo")
	p.answersHidden("App-level token (xapp-…; not shown): ", app.AppToken)
	p.sees("✓ a socket can be opened")
	p.answers("Channel for incidents (name, or ID C…): ", "")
	p.sees("✗ an answer is needed: channel for incidents")
	p.answers("(name, or ID C…): ", "#alerts now")
	p.sees("✗ ")
	p.answers("(name, or ID C…): ", "#alerts")
	p.answers("Short name for this Argo CD, such as prod [prod]: ", "")
	p.answers("Namespace of Argo CD [argocd]: ", "")
	p.answers("Server, as seen from the bot's pod [argocd-server.argocd.svc]: ", argocd.Address)
	p.answers("plaintext [verify]: ", "plaintext")
	p.answers("Address of Argo CD in the browser, for links: ", "argocd")
	p.sees(`✗ "argocd" is not an address: expected one such as https://argocd.example.com`)
	p.answers("for links: ", "https://argocd.example.com")
	p.answersHidden("secret.sh makes it): ", "a-token-of-another")
	p.sees("✗ rejected by Argo CD: ")
	p.answersHidden("secret.sh makes it): ", argotest.Token)
	p.sees("✓ the token of account ")
	p.answers("Receive Argo CD's notifications? ", "y")
	p.answers("Namespace for the bot [argo-why]: ", "")
	p.sees("Type /invite @why in the channel.")
	p.sees("sh argo-why-install/secret.sh")
	if code := p.leaves(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	for _, secret := range []string{app.BotToken, app.AppToken, argotest.Token, "a-token-of-another", "xoxb-000000"} {
		if strings.Contains(p.all(), secret) {
			t.Errorf("%s was shown:\n%s", secret, p.all())
		}
	}
	for file, want := range map[string]string{
		"values.yaml": "    team: " + w.TeamID() + "\n    channel: alerts\n", "tokens/slack-bot-token": app.BotToken,
		"tokens/slack-app-token": app.AppToken, "tokens/argocd-token": argotest.Token, "slack-app.yaml": "\n    - command: /why\n",
	} {
		if got := p.file(file); !strings.Contains(got, want) {
			t.Errorf("%s does not have %q:\n%s", file, want, got)
		}
	}

	// Once more, and what is there is not replaced.
	p.start("--slack-api-url", api)
	p.answers("argo-why-install already has values.yaml, secret.sh", "")
	p.sees("argo-why: nothing was replaced: give another directory with --dir")
	if code := p.leaves(); code != 1 {
		t.Errorf("exit code %d", code)
	}
}

// TestInitSuggestsWhatThisMachineKnows: the Argo CD that the person is logged in to, and the name of the cluster, if it can be read.
func TestInitSuggestsWhatThisMachineKnows(t *testing.T) {
	p := &person{t: t, dir: t.TempDir()}
	for file, text := range map[string]string{
		".kube/config":          "apiVersion: v1\nkind: Config\ncurrent-context: prod-eu\ncontexts: [{name: prod-eu, context: {cluster: a, user: a}}]\n",
		".config/argocd/config": "current-context: a\ncontexts: [{name: a, server: argocd.acme.dev, user: a}]\nservers: [{server: argocd.acme.dev}]\nusers: [{name: a, auth-token: the-token-of-a-person}]\n",
		"bot":                   "xoxb-123456", "app": "xapp-123456",
	} {
		file = filepath.Join(p.dir, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	p.start("--offline", "--slack-bot-token-file", "bot", "--slack-app-token-file", "app", "--app-name", "argo-why", "--command", "/argo",
		"--team", "T0123456789", "--channel", "alerts", "--notifications", "--namespace", "argo-why", "--argocd-namespace", "argocd")
	p.answers("such as prod [prod-eu]: ", "")
	p.answers("pod [argocd-server.argocd.svc]: ", "")
	p.answers("plaintext [own]: ", "")
	p.answers("for links [https://argocd.acme.dev]: ", "")
	p.answersHidden("secret.sh makes it): ", "")
	p.sees("argo-why generate argocd-notifications --url http://argo-why.argo-why.svc --instance prod-eu ")
	if code := p.leaves(); code != 0 || strings.Contains(p.file("values.yaml"), "person") {
		t.Errorf("exit code %d", code)
	}
	if _, err := os.Stat(filepath.Join(p.dir, "argo-why-install/tokens/argocd-token")); err == nil {
		t.Error("the token of the person became that of the bot")
	}
}

// TestInitCanBeLeft: Ctrl-C and Ctrl-D at any question leave nothing half-written, and a terminal that shows what is typed.
func TestInitCanBeLeft(t *testing.T) {
	const interrupt, end = "\x03", "\x04"
	for name, x := range map[string]struct {
		key  string
		at   func(*person)
		code int
		says string
		left []string
	}{
		"Ctrl-C at the first question": {interrupt, func(p *person) { p.sees("Name of the Slack app [argo-why]: ") }, 130, "argo-why: interrupted\n", nil},
		"Ctrl-D at the first question": {end, func(p *person) { p.sees("Name of the Slack app [argo-why]: ") }, 1, "argo-why: the input ended before the last question was answered", nil},
		"Ctrl-C at a token": {interrupt, func(p *person) {
			p.answers("Name of the Slack app [argo-why]: ", "")
			p.answers("Slash command [/argo]: ", "")
			p.answers("[Y/n]: ", "n")
			p.answersHidden("not shown): ", "xoxb-000000")
			p.sees("App-level token")
			for p.echoes() {
				time.Sleep(time.Millisecond)
			}
			p.types("xapp-unfinished")
		}, 130, "argo-why: interrupted\n", []string{"slack-app.yaml"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := sitDown(t, "--offline")
			x.at(p)
			p.types(x.key)
			if code := p.leaves(); code != x.code || !strings.Contains(p.all(), x.says) || strings.Contains(p.all(), "unfinished") {
				t.Errorf("exit code %d, shown:\n%s", code, p.all())
			}
			if !p.echoes() {
				t.Error("the terminal no longer shows what is typed")
			}
			left, _ := filepath.Glob(filepath.Join(p.dir, "argo-why-install", "*"))
			for i, file := range left {
				left[i] = filepath.Base(file)
			}
			if strings.Join(left, " ") != strings.Join(x.left, " ") {
				t.Errorf("left behind: %v, want %v", left, x.left)
			}
		})
	}
}
