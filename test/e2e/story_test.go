//go:build e2e

package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/slack/probe"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
	"github.com/argo-why/argo-why/test/lab/scenarios"
	"github.com/argo-why/argo-why/test/node"
)

// TestFailuresHaveTheirThreads: applications fail; the bot opens a thread for each, says the right cause, answers, and turns the threads green
// when the failures are cured. Meanwhile one replica is killed, one is cut off from the API server, the bot is upgraded and rolled back.
func TestFailuresHaveTheirThreads(t *testing.T) {
	play(t, "run", "all")
	s := newSlack(t)
	r := install(t, s, "")
	r.notify(t)

	s.await(t, func() string { return atLeast(5, len(s.deploys.Messages())) })
	r.leader(t).Kill()
	s.await(t, func() string { return atLeast(20, len(s.deploys.Messages())) })
	r.cutOff(t)

	apps := applications(t)
	// A hook counts as stuck after five minutes only.
	s.await(t, func() string { return s.failures(apps) })
	opened := s.roots(t, apps)
	s.whyIsAnswered(t, "helm-nil", "Helm cannot read")
	s.await(t, r.heard)
	r.unrestricted(t)

	upgraded := make(chan error, 1)
	go func() {
		out, err := exec.CommandContext(t.Context(), "helm", r.helmArgs("upgrade", after)...).CombinedOutput()
		if err != nil {
			err = fmt.Errorf("helm upgrade: %w\n%s", err, out)
		}
		upgraded <- err
	}()
	play(t, "fix", "all")
	if err := <-upgraded; err != nil {
		t.Fatal(err)
	}
	s.await(t, func() string { return s.recoveries(apps) })
	s.sameThreads(t, apps, opened)

	said := len(s.deploys.All())
	run(t, "helm", "rollback", r.Name, "1", "--namespace", r.Name, "--wait", "--timeout", "5m")
	if image := r.leader(t).Image(); node.Tag(image) != before {
		t.Errorf("after the rollback %s leads", image)
	}
	s.whyIsAnswered(t, "helm-nil", "Synced and healthy")
	for _, m := range s.deploys.All()[said:] {
		if !strings.Contains(m.Text, "helm-nil") { // the answer
			t.Errorf("posted after the rollback: %s", m.Text)
		}
	}
}

// cutOff keeps the leader from the API server until another replica leads.
func (r *release) cutOff(t *testing.T) {
	t.Helper()
	former := r.leader(t)
	former.Door.Shut(true)
	defer former.Door.Shut(false)
	eventually(t, "another replica leads", func() error {
		if now := r.leader(t); now == former {
			return errors.New("the one that is cut off still leads")
		}
		return nil
	})
}

// slack is a workspace with the channel that the bot reports to.
type slack struct {
	*workspace.Workspace
	url     string
	app     workspace.App
	deploys *workspace.Channel
}

func newSlack(t *testing.T) *slack {
	t.Helper()
	w, url := workspacetest.Start(t)
	s := &slack{Workspace: w, url: url, app: w.AddApp(workspace.App{
		Name: "argo", Commands: []string{"/argo"}, Scopes: probe.Names(), Events: []string{"app_mention", "message.im"}, // as in deploy/slack/manifest.yaml
	})}
	w.AddUser(workspace.User{Name: "alice"})
	s.deploys = w.AddChannel("deploys", "alice", "argo")
	return s
}

// quick is the part of the configuration that has everything happen soon, and leaves nothing out.
const quick = `
incidents:
  openAfter: 1s
  openAfterByRule: {"*": 1s, drift/*: 1s, operation/*: 1s, wave/in-progress: 1h}
  holdFor: 1s
  quietAfter: 0s`

