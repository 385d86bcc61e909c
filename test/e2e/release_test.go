//go:build e2e

package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/test/cluster"
	"github.com/argo-why/argo-why/test/node"
)

// release is the bot as docs/install.md installs it: what `bot init` writes, the chart in a namespace of its own, two replicas under the chart's
// account, and the bot's account in Argo CD. The replicas are processes.
type release struct {
	*cluster.Cluster
	*node.Node
	// setup is what `bot init` wrote, values what the test adds to its values.
	setup, values, chart string
	// service is where the chart's Service would lead to: any replica that is ready.
	service string
}

// The images of the release before and after an upgrade.
const (
	before = "before"
	after  = "after"
)

// install installs the chart, with two lists of the configuration: actions, or "".
func install(t *testing.T, s *slack, actions string) *release {
	t.Helper()
	r := &release{Cluster: cluster.New(t, "e2e"), chart: filepath.Join(deploy, "charts", "argo-why")}
	old := command
	if commit := os.Getenv("E2E_FROM"); commit != "" {
		old, r.chart = formerRelease(t, commit)
	}
	r.Node = node.Run(t, r.Config, r.Name, func(image string) string {
		if node.Tag(image) == before {
			return old
		}
		return command
	})
	r.service = r.Service("webhooks")
	r.answerQuestions(t, s)
	if actions != "" {
		run(t, "kubectl", "-n", "argocd", "patch", "configmap", "argocd-rbac-cm", "--type", "merge", "--patch-file", filepath.Join(deploy, "argocd", "rbac-actions.yaml"))
	}
	run(t, "sh", filepath.Join(r.setup, "secret.sh"))
	r.values = filepath.Join(t.TempDir(), "values.yaml")
	write(t, r.values, valuesOf(actions))
	r.own(t)
	t.Cleanup(func() {
		if t.Failed() {
			r.showLogs(t)
		}
		if out, err := exec.Command("helm", "uninstall", r.Name, "--namespace", r.Name).CombinedOutput(); err != nil { //nolint:noctx // the test is over
			t.Errorf("helm uninstall: %v\n%s", err, out)
		}
	})
	r.helm(t, "install", before)
	r.chart = filepath.Join(deploy, "charts", "argo-why")
	return r
}

// answerQuestions has `bot init` write what an installation needs, with the tokens of the workspace.
func (r *release) answerQuestions(t *testing.T, s *slack) {
	t.Helper()
	r.setup = filepath.Join(t.TempDir(), "argo-why-install")
	c := exec.CommandContext(t.Context(), command, "init", "--dir", r.setup, "--namespace", r.Name, "--channel", "deploys", "--slack-api-url", s.url+"/api/",
		"--argocd-name", "lab", "--argocd-server", os.Getenv("ARGOCD_SERVER"), "--argocd-tls", "plaintext", "--argocd-url", "http://"+os.Getenv("ARGOCD_SERVER"),
		"--notifications")
	c.Env = append(c.Environ(), "SLACK_BOT_TOKEN="+s.app.BotToken, "SLACK_APP_TOKEN="+s.app.AppToken)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("bot init: %v\n%s", err, out)
	}
}

// valuesOf have the bot be quick, and its pods run as processes.
func valuesOf(actions string) string {
	indented := func(yaml string) string { return strings.ReplaceAll(strings.TrimSpace(yaml), "\n", "\n  ") }
	return fmt.Sprintf(`
config:
  sweep: "@every 15s"
  %s
  %s
rbac: {actions: {enabled: true}}
podLabels: {%s: process}
`, indented(quick), indented(actions), node.Label)
}

// helm installs or upgrades the release, and waits until its replicas are ready.
func (r *release) helm(t *testing.T, verb, tag string) {
	t.Helper()
	run(t, "helm", r.helmArgs(verb, tag)...)
}

func (r *release) helmArgs(verb, tag string) []string {
	return []string{verb, r.Name, r.chart, "--namespace", r.Name, "--wait", "--timeout", "5m", "-f", filepath.Join(r.setup, "values.yaml"), "-f", r.values, "--set", "image.tag=" + tag}
}

