//go:build e2e

package e2e_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/workspace"
)

// app is the one that fails.
const app = "presync-hook-failed"

// TestTwoPeopleRepairAFailedMigration: a PreSync Job fails. Somebody repairs the migration in Git; alice has the failed Job
// deleted and the application synced, and erin approves both. All that the bot's accounts may do is what deploy/ gives them.
func TestTwoPeopleRepairAFailedMigration(t *testing.T) {
	play(t, "run", app)
	keepFailedJob(t)
	s := newSlack(t)
	s.AddUser(workspace.User{Name: "erin"})
	s.deploys.Invite("erin")
	actions := fmt.Sprintf(`
actions:
  - actions: [delete-hook-job, terminate, sync]
    users: [%s]
    approval: {users: [%s, %s]}
`, s.id("alice"), s.id("erin"), s.id("alice"))
	readingLeavesButtonsOut(t, actions)
	install(t, s, actions).unrestricted(t)
	s.await(t, func() string { return s.says("🔴 lab/" + app) })
	failed := jobUID(t)

	s.press(t, "alice", "Delete failed Job/migrate")
	s.awaitDialog(t, "alice", "migrate")
	s.submit(t, "alice")
	s.press(t, "alice", "Approve deleting Job/migrate") // nobody approves what they asked for
	s.awaitDialog(t, "alice", "annot approve your own request")
	s.approve(t, "erin", "Approve deleting Job/migrate")
	s.await(t, func() string { return s.says("Job migrate deleted") })
	if uid := jobUID(t); uid == failed {
		t.Errorf("the failed Job is still there: %s", uid)
	}
	if missing := s.says(`relation \"orders\" does not exist`); missing != "" {
		t.Errorf("its log is not saved: %s", missing)
	}

	repairInGit(t)
	s.press(t, "alice", "Sync…")
	s.awaitDialog(t, "alice", "contains the fix")
	s.submit(t, "alice", dialog.InputConfirm)
	s.approve(t, "erin", "Approve")
	s.await(t, func() string { return s.says("🟢 lab/" + app) })

	operation := run(t, "kubectl", "-n", "argocd", "get", "application", app, "-o", "jsonpath={.status.operationState.operation.info}")
	for _, want := range []string{"alice", "erin"} {
		if !strings.Contains(operation, want) {
			t.Errorf("the sync does not say that %s took part: %s", want, operation)
		}
	}
	events := run(t, "kubectl", "-n", "argocd", "get", "events", "--field-selector", "involvedObject.kind=Application,involvedObject.name="+app, "-o", "jsonpath={range .items[*]}{.reason} {.message}{\"\\n\"}{end}")
	for _, want := range []string{"ArgoWhy", "alice", "erin"} {
		if !strings.Contains(events, want) {
			t.Errorf("no event says %s:\n%s", want, events)
		}
	}
	s.auditTells(t)
}

// readingLeavesButtonsOut: with an account that reads, what the configuration allows has no button, and bot check says why.
func readingLeavesButtonsOut(t *testing.T, actions string) {
	t.Helper()
	s := newSlack(t)                                                                                         // another workspace, of the same people: the thread of the other bot is not to be found in it
	b := newBot(t, s.configAs(t, os.Getenv("ARGOCD_READONLY_TOKEN"), kubeconfigWith(t, "nobody's"))+actions) // nor may it do anything in the cluster
	said := b.check()
	for _, want := range []string{"sync has no button", "terminate has no button", "delete-hook-job has no button", "p, reader, applications, sync, */*, allow"} {
		if !strings.Contains(said, want) {
			t.Errorf("bot check with an account that reads does not say %q:\n%s", want, said)
		}
	}
	b.start()
	defer b.kill()
	s.await(t, func() string { return s.says("🔴 lab/" + app) })
	if err := s.Command("alice", "deploys", "/argo", "access "+app); err != nil {
		t.Fatal(err)
	}
	s.await(t, func() string { return s.tells("alice", "applications, sync") }) // the rights were asked for by then
	for _, button := range []string{"Sync…", "Delete failed Job/migrate"} {
		if s.says(fmt.Sprintf("%q", button)) == "" {
			t.Errorf("there is a button %q", button)
		}
	}
}

// jobUID is that of the hook's Job; "" when there is none.
func jobUID(t *testing.T) string {
	t.Helper()
	return run(t, "kubectl", "-n", "s-"+app, "get", "job", "migrate", "--ignore-not-found", "-o", "jsonpath={.metadata.uid}")
}

