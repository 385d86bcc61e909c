package commands

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/slack/probe"
	"github.com/argo-why/argo-why/internal/workspace"
)

// patience is for a machine that does ten other things, and compiles first.
const patience = 4 * time.Minute

// expectation is what a command needs and does, beyond ending with 0.
type expectation struct {
	exit int
	// until is for a command that runs until somebody ends it: what it prints when it is ready.
	until string
	// prints is in its output.
	prints string
	// exact: it prints what the page shows, and nothing else.
	exact bool
	// leaves is a file that it writes.
	leaves string
	// with prepares it.
	with func(*place)
	// instead is what stands for names on the page that nobody has.
	instead func(*place) *strings.Replacer
}

// cases are the commands that are run here.
var cases = map[string]expectation{
	"go run ./cmd/bot demo": {until: "Ctrl-C stops it.\n", prints: "The demo is at http://127.0.0.1:7070\n", with: (*place).portFree},
	"go run ./cmd/bot demo --script docs/images/incident.txtar":                                                   {prints: "db-migrate exited 3: connection refused"},
	"go run ./cmd/bot why -f internal/diagnose/rules/testdata/cases/hook/job-failed/lab-presync-hook-failed.json": {exact: true},
	"go build -o argo-why ./cmd/bot":                                          {leaves: "argo-why"},
	"./argo-why check -c config.yaml":                                         {prints: "✓ slack socket: can be opened\n"},
	"./argo-why serve -c config.yaml":                                         {until: "connected to Slack"},
	"./argo-why why my-app":                                                   {prints: "my-app: PreSync hook"},
	`./argo-why why my-app --server argocd.example.com --auth-token "$TOKEN"`: {prints: "my-app: PreSync hook", instead: (*place).argocdExample},
	"./argo-why why team-a/my-app":                                            {prints: "my-app: "},
	"./argo-why why -f one.json -f two.json":                                  {prints: "courier-api: PreSync hook", with: (*place).recorded},
	"./argo-why why my-app --save case.json":                                  {prints: "my-app: PreSync hook", leaves: "case.json"},
	"argo-why why my-app --exit-code":                                         {exit: 3, prints: "my-app: PreSync hook"},
	"argo-why check -c config.yaml":                                           {exit: 1, with: (*place).incomplete},
	"argo-why serve -c config.yaml --dry-run":                                 {until: "would post", prints: "dry run: nothing is posted, no journal is written, and commands and clicks are not received", with: (*place).first},
	"argo-why generate argocd-notifications --url http://argo-why.argo-why.svc --instance prod > argocd-notifications.yaml": {leaves: "argocd-notifications.yaml"},
	"argo-why generate kubernetes-rbac --service-account tools:bot --applications argocd,team-a":                            {prints: "namespace: tools"},
}

// place is a checkout of this repository with the built program, a Slack and an Argo CD.
type place struct {
	*testing.T
	dir    string
	env    []string
	slack  *workspace.Workspace
	app    workspace.App
	argocd *argotest.Server
}

// TestCommandsDoWhatThePagesSay runs the commands in the order of each page, as somebody would who copies them.
func TestCommandsDoWhatThePagesSay(t *testing.T) {
	p := newPlace(t)
	for _, c := range all(t) {
		expected, ok := cases[c.Name]
		if !ok {
			continue
		}
		t.Run(fmt.Sprintf("%s:%d", c.Page, c.Line), func(t *testing.T) { p.at(t).run(c, expected) })
	}
}

func (p *place) at(t *testing.T) *place {
	q := *p
	q.T = t
	return &q
}

func newPlace(t *testing.T) *place {
	p := &place{T: t, dir: t.TempDir(), slack: workspace.New(workspace.Options{})}
	Checkout(t, root, p.dir)
	t.Cleanup(p.slack.Close)
	server, err := workspace.Start(t.Context(), "127.0.0.1:0", p.slack)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	p.app = p.slack.AddApp(workspace.App{Name: "argo", Scopes: probe.Names()})
	p.slack.AddChannel("argo-alerts", p.app.BotUserID)

	raw := p.read("internal/diagnose/rules/testdata/cases/hook/job-failed/lab-presync-hook-failed.json")
	p.argocd = argotest.NewServer(t)
	if err := p.argocd.Server.Put([]byte(raw), simulator.Name{Namespace: "argocd", Name: "my-app"}, simulator.Name{Namespace: "team-a", Name: "my-app"}); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(p.dir, "home")
	p.env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "NO_COLOR=1", "TOKEN="+argotest.Token, "PATH="+p.dir+":"+os.Getenv("PATH"),
		"SLACK_BOT_TOKEN="+p.app.BotToken, "SLACK_APP_TOKEN="+p.app.AppToken, "ARGOCD_TOKEN="+argotest.Token,
		"KUBECONFIG="+filepath.Join(home, "no-kubeconfig"), "KUBERNETES_SERVICE_HOST=", "ARGOCD_SERVER=", "ARGOCD_AUTH_TOKEN=", "ARGOCD_OPTS=",
		"BROWSER=true", "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false", "GOCACHE="+goEnv(t, "GOCACHE"), "GOMODCACHE="+goEnv(t, "GOMODCACHE"))
	p.write("home/.config/argocd/config", fmt.Sprintf("contexts:\n- {name: lab, server: %[1]q, user: lab}\ncurrent-context: lab\nservers:\n- {server: %[1]q, plain-text: true}\nusers:\n- {name: lab, auth-token: %[2]q}\n",
		p.argocd.Address, argotest.Token))

	// The file is the one that docs/configuration.md begins with, for this Slack and this Argo CD.
	_, rest, _ := strings.Cut(p.read("docs/configuration.md"), "```yaml\n")
	shortest, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("docs/configuration.md shows no file")
	}
	p.write("config.yaml", strings.NewReplacer(
		"T0123456789", p.slack.TeamID(), "slack:\n", "slack:\n  apiURL: "+server.URL+"/api/\n",
		"server: argocd.example.com\n", "server: "+p.argocd.Address+"\n    plainText: true\n",
	).Replace(shortest)+"http: {listen: \"127.0.0.1:0\", metrics: \"localhost:0\"}\nincidents: {openAfter: 1s, quietAfter: 0}\nlog: {format: text}\n")
	p.complete()
	return p
}

