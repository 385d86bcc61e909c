package story_test

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/argo-why/argo-why/internal/story"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

var update = flag.Bool("update", false, "write the language into doc.go")

func TestThePackageDocumentationListsTheLanguage(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(doc), "//\n//\t")
	before, _, _ = strings.Cut(before, "//\n// HERE")
	want := before + "//\n"
	for line := range strings.Lines(story.Help()) {
		want += "//\t" + line
	}
	want += "package story\n"
	if string(doc) == want {
		return
	}
	if !*update {
		t.Fatal("doc.go does not list the language as Forms has it: go test ./internal/story -update")
	}
	if err := os.WriteFile("doc.go", []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTheHelpIsATable(t *testing.T) {
	for _, f := range story.Forms() {
		if written := strings.TrimSpace(f.Verb + " " + f.Args); utf8.RuneCountInString(written) > 42 {
			t.Errorf("%q is wider than the column", written)
		}
		if f.Does == "" {
			t.Errorf("%s: nothing says what it does", f.Verb)
		}
	}
}

func TestWhatIsWrongInAStoryIsSaidByLineBeforeItIsPlayed(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"pres dana pay Sync…", "line 2: pres: no such verb; did you mean press?"},
		{"dance", "line 2: dance: no such verb"},
		{"press dana pay", "line 2: press: expected WHO APP LABEL…"},
		{"wait soon", "line 2: wait: expected DURATION"},
		{"wait 2m 3m", "line 2: wait: expected DURATION"},
		{"start now", "line 2: start: expected nothing after it"},
		{"fail pay", "line 2: fail: expected APP… CASE"},
		{"hints pay often", "line 2: hints: expected APP N"},
		{"job pay sleeping", "line 2: job: expected APP running|gone|another"},
		{"journal conflicts", "line 2: journal: expected down|up, or conflict"},
		{"kill before", "line 2: kill: expected [before|after CALL [N]]"},
		{"allow sync dana approval erin", "line 2: allow: expected KINDS WHO [approval WHO DURATION]"},
		{"unheard sweep", "line 2: unheard: expected fail, well, roll or gone"},
		{"unheard fail pay", "line 2: unheard: fail: expected APP… CASE"},
		{"config colour=red", "line 2: config: colour: no such key; there are openAfter, hold, reopen, remind, keep, quiet, group and digest"},
		{"config digest=nine", `line 2: config: digest: "nine" is not HH:MM@ZONE, such as 09:00@Europe/Vienna`},
		{"config hold=long", `line 2: config: hold: time: invalid duration "long"`},
		{"allow dance dana", "line 2: allow: no action dance; there are hard-refresh, delete-hook-job, terminate, sync, mute"},
	} {
		if _, err := story.Parse([]byte("# A story\n" + c.line + "\n")); err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.line, err, c.want)
		}
	}
	_, err := story.Parse([]byte("dance\nstart\nwait\n"))
	if want := "line 1: dance: no such verb\nline 3: wait: expected DURATION"; err == nil || err.Error() != want {
		t.Errorf("two wrong lines:\n got %v\nwant %s", err, want)
	}
}

func TestEachWayToWriteAStepIsUnderstood(t *testing.T) {
	for _, line := range []string{
		"config openAfter=1m group=4", "config digest=09:00@Europe/Vienna", "people dana", "people @oncall dana erin", "allow sync,terminate dana", "allow sync dana,erin approval @oncall 15m",
		"start", "kill", "kill after put", "kill before chat.update 2", "fail a b c render/git-unreachable/lab-git-unreachable",
		"unheard fail pay hook/stuck/own-01", "submit dana", "submit dana prune fixed", "ask why pay", "ask @argo why pay",
		"slack 429 chat.postMessage", "slack lost chat.update 2", "slack not_in_channel", "slack invited payments", "slack ratelimited chat.update 3",
		"refuses shop Service \"old\" is invalid: spec.clusterIP", "show all payments", "await Job migrate deleted", "mute dana pay 0", "killed anywhere",
	} {
		got, err := story.Parse([]byte(line + "\n"))
		if err != nil {
			t.Errorf("%s: %v", line, err)
		} else if len(got.Steps) != 1 || got.Steps[0].String() != line {
			t.Errorf("%s: read as %v", line, got.Steps)
		}
	}
}

// paper is a world in which only time passes, and nothing has to be waited for.
type paper struct {
	passed time.Duration
	at     map[time.Duration]func()
}

func (*paper) Do(context.Context, story.Step) error { return story.ErrUnplayable }
func (*paper) Settle(context.Context) error         { return nil }
func (w *paper) Wait(_ context.Context, d time.Duration) error {
	w.passed += d
	if happens := w.at[w.passed]; happens != nil {
		happens()
	}
	return nil
}