// keepFailedJob has the hook's policy keep a failed Job: one that Argo CD deletes itself has no button.
func keepFailedJob(t *testing.T) {
	t.Helper()
	steps(t, `edit $NAME/migrate.yaml 's/BeforeHookCreation/HookSucceeded/'; refresh $NAME; sync $NAME`)
}

// repairInGit commits what makes the migration succeed, and waits until Argo CD has seen it.
func repairInGit(t *testing.T) {
	t.Helper()
	steps(t, `edit $NAME/migrate.yaml 's/, lab.io.behave: fail//'; refresh $NAME`)
}

// steps takes some of those that the lab's scenarios are written in.
func steps(t *testing.T, script string) {
	t.Helper()
	script = ". ../steps.sh; " + script
	command := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	command.Dir = lab + "/scenarios/" + app
	command.Env = append(command.Environ(), "NAME="+app)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s of %s: %v\n%s", script, app, err, out)
	}
}

// auditTells: alice asks what was done.
func (s *slack) auditTells(t *testing.T) {
	t.Helper()
	if err := s.Command("alice", "deploys", "/argo", "audit "+app); err != nil {
		t.Fatalf("/argo audit: %v", err)
	}
	s.await(t, func() string {
		for _, want := range []string{"Actions from Slack", "sync", "migrate", "erin"} {
			if missing := s.tells("alice", want); missing != "" {
				return missing
			}
		}
		return ""
	})
}

func (s *slack) id(who string) string {
	for _, u := range s.Users() {
		if u.Name == who {
			return u.ID
		}
	}
	return ""
}

// says is what is missing until something stands in the thread of the application.
func (s *slack) says(text string) string {
	for _, root := range s.about(app) {
		for _, m := range s.deploys.Thread(root.TS) {
			if strings.Contains(m.Text, text) || strings.Contains(string(m.Blocks), text) {
				return ""
			}
		}
	}
	return fmt.Sprintf("the thread of %s does not say %q", app, text)
}

// tells is what is missing until somebody has been told something: alone, or in the channel.
func (s *slack) tells(who, text string) string {
	for _, m := range append(s.deploys.Ephemerals(who), s.deploys.All()...) {
		if strings.Contains(m.Text, text) || strings.Contains(string(m.Blocks), text) {
			return ""
		}
	}
	return fmt.Sprintf("%s is not told %q", who, text)
}

// press clicks a button in the thread of the application, the last of that name, when it is there.
func (s *slack) press(t *testing.T, who, label string) {
	t.Helper()
	button := fmt.Sprintf("%q", label)
	s.await(t, func() string { return s.says(button) })
	ts := ""
	for _, root := range s.about(app) {
		for _, m := range s.deploys.Thread(root.TS) {
			if strings.Contains(string(m.Blocks), button) {
				ts = m.TS
			}
		}
	}
	if err := s.Click(who, "deploys", ts, label); err != nil {
		t.Fatalf("%s presses %s: %v", who, label, err)
	}
}

// approve presses Approve, by its label, reads the plan and confirms it.
func (s *slack) approve(t *testing.T, who, label string) {
	t.Helper()
	s.press(t, who, label)
	s.awaitDialog(t, who, "The plan has not changed since.")
	s.submit(t, who)
}

// awaitDialog waits until the modal of somebody shows a text.
func (s *slack) awaitDialog(t *testing.T, who, text string) {
	t.Helper()
	s.await(t, func() string {
		for _, v := range s.Views(who) {
			if strings.Contains(string(v.Raw), text) {
				return ""
			}
		}
		return fmt.Sprintf("no dialog of %s says %q", who, text)
	})
}

// submit presses the button of the front modal, with boxes ticked.
func (s *slack) submit(t *testing.T, who string, boxes ...string) {
	t.Helper()
	open := s.Views(who)
	if len(open) == 0 {
		t.Fatalf("%s sees no dialog", who)
	}
	front := open[len(open)-1]
	values, err := front.State(boxes...)
	if err != nil {
		t.Fatalf("%v:\n%s", err, front.Shown())
	}
	if err := s.Submit(who, front.ID, values); err != nil {
		t.Fatalf("%s submits: %v", who, err)
	}
}

func eventually(t *testing.T, what string, is func() error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for again := time.NewTicker(time.Second); ; {
		err := is()
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("never: %s: %v", what, err)
		case <-again.C:
		}
	}
}