// complete gives the app and the account all that they need.
func (p *place) complete() {
	p.slack.SetScopes(p.app, probe.Names()...)
	for _, objects := range []string{"*/*", "default/*"} {
		p.argocd.Allow("logs", "get", objects)
	}
	p.slack.Channel("argo-alerts").Invite(p.app.BotUserID)
}

// first has nothing posted yet.
func (p *place) first() {
	if err := os.Remove(filepath.Join(p.dir, "argo-why.db")); err != nil && !errors.Is(err, os.ErrNotExist) {
		p.Fatal(err)
	}
}

// incomplete is what docs/configuration.md shows the check of.
func (p *place) incomplete() {
	var scopes []string
	for _, scope := range probe.Names() {
		if scope != "chat:write" {
			scopes = append(scopes, scope)
		}
	}
	p.slack.SetScopes(p.app, scopes...)
	for _, objects := range []string{"*/*", "default/*"} {
		p.argocd.Deny("logs", "get", objects)
	}
	p.slack.Channel("argo-alerts").Kick(p.app.BotUserID)
	p.first()
	p.Cleanup(p.complete)
}

// portFree waits until nobody else on this machine has a demo.
func (p *place) portFree() {
	for end := time.Now().Add(patience); ; time.Sleep(time.Second) {
		l, err := new(net.ListenConfig).Listen(p.Context(), "tcp", "127.0.0.1:7070")
		if err == nil {
			_ = l.Close()
			return
		}
		if time.Now().After(end) {
			p.Fatal("the demo's port is taken: ", err)
		}
	}
}

// recorded are two failures in files.
func (p *place) recorded() {
	for _, name := range []string{"one.json", "two.json"} {
		p.write(name, p.read("internal/diagnose/rules/testdata/cases/hook/job-failed/lab-presync-hook-failed.json"))
	}
}

// argocdExample: nobody has argocd.example.com.
func (p *place) argocdExample() *strings.Replacer {
	return strings.NewReplacer("argocd.example.com", p.argocd.Address+" --plaintext")
}

func (p *place) run(c Command, expected expectation) {
	if expected.with != nil {
		expected.with(p)
	}
	text := c.Text
	if expected.instead != nil {
		text = expected.instead(p).Replace(text)
	}
	out, code := p.shell(text, expected.until)
	if code != expected.exit {
		p.Fatalf("%s\nended with %d, want %d:\n%s", c, code, expected.exit, out)
	}
	if !strings.Contains(out, expected.prints) {
		p.Errorf("%s\ndoes not print %q:\n%s", c, expected.prints, out)
	}
	if expected.exact && out != c.Output {
		p.Errorf("%s\nprints\n%s\nand the page shows\n%s", c, out, c.Output)
	}
	if info, err := os.Stat(filepath.Join(p.dir, expected.leaves)); err != nil || info.Size() == 0 {
		p.Errorf("%s\nleaves no %s, or an empty one: %v", c, expected.leaves, err)
	}
	for _, line := range p.unlike(c.Output, out) {
		p.Errorf("%s\nthe page shows a line that it does not print:\n%s\nit prints\n%s", c, line, out)
	}
}

// varying are the parts of a line that differ each time.
var varying = regexp.MustCompile(`\b[TC][0-9A-Z]{8,}\b|time=\S+|incident=\S+|headline="(?:[^"\\]|\\.)*"|channel=\S+|127\.0\.0\.1:\d+|localhost:\d+`)

// unlike are the lines that the page shows and the command does not print, apart from what differs each time.
func (p *place) unlike(shown, printed string) (out []string) {
	have := map[string]bool{}
	for line := range strings.Lines(printed) {
		have[varying.ReplaceAllString(line, "…")] = true
	}
	for line := range strings.Lines(shown) {
		if !have[varying.ReplaceAllString(line, "…")] {
			out = append(out, line)
		}
	}
	return out
}
