package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/slack/probe"
	"github.com/argo-why/argo-why/internal/workspace"
)

// site is everything that a configuration speaks of: a workspace, an Argo CD, a directory.
type site struct {
	slack  *workspace.Workspace
	app    workspace.App
	argocd *argotest.Server
	config string // the file
	dir    string
}

func newSite(t *testing.T) *site {
	t.Helper()
	w := workspace.New(workspace.Options{})
	t.Cleanup(w.Close)
	server, err := workspace.Start(t.Context(), "127.0.0.1:0", w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	var scopes []string
	for _, scope := range probe.Scopes {
		scopes = append(scopes, scope.Name)
	}
	s := &site{slack: w, app: w.AddApp(workspace.App{Name: "argo", Scopes: scopes}), argocd: argotest.NewServer(t, recordedCase(t, "hook-failed")), dir: t.TempDir()}
	w.AddChannel("alerts", s.app.BotUserID)
	t.Setenv("BOT", s.app.BotToken)
	t.Setenv("APP", s.app.AppToken)
	t.Setenv("HOOK", "0123456789abcdef")
	t.Setenv("KUBECONFIG", filepath.Join(s.dir, "kubeconfig"))
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	s.config = filepath.Join(s.dir, "config.yaml")
	s.write(t, "argocd", argotest.Token)
	s.write(t, "config.yaml", fmt.Sprintf(`slack:
  {team: %s, apiURL: %s/api/, botToken: {env: BOT}, appToken: {env: APP}, channel: alerts}
argocd:
  - {name: prod, server: %s, plainText: true, token: {file: %s/argocd}, webhookToken: {env: HOOK}}
journal: {kind: file, path: %s/journal.db}
`, w.TeamID(), server.URL, s.argocd.Address, s.dir, s.dir))
	return s
}

func (s *site) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (s *site) append(t *testing.T, text string) {
	t.Helper()
	raw, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, "config.yaml", string(raw)+text)
}

// check runs the command and returns what it prints.
func (s *site) check(t *testing.T, wantCode int, args ...string) string {
	t.Helper()
	var out, complaints bytes.Buffer
	code := execute(t.Context(), append([]string{"check", "-c", s.config}, args...), strings.NewReader(""), &out, &complaints)
	if code != wantCode || complaints.Len() > 0 {
		t.Errorf("exit %d, want %d; complaints: %q", code, wantCode, complaints.String())
	}
	for _, secret := range []string{s.app.BotToken, s.app.AppToken, argotest.Token} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("a secret is printed:\n%s", out.String())
		}
	}
	return out.String()
}