// own lets the release have the definitions that other tests have made.
func (r *release) own(t *testing.T) {
	t.Helper()
	for _, kind := range []string{"incidents", "incidentmembers", "actionlogs"} {
		name := kind + ".argo-why.dev"
		if run(t, "kubectl", "get", "crd", name, "--ignore-not-found", "-o", "name") == "" {
			continue
		}
		run(t, "kubectl", "label", "--overwrite", "crd", name, "app.kubernetes.io/managed-by=Helm")
		run(t, "kubectl", "annotate", "--overwrite", "crd", name, "meta.helm.sh/release-name="+r.Name, "meta.helm.sh/release-namespace="+r.Name)
	}
}

// formerRelease is the program and the chart of an earlier commit, for an upgrade from there: E2E_FROM=COMMIT.
func formerRelease(t *testing.T, commit string) (program, chart string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "former")
	run(t, "git", "worktree", "add", "--detach", dir, commit)
	t.Cleanup(func() { _ = exec.Command("git", "worktree", "remove", "--force", dir).Run() }) //nolint:noctx // the test is over
	build := exec.CommandContext(t.Context(), "go", "build", "-o", "former", "./cmd/bot")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", commit, err, out)
	}
	return filepath.Join(dir, "former"), filepath.Join(dir, "deploy", "charts", "argo-why")
}

// leader is the replica that leads, when there is one.
func (r *release) leader(t *testing.T) *node.Pod {
	t.Helper()
	var leader *node.Pod
	eventually(t, "a replica leads", func() error {
		for _, p := range r.Pods() {
			if p.Leads() {
				leader = p
				return nil
			}
		}
		return fmt.Errorf("none of %d", len(r.Pods()))
	})
	return leader
}

// notify has Argo CD's notifications controller tell the bot, as `bot generate` says.
func (r *release) notify(t *testing.T) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "argocd-notifications.yaml")
	write(t, file, run(t, command, "generate", "argocd-notifications", "--url", r.service, "--instance", "lab"))
	key := "argo-why-lab"
	for _, line := range strings.Split(run(t, "cat", file), "\n") {
		if _, after, found := strings.Cut(line, "Bearer $"); found {
			key = after
		}
	}
	run(t, "kubectl", "-n", "argocd", "patch", "secret", "argocd-notifications-secret", "--type", "merge", "-p", fmt.Sprintf(`{"stringData": {%q: %q}}`, key, run(t, "cat", filepath.Join(r.setup, "tokens", "webhook-token"))))
	run(t, "kubectl", "-n", "argocd", "patch", "configmap", "argocd-notifications-cm", "--type", "merge", "--patch-file", file)
}

// heard is what is missing until notifications of Argo CD have come in.
func (r *release) heard() string {
	for _, p := range r.Pods() {
		metrics, _ := p.Metrics() // a replica that has just ended has none
		for _, line := range strings.Split(metrics, "\n") {
			if count, found := strings.CutPrefix(line, `argo_why_hooks_received_total{instance="lab",outcome="accepted"} `); found && count != "0" {
				return ""
			}
		}
	}
	return "no notification of Argo CD has come in"
}

// unrestricted is what bot check in a replica says that is wrong: nothing, with the rights of the chart and of deploy/argocd.
func (r *release) unrestricted(t *testing.T) {
	t.Helper()
	said, err := r.leader(t).Exec("check", "-c", "/etc/argo-why/config.yaml", "--post")
	if err != nil || strings.Contains(said, "✗") || strings.Contains(said, "\n!") {
		t.Errorf("bot check --post in a replica: %v\n%s", err, said)
	}
	t.Logf("bot check --post in a replica says\n%s", said)
}

func (r *release) showLogs(t *testing.T) {
	t.Helper()
	for _, p := range r.Pods() {
		text := p.Log()
		const end = 15_000
		t.Logf("log of %s, its end:\n%s", p.Name, text[max(0, len(text)-end):])
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
