package script

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/demo/demotest"
	"github.com/argo-why/argo-why/internal/story"
)

// bot is the built program.
var bot string

func TestMain(m *testing.M) {
	os.Exit(demotest.WithBot(func(path string) int {
		bot = path
		return m.Run()
	}))
}

// play plays a story and returns what it prints.
func play(t *testing.T, text string) (string, error) {
	t.Helper()
	parsed, err := story.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err = Play(t.Context(), Options{Story: parsed, Out: &out, Bot: func(ctx context.Context, args ...string) *exec.Cmd {
		return exec.CommandContext(ctx, bot, args...)
	}})
	return out.String(), err
}

const (
	headline  = "demo/pay: PreSync hook db-migrate exited 3: connect: connection refused"
	migration = "🔴 " + headline + "\n"
)

func TestStoriesPlayForReal(t *testing.T) {
	for name, c := range map[string]struct{ story, want string }{
		"without a single await": {`
			start
			fail pay hook/job-failed
			show failing
			well pay
			show well
			gone pay
			stop
			did nothing
		`, "-- failing --\n" + migration + "  │ Evidence for " + headline + "\n" +
			"-- well --\n🟢 demo/pay: recovered after 1 min\n  │ Evidence for " + headline + "\n  │ 🟢 Recovered after 1 min\n" +
			"-- nothing --\n(nothing)\n"},
		"the bot dies after it has posted, and before": {`
			start
			kill after chat.postMessage
			fail pay hook/job-failed
			await pay: 
			show posted
			kill before chat.postMessage
			start
			wait 2s
			start
			await Evidence
			show once
		`, "-- posted --\n" + migration + "-- once --\n" + migration +
			"  │ Evidence for " + headline + "\n"},
		"people of the story's own": {`
			people dana erin
			people @mates erin
			allow delete-hook-job dana approval @mates 15m
			start
			fail pay hook/job-failed
			press dana pay Delete failed Job/db-migrate
			submit dana
			press dana pay Approve deleting Job/db-migrate
			await People who can
			approve erin pay
			await Job db-migrate deleted
			did once
		`, "-- once --\ndelete Job/db-migrate\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := play(t, c.story)
			if err != nil {
				t.Fatalf("%v\n%s", err, got)
			}
			if ages.ReplaceAllString(got, "after some time") != ages.ReplaceAllString(c.want, "after some time") {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// ages are how long it has failed: a minute, and as long as the story takes.
var ages = regexp.MustCompile(`after \d+ min`)

func TestWhatCannotBePlayedIsSaidBeforeAnythingStarts(t *testing.T) {
	parsed, err := story.Parse([]byte("start\nfail pay hook/job-failed\njournal conflict\nkill before put\nconfig hold=1s\nroll pay\nkill after chat.update 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	err = Play(t.Context(), Options{Story: parsed, Bot: func(ctx context.Context, _ ...string) *exec.Cmd {
		t.Error("the bot was started")
		return exec.CommandContext(ctx, "false")
	}})
	want := "line 3: journal conflict: cannot be played here: the journal is a file that only the bot has open\n" +
		"line 4: kill before put: cannot be played here: from outside, the bot can only be killed around a call to Slack, such as chat.postMessage\n" +
		"line 5: config hold=1s: cannot be played here: the bot reads its configuration when it starts: move the line up\n" +
		"line 6: roll pay: cannot be played here: a rollout is not simulated"
	if err == nil || err.Error() != want || !errors.Is(err, story.ErrUnplayable) {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestEachVerbCanBePlayedOrSaysWhyNot(t *testing.T) {
	known := "fleet config allow start stop kill fail well gone sweep argocd connection did hints fixed git job operation sync"
	slack := "asks tells shared reached kept-from people guests leaves demotes channel killed wait await ask reply tap alone press approve mute submit reason slack socket show details thread page dialog no-button calls"
	refused := "access project called leader token window controller route roll synced refuses journal entries"
	for _, f := range story.Forms() {
		if f.Verb != "unheard" && !strings.Contains(" "+known+" "+slack+" "+refused+" ", " "+f.Verb+" ") {
			t.Errorf("%s: is it played for real, or is it said why not?", f.Verb)
		}
	}
	for verb := range strings.FieldsSeq(refused) {
		if unplayable(story.Step{Verb: verb}, false) == "" {
			t.Errorf("%s: nothing says why it cannot be played", verb)
		}
	}
}

func TestAStepThatFailsNamesItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"fail pay no/such/case\n":               "line 1: fail pay no/such/case: no case no/such/case: it is not a case file, not in internal/diagnose/rules/testdata/cases, and not one of the demo's (",
		"well pay\n":                            "line 1: well pay: no application pay yet: make it fail first",
		"allow sync zoe\n":                      "line 1: allow sync zoe: no person named zoe: add one with `people zoe`",
		"fail pay script_test.go\n":             "line 1: fail pay script_test.go: ",
		"fail pay wave/blocked\njob pay gone\n": "line 2: job pay gone: pay has no failed Job",
	} {
		if _, err := play(t, text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s got %v\nwant %s", text, err, want)
		}
	}
}

func TestWithoutABrowserPicturesSayWhatToInstall(t *testing.T) {
	if _, err := findBrowser([]string{"no-such-browser", "/nowhere/chromium"}); !errors.Is(err, ErrNoBrowser) {
		t.Errorf("got %v", err)
	}
}

func TestAPictureIsOfWhatIsShown(t *testing.T) {
	for name, c := range map[string]struct {
		shown  story.Shown
		target string
		url    string
	}{
		"a channel":    {story.Shown{Channel: "deploys"}, "#channel article", "http://x/channel/deploys?theme=dark"},
		"a message":    {story.Shown{Channel: "deploys", Messages: []string{"1.2"}}, `#channel article[data-ts="1.2"]`, "http://x/channel/deploys?theme=dark"},
		"some replies": {story.Shown{Channel: "deploys", Thread: "1.2", Messages: []string{"1.3", "1.4"}}, `#thread article[data-ts="1.3"], #thread article[data-ts="1.4"]`, "http://x/channel/deploys/1.2?theme=dark"},
		"a dialog":     {story.Shown{Channel: "deploys", Person: "bob", View: "V1"}, `dialog[open][data-view="V1"]`, "http://x/channel/deploys?as=bob&theme=dark"},
	} {
		camera := &camera{address: "http://x", look: Look{Dark: true}}
		if got := target(c.shown); got != c.target {
			t.Errorf("%s: %s", name, got)
		}
		if got := camera.url(c.shown); got != c.url {
			t.Errorf("%s: %s", name, got)
		}
	}
}