// configAs is the configuration of a single bot outside of the cluster, with these accounts.
func (s *slack) configAs(t *testing.T, argoToken, kubeconfig string) string {
	t.Helper()
	dir := t.TempDir()
	secret := func(name, value string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(value), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	return fmt.Sprintf(`
slack:
  team: %s
  botToken: {file: %s}
  appToken: {file: %s}
  channel: deploys
  apiURL: %s/api/
argocd:
  - name: lab
    server: %s
    plainText: true
    token: {file: %s}
    kubernetes: {kubeconfig: %s}
%s
journal: {kind: file, path: %s}
http: {listen: "127.0.0.1:0", metrics: "%s"}
sweep: "@every 15s"
`, s.TeamID(), secret("bot-token", s.app.BotToken), secret("app-token", s.app.AppToken), s.url,
		os.Getenv("ARGOCD_SERVER"), secret("argocd-token", argoToken), kubeconfig, quick,
		filepath.Join(dir, "journal.db"), os.Getenv("BOT_LISTEN"))
}

// patience is longer than anything takes on a slow machine; only what never comes about waits so long.
const patience = 10 * time.Minute

// await waits until missing has nothing to say.
func (s *slack) await(t *testing.T, missing func() string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	last := ""
	if err := s.Await(ctx, func() bool { last = missing(); return last == "" }); err != nil {
		t.Fatalf("after %s: %s\n\nin the channel:\n%s", patience, last, s.channel())
	}
}

// channel is what stands in the channel, a line for each message.
func (s *slack) channel() string {
	var out strings.Builder
	for _, m := range s.deploys.Messages() {
		line, _, _ := strings.Cut(m.Text, "\n")
		fmt.Fprintf(&out, "%s  %s\n", m.TS, line)
	}
	return out.String()
}

// about are the root messages of an application: those that begin with an icon, the name of the Argo CD and its own.
func (s *slack) about(app string) []workspace.Message {
	return slices.DeleteFunc(s.deploys.Messages(), func(m workspace.Message) bool {
		_, headline, _ := strings.Cut(m.Text, " ")
		return !strings.HasPrefix(headline, "lab/"+app+":")
	})
}

// failures says what is missing until each failing application has one root message with a right cause, and no other has any.
func (s *slack) failures(apps []scenarios.App) string {
	var missing []string
	for _, app := range apps {
		roots := s.about(app.Name)
		switch {
		case app.Rule == "" && len(roots) == 0:
		case app.Rule == "":
			missing = append(missing, app.Name+" is healthy and has a thread")
		case len(roots) != 1:
			missing = append(missing, fmt.Sprintf("%s has %d threads", app.Name, len(roots)))
		case strings.HasPrefix(roots[0].Text, "🟢") || !slices.ContainsFunc(append(app.Also, app.Rule), func(rule string) bool {
			return strings.Contains(string(roots[0].Blocks), rule)
		}):
			missing = append(missing, fmt.Sprintf("%s does not say %s", app.Name, app.Rule))
		}
	}
	return strings.Join(missing, "\n")
}

// recoveries says what is missing until each thread is green.
func (s *slack) recoveries(apps []scenarios.App) string {
	var missing []string
	for _, app := range apps {
		for _, root := range s.about(app.Name) {
			if !strings.HasPrefix(root.Text, "🟢") {
				missing = append(missing, app.Name+" is not green")
			}
		}
	}
	return strings.Join(missing, "\n")
}

// roots are the root messages by application.
func (s *slack) roots(t *testing.T, apps []scenarios.App) map[string]string {
	t.Helper()
	ts := map[string]string{}
	for _, app := range apps {
		for _, root := range s.about(app.Name) {
			ts[app.Name] = root.TS
		}
	}
	return ts
}

// sameThreads: what happens later happens in the threads that were opened first. An application that was well until its files were
// changed in Git is out of sync until it is synced, and may have one thread of that.
func (s *slack) sameThreads(t *testing.T, apps []scenarios.App, opened map[string]string) {
	t.Helper()
	for _, app := range apps {
		first, roots := opened[app.Name], s.about(app.Name)
		if first == "" && len(roots) > 0 {
			first = roots[0].TS
		}
		for _, root := range roots {
			if root.TS != first {
				t.Errorf("%s has another thread: %s", app.Name, root.Text)
			}
		}
	}
}

// whyIsAnswered: somebody asks with the command, and the answer is the cause, or a link to the thread that has it.
func (s *slack) whyIsAnswered(t *testing.T, app, cause string) {
	t.Helper()
	seen := func() []workspace.Message { return append(s.deploys.All(), s.deploys.Ephemerals("alice")...) }
	before := seen()
	thread := s.deploys.Permalink(s.about(app)[0].TS)
	if err := s.Command("alice", "deploys", "/argo", "why "+app); err != nil {
		t.Fatalf("/argo why %s: %v", app, err)
	}
	s.await(t, func() string {
		for _, m := range seen() {
			said := m.Text + string(m.Blocks)
			isNew := !slices.ContainsFunc(before, func(old workspace.Message) bool { return old.TS == m.TS })
			if isNew && (strings.Contains(said, cause) || strings.Contains(said, thread)) {
				return ""
			}
		}
		return "/argo why " + app + " is not answered"
	})
}

func atLeast(want, have int) string {
	if have < want {
		return fmt.Sprintf("%d messages, want %d", have, want)
	}
	return ""
}