func newPlayer(t *testing.T) (*story.Player, *paper) {
	slack := workspacetest.New(t)
	app := slack.AddApp(workspace.App{Name: "argo", Commands: []string{"/argo"}})
	slack.AddUser(workspace.User{Name: "alice"})
	slack.AddChannel("alerts", app.BotUserID, "alice")
	w := &paper{at: map[time.Duration]func(){}}
	return &story.Player{World: w, Slack: slack, Bot: app, Channel: "alerts"}, w
}

func play(t *testing.T, p *story.Player, text string) error {
	t.Helper()
	s, err := story.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p.Play(t.Context(), s.Steps)
}

func TestAwaitEndsWhenItIsShown(t *testing.T) {
	p, w := newPlayer(t)
	w.at[2*time.Second] = func() {
		if _, err := p.Slack.Say("alice", "alerts", "the Job\n is  deleted", ""); err != nil {
			t.Error(err)
		}
	}
	if err := play(t, p, "await Job is deleted\n"); err != nil {
		t.Fatal(err)
	}
	if w.passed != 2*time.Second {
		t.Errorf("waited %v", w.passed)
	}
}

func TestAwaitSaysWhatIsShownInstead(t *testing.T) {
	p, w := newPlayer(t)
	if _, err := p.Slack.Say("alice", "alerts", "good morning", ""); err != nil {
		t.Fatal(err)
	}
	err := play(t, p, "await Job is deleted\n")
	want := "line 1: await Job is deleted: not shown after 2 min; this is:\n#alerts\ngood morning\n"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if w.passed != 2*time.Minute {
		t.Errorf("waited %v", w.passed)
	}
}

func TestAStepThatCannotBePlayedSaysSo(t *testing.T) {
	p, _ := newPlayer(t)
	for text, want := range map[string]string{
		"people erin\nsubmit erin\n":     "line 2: submit erin: erin sees no dialog",
		"submit frank\n":                 "line 1: submit frank: no person named frank: add them with `people frank`",
		"show all payments\n":            "line 1: show all payments: no channel payments",
		"press alice pay Hard refresh\n": "line 1: press alice pay Hard refresh: pay has no thread",
		"start\n":                        "line 1: start: cannot be played here",
	} {
		if err := play(t, p, text); err == nil || err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

func TestShowsSayWhatTheyAreAPictureOf(t *testing.T) {
	p, _ := newPlayer(t)
	var got []story.Shown
	p.Show = func(_ context.Context, s story.Shown) error { got = append(got, s); return nil }
	root, err := p.Slack.Say("alice", "alerts", "🔴 pay: it fails", "")
	if err != nil {
		t.Fatal(err)
	}
	reply, err := p.Slack.Say("alice", "alerts", "I look at it", root)
	if err != nil {
		t.Fatal(err)
	}
	if err := play(t, p, "show all\ndetails pay first\nthread pay whole\nthread pay end look at\ndialog alice none\n"); err != nil {
		t.Fatal(err)
	}
	want := []story.Shown{
		{Name: "all", Text: "🔴 pay: it fails\n  │ I look at it\n", Channel: "alerts"},
		{Name: "first", Text: "🔴 pay: it fails\n", Channel: "alerts", Messages: []string{root}},
		{Name: "whole", Text: "🔴 pay: it fails\n──\nI look at it\n", Channel: "alerts", Thread: root, Messages: []string{root, reply}},
		{Name: "end", Text: "I look at it\n", Channel: "alerts", Thread: root, Messages: []string{reply}},
		{Name: "none", Text: "(no dialog)\n", Channel: "alerts", Person: "alice"},
	}
	for i := range got {
		got[i].Step = story.Step{}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSectionsAreKeptAsTheyAre(t *testing.T) {
	const file = "show one\n-- one --\nred\n"
	s, err := story.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := s.Section("one"); !ok || text != "red\n" {
		t.Errorf("got %q", text)
	}
	s.SetSection("one", "green\n")
	s.SetSection("two", "blue\n")
	if got := string(s.Format()); got != "show one\n-- one --\ngreen\n-- two --\nblue\n" {
		t.Errorf("got %q", got)
	}
}

func TestAnApplicationOfAnOutageIsFoundInItsThread(t *testing.T) {
	p, _ := newPlayer(t)
	var got string
	p.Show = func(_ context.Context, s story.Shown) error { got = s.Text; return nil }
	for _, text := range []string{"🔴 2 applications: down\npay-eu, web", "🔴 pay: it fails"} {
		if _, err := p.Slack.Say("alice", "alerts", text, ""); err != nil {
			t.Fatal(err)
		}
	}
	for app, want := range map[string]string{"pay": "🔴 pay: it fails\n", "web": "🔴 2 applications: down\npay-eu, web\n", "pay-eu": "🔴 2 applications: down\npay-eu, web\n"} {
		if err := play(t, p, "details "+app+" it\n"); err != nil || got != want {
			t.Errorf("%s: %v\n%s", app, err, got)
		}
	}
	if err := play(t, p, "details eu it\n"); err == nil {
		t.Error("eu is the name of no application")
	}
}
