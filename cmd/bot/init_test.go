//go:build linux || darwin

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/argo-why/argo-why/internal/slack/probe"
	"github.com/argo-why/argo-why/internal/workspace"
)

// person runs argo-why init at a terminal.
type person struct {
	t        *testing.T
	dir      string
	cmd      *exec.Cmd
	terminal *os.File
	ended    chan struct{}

	mu    sync.Mutex
	shown bytes.Buffer
	read  int // what of it was looked at
}

// longWait is for a machine that is busy: nothing here waits for a time.
const longWait = 2 * time.Minute

// sitDown starts the program in a terminal, in an empty directory.
func sitDown(t *testing.T, args ...string) *person {
	t.Helper()
	p := &person{t: t, dir: t.TempDir(), ended: make(chan struct{})}
	p.start(args...)
	return p
}

func (p *person) start(args ...string) {
	p.t.Helper()
	program, err := exec.LookPath("argo-why") // made by TestMain
	if err != nil {
		p.t.Fatal(err)
	}
	p.cmd = exec.CommandContext(p.t.Context(), program, append([]string{"init"}, args...)...)
	p.cmd.Dir = p.dir
	p.cmd.Env = []string{"HOME=" + p.dir, "PATH=" + os.Getenv("PATH"), "TERM=xterm"}
	if p.terminal, err = pty.StartWithSize(p.cmd, &pty.Winsize{Rows: 50, Cols: 100}); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = p.terminal.Close() })
	p.ended = make(chan struct{})
	go func(terminal *os.File, ended chan struct{}) {
		defer close(ended)
		piece := make([]byte, 4096)
		for {
			n, err := terminal.Read(piece)
			p.mu.Lock()
			p.shown.Write(piece[:n])
			p.mu.Unlock()
			if err != nil { // the program has ended
				return
			}
		}
	}(p.terminal, p.ended)
}

// all is everything that was shown.
func (p *person) all() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.ReplaceAll(p.shown.String(), "\r\n", "\n")
}

// sees waits for a text behind everything that was seen before.
func (p *person) sees(text string) {
	p.t.Helper()
	for end := time.Now().Add(longWait); ; time.Sleep(5 * time.Millisecond) {
		all := p.all()
		if i := strings.Index(all[p.read:], text); i >= 0 {
			p.read += i + len(text)
			return
		}
		select {
		case <-p.ended:
			if strings.Contains(p.all()[p.read:], text) {
				continue
			}
		default:
			if time.Now().Before(end) {
				continue
			}
		}
		p.t.Fatalf("never shown: %q; shown:\n%s", text, p.all())
	}
}

// types types an answer.
func (p *person) types(answer string) {
	p.t.Helper()
	if _, err := p.terminal.WriteString(answer); err != nil {
		p.t.Fatal(err)
	}
}

// answers waits for a question and answers it.
func (p *person) answers(question, answer string) {
	p.t.Helper()
	p.sees(question)
	p.types(answer + "\n")
}

// answersHidden does so when the terminal no longer shows what is typed.
func (p *person) answersHidden(question, answer string) {
	p.t.Helper()
	p.sees(question)
	for end := time.Now().Add(longWait); p.echoes(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%s: what is typed is shown", question)
		}
	}
	p.types(answer + "\n")
}

// echoes reports whether the terminal shows what is typed.
func (p *person) echoes() bool {
	p.t.Helper()
	settings, err := unix.IoctlGetTermios(int(p.terminal.Fd()), getTermios)
	if err != nil {
		p.t.Fatal(err)
	}
	return settings.Lflag&unix.ECHO != 0
}

// leaves waits for the end and returns the exit code.
func (p *person) leaves() int {
	p.t.Helper()
	<-p.ended
	_ = p.cmd.Wait() // the exit code says it
	return p.cmd.ProcessState.ExitCode()
}

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
	p := sitDown(t, "--slack-api-url", api)
	p.answers("Name of the Slack app [argo-why]: ", "")
	p.answers("Slash command [/argo]: ", "why")
	p.sees(`✗ "why" is not a slash command: expected a slash and up to 31 of a-z, 0-9, - and _, such as /argo`)
	p.answers("Slash command [/argo]: ", "/why")
	p.sees("✓ wrote argo-why-install/slack-app.yaml")
	p.answers("create the app from it? [Y/n]: ", "maybe")
	p.sees("✗ answer y or n")
	p.answers("[Y/n]: ", "y")
	p.sees("No browser found. Open this address:")
	p.sees("https://api.slack.com/apps?new_app=1&manifest_yaml=display_information")
	p.answersHidden("Bot User OAuth Token (xoxb-…; not shown): ", app.AppToken)
	p.sees("✗ expected a token that begins with xoxb-")
	p.answersHidden("not shown): ", "xoxb-000000")
	p.sees("✗ Slack rejects it (invalid_auth)")
	p.answersHidden("not shown): ", app.BotToken)
	p.sees("✓ " /* the name of the workspace */)
	p.sees("(" + w.TeamID() + "), as @argo")
	p.answersHidden("App-level token (xapp-…; not shown): ", app.AppToken)
	p.sees("✓ a socket can be opened")
	p.answers("Channel for incidents (name, or ID C…): ", "#alerts")
	p.sees("✗ leave out the #: write alerts")
	p.answers("(name, or ID C…): ", "alerts")
	p.answers("Short name for this Argo CD, such as prod [prod]: ", "")
	p.answers("Namespace of Argo CD [argocd]: ", "")
	p.answers("Server, as seen from the bot's pod [argocd-server.argocd.svc]: ", "")
	p.answers("plaintext [insecure]: ", "")
	p.answers("Address of Argo CD in the browser, for links: ", "")
	p.sees("✗ an answer is needed: ")
	p.answers("for links: ", "https://argocd.example.com")
	p.answersHidden("secret.sh makes it): ", "a-token-of-argocd")
	p.answers("Receive Argo CD's notifications? ", "y")
	p.answers("Namespace for the bot [argo-why]: ", "")
	p.sees("Type /invite @why in the channel.")
	p.sees("sh argo-why-install/secret.sh")
	if code := p.leaves(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	for _, secret := range []string{app.BotToken, app.AppToken, "a-token-of-argocd", "xoxb-000000"} {
		if strings.Contains(p.all(), secret) {
			t.Errorf("%s was shown:\n%s", secret, p.all())
		}
	}
	for file, want := range map[string]string{
		"values.yaml": "    team: " + w.TeamID() + "\n    channel: alerts\n", "tokens/slack-bot-token": app.BotToken,
		"tokens/slack-app-token": app.AppToken, "tokens/argocd-token": "a-token-of-argocd", "slack-app.yaml": "\n    - command: /why\n",
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

func (p *person) file(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, "argo-why-install", name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
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