func TestCheckOfASiteWhereAllThatIsRequiredIsThere(t *testing.T) {
	s := newSite(t)
	want := strings.NewReplacer("CONFIG", s.config, "TEAM", s.slack.TeamID(), "CHANNEL", s.slack.Channel("alerts").ID(), "DIR", s.dir).Replace(
		`✓ configuration: CONFIG
✓ slack workspace: Acme (TEAM), as @argo
✓ slack scope: all required scopes are granted
✓ slack channel #alerts (CHANNEL): the bot is a member
✓ slack socket: can be opened
✓ journal: file DIR/journal.db, created at the first start
✓ argocd prod: logged in as argo-why
✓ argocd prod HTTP API: lists and watches applications with only the fields that are needed
✓ argocd prod right: get applications
✓ argocd prod right: get logs
✓ argocd prod right: get projects
✓ argocd prod right: get repositories
✓ argocd prod right: get clusters
! argocd prod kubernetes reading: reports leave out what Argo CD does not show (docs/rights.md): read the bot's rights: there is no kubeconfig; set argocd[].kubernetes.kubeconfig
✓ argocd prod webhook: environment variable HOOK
✓ actions: hard-refresh, mute: everyone with access to the application
✓ actions: delete-hook-job, terminate, sync: no one, because no entry under actions covers it
✓ job sweep: @every 5m from the start of the bot
✓ job connections: @every 1m from the start of the bot, warnings go to alerts
✓ job expiry: @every 10m from the start of the bot, tokens that expire soon are announced in alerts
✓ job digest: off: digest.schedule is empty

20 ok, 1 warning
`)
	if got := s.check(t, exitDiagnosed); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

func TestCheckNamesEverythingThatIsWrong(t *testing.T) {
	s := newSite(t)
	s.slack.Channel("alerts").Kick(s.app.BotUserID)
	s.slack.SetScopes(s.app, s.app.Scopes[1:]...)
	s.argocd.Deny("logs", "get", "*/*")
	s.argocd.Deny("logs", "get", "default/*")
	t.Setenv("HOOK", "")
	t.Setenv("APP", "")
	s.append(t, `incidents: {ignore: ["weather/*"]}
routes: [{match: {project: a}, channel: C0NOWHERE1}]
`)
	for line, want := range map[string]string{
		"rule":    `incidents.ignore[0]: "weather/*" matches no rule: 'argo-why rules' lists them`,
		"scope":   `✗ slack scope: app_mentions:read is missing (to hear @argo in channels and threads): add it under OAuth & Permissions in the app's settings and reinstall the app`,
		"member":  `: the bot is not a member: type /invite @argo in it`,
		"routed":  `✗ slack channel C0NOWHERE1: the channel does not exist, or it is private and the bot is not a member: `,
		"socket":  `✗ slack socket: the environment variable APP is not set: set it for the process that runs the bot`,
		"logs":    `✗ argocd prod right: get logs is missing`,
		"webhook": `✗ argocd prod webhook: the environment variable HOOK is not set: `,
		"rest":    `✓ argocd prod right: get repositories`,
	} {
		if got := s.check(t, exitFailed); !strings.Contains(got, want) {
			t.Errorf("%s is not reported:\n%s", line, got)
		}
	}
}

func TestCheckOfAnArgoCDThatCannotBeAsked(t *testing.T) {
	s := newSite(t)
	for _, test := range []struct {
		name, want string
		change     func()
	}{
		{"no token", "✗ argocd prod: the file " + s.dir + "/argocd is empty: write the secret into it\n", func() { s.write(t, "argocd", "\n") }},
		{"bad token", "does not accept the token (", func() { s.write(t, "argocd", "other") }},
		{"how to fix a bad token", "): create a token with argocd account generate-token --account argo-why, and put it where token points\n", func() {}},
		{"nobody there", "✗ argocd prod: read the account: " + s.argocd.Address + " does not answer (connection refused): check server, the network and the proxy\n", s.argocd.Stop},
	} {
		test.change()
		if got := s.check(t, exitFailed); !strings.Contains(got, test.want) || !strings.Contains(got, "✓ slack socket") {
			t.Errorf("%s is not reported as %q:\n%s", test.name, test.want, got)
		}
	}
}

func TestCheckOfAJournalInACluster(t *testing.T) {
	s := newSite(t)
	raw, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	file, _, _ := strings.Cut(string(raw), "journal:")
	s.write(t, "config.yaml", file+"journal: {kind: kubernetes, namespace: ops}\n")
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	t.Setenv("KUBECONFIG", filepath.Join(s.dir, "kubeconfig"))
	if got, want := s.check(t, exitFailed), "✗ journal: open the journal of incidents: there is no kubeconfig"; !strings.Contains(got, want) {
		t.Errorf("%q is not reported:\n%s", want, got)
	}
	s.write(t, "kubeconfig", `{apiVersion: v1, kind: Config, current-context: lab, contexts: [{name: lab, context: {cluster: lab}}], clusters: [{name: lab, cluster: {server: "http://127.0.0.1:1"}}]}`)
	if got, want := s.check(t, exitFailed), "✗ journal: check the journal of incidents: 127.0.0.1:1 (context lab) does not answer (connection refused); check the address in the kubeconfig, the network and the VPN\n"; !strings.Contains(got, want) {
		t.Errorf("%q is not reported:\n%s", want, got)
	}
}

func TestCheckForPrograms(t *testing.T) {
	s := newSite(t)
	var answer struct {
		OK       bool
		Findings []struct {
			What, Detail, Problem, Remedy string
			OK                            bool
		}
	}
	for _, want := range []bool{true, false} {
		code := map[bool]int{true: exitDiagnosed, false: exitFailed}[want]
		if err := json.Unmarshal([]byte(s.check(t, code, "-o", "json")), &answer); err != nil {
			t.Fatal(err)
		}
		if answer.OK != want || answer.Findings[1].OK != want || len(answer.Findings) < 5 || !answer.Findings[0].OK {
			t.Errorf("want ok %t: %+v", want, answer)
		}
		s.slack.Revoke(s.app)
	}
}
