package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/demo"
	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/workspace"
)

// The first minute as the hints tell it, with the bot as a process of its own: read why, have the Job deleted with an approval,
// sync, and the thread is green. Each hint goes when what it asks for has happened.
func TestFirstMinuteOfTheDemo(t *testing.T) {
	v := visit(t)
	w := v.demo.World
	app := w.Migration().App.Name
	v.sees("alice", "1 of 3", app, "one or more synchronization tasks completed unsuccessfully")

	root := v.thread(app)
	thread := "/channel/" + w.Slack.Channel(world.Channel).ID() + "/" + root + "?as=alice"
	v.sees("alice", "Open the thread")
	if got := v.post("/panel/hints", "as", "alice", "do", "thread"); got != thread {
		t.Errorf("the first hint leads to %q, not to %q", got, thread)
	}

	v.sees("alice", "2 of 3", "The demo has restarted the database", "Delete failed Job")
	if f := w.FailureOf(w.Migration().App); f != nil {
		t.Error("the hint says that the database is running again, and it is not")
	}
	v.press("alice", root, "Delete failed Job/db-migrate")
	v.submit("alice")
	v.sees("alice", "alice has requested approval", "switch to bob")
	v.sees("bob", "You are bob", "Approve")
	v.press("bob", root, "Approve deleting Job/db-migrate")
	v.submit("bob")

	v.sees("bob", "3 of 3", "Sync")
	v.press("bob", root, "Sync…")
	v.submit("bob", "I confirm that the cause is fixed")
	v.sees("bob", app+" is healthy again")
	v.await("the green thread", func() string {
		m := w.Slack.Channel(world.Channel).Thread(root)[0]
		return map[bool]string{true: m.TS}[strings.HasPrefix(m.Text, "🟢") || strings.HasPrefix(m.Text, "✅")]
	})
	if posted := w.Posted(); posted.Messages == 0 || posted.Twice != 0 {
		t.Errorf("posted: %+v", posted)
	}
	v.post("/panel/hints", "do", "hide")
	if page := v.page("bob"); strings.Contains(page, "is healthy again</h2>") {
		t.Error("the last hint is still there")
	}
}

// The bot dies while it posts, and what it has posted stands there once.
func TestABotThatDiesWhileItPostsPostsNothingTwice(t *testing.T) {
	v := visit(t)
	w := v.demo.World
	v.thread(w.Migration().App.Name)
	v.post("/panel/bot", "do", "kill-at-message")
	v.post("/panel/break", "failure", "1")
	app := w.Failures()[1].App.Name
	root := v.thread(app)
	v.await("the second start of the bot, and its second message in the thread", func() string {
		if w.Bot().Runs > 1 && len(w.Slack.Channel(world.Channel).Thread(root)) > 1 {
			return root
		}
		return ""
	})
	if posted := w.Posted(); posted.Twice != 0 {
		t.Errorf("posted: %+v", posted)
	}
	v.sees("alice", "Posted twice</dt><dd>0<", "started 2 times")
}

// Forty applications fail with one cause; it goes away, and all of them are well without anybody pressing anything.
func TestFortyApplicationsFailAtOnceAndRecover(t *testing.T) {
	v := visit(t)
	w := v.demo.World
	v.thread(w.Migration().App.Name)
	v.post("/panel/fleet", "do", "break")
	v.sees("alice", ">40 Unknown</span>", "The Git host is back")
	v.await("one thread for all", func() string {
		for _, m := range w.Slack.Channel(world.Channel).Messages() {
			if strings.Contains(m.Text, "40 applications") {
				return m.TS
			}
		}
		return ""
	})
	v.post("/panel/fleet", "do", "repair")
	v.sees("alice", ">40 Healthy</span>", ">40 Synced</span>", "The Git host goes down for forty applications")
}

// visitor plays the demo: what people do in Slack goes through the workspace, what a visitor does through the page's own forms.
type visitor struct {
	*testing.T
	ctx  context.Context
	demo *demo.Demo
}

func visit(t *testing.T) *visitor {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	d, err := demo.Start(ctx, demo.Options{Log: t.Output(), Bot: func(ctx context.Context, args ...string) *exec.Cmd {
		return exec.CommandContext(ctx, "bot", args...)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return &visitor{t, ctx, d}
}

// await waits for what only Slack, or a look at the page after a change of anything, can show.
func (v *visitor) await(what string, condition func() string) string {
	v.Helper()
	found := ""
	if err := v.demo.World.Slack.Await(v.ctx, func() bool { found = condition(); return found != "" }); err != nil {
		v.Fatalf("%s did not come: %v", what, err)
	}
	return found
}

// thread is the root of the bot's thread about an application.
func (v *visitor) thread(app string) string {
	v.Helper()
	return v.await("the thread about "+app, func() string {
		for _, m := range v.demo.World.Slack.Channel(world.Channel).Messages() {
			if strings.Contains(m.Text, app) {
				return m.TS
			}
		}
		return ""
	})
}

func (v *visitor) press(who, root, label string) {
	v.Helper()
	slack := v.demo.World.Slack
	ts := v.await("the button "+label, func() string {
		for _, m := range slack.Channel(world.Channel).Thread(root) {
			if slices.Contains(strings.Split(m.Shown(), "\n"), label) {
				return m.TS
			}
		}
		return ""
	})
	if err := slack.Click(who, world.Channel, ts, label); err != nil {
		v.Fatal(err)
	}
}

// submit ticks boxes of the modal that somebody has before them, and presses its button.
func (v *visitor) submit(who string, boxes ...string) {
	v.Helper()
	slack := v.demo.World.Slack
	var form workspace.View
	v.await("the modal", func() string {
		for _, view := range slack.Views(who) {
			read := view.Shown()
			complete := strings.Contains(read, "\n( ") // it opens without a button, and is filled a moment later
			if complete && !slices.ContainsFunc(boxes, func(box string) bool { return !strings.Contains(read, box) }) {
				form = view
			}
		}
		return form.ID
	})
	values, err := form.State(ids(form, boxes)...)
	if err != nil {
		v.Fatal(err)
	}
	if err := slack.Submit(who, form.ID, values); err != nil {
		v.Fatal(err)
	}
}

// ids are the action_ids of boxes that have these texts.
func ids(form workspace.View, texts []string) []string {
	var sent struct {
		Blocks []struct {
			Element struct {
				ActionID string `json:"action_id"`
				Options  []struct{ Text struct{ Text string } }
			}
		}
	}
	_ = json.Unmarshal(form.Raw, &sent)
	var out []string
	for _, b := range sent.Blocks {
		if o := b.Element.Options; len(o) > 0 && slices.Contains(texts, o[0].Text.Text) {
			out = append(out, b.Element.ActionID)
		}
	}
	return out
}

// sees waits until the page shows somebody all of these.
func (v *visitor) sees(who string, texts ...string) {
	v.Helper()
	page := ""
	for {
		page = v.page(who)
		missing := slices.IndexFunc(texts, func(text string) bool { return !strings.Contains(page, text) })
		if missing < 0 {
			return
		}
		if v.ctx.Err() != nil {
			v.Fatalf("the page of %s never shows %q:\n%s", who, texts[missing], page)
		}
		time.Sleep(50 * time.Millisecond) // the page shows more than any one signal is about
	}
}

func (v *visitor) page(who string) string {
	return get(v.Context(), v.T, v.demo.URL()+"/channel/"+world.Channel+"?as="+who)
}

// post sends a form as the page does, and returns where it leads: "" for nowhere else.
func (v *visitor) post(path string, fields ...string) string {
	v.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	r, err := http.NewRequestWithContext(v.ctx, http.MethodPost, v.demo.URL()+path, strings.NewReader(form.Encode()))
	if err != nil {
		v.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		v.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusNoContent && answer.StatusCode != http.StatusSeeOther {
		v.Fatalf("%s %v: %s", path, form, answer.Status)
	}
	return answer.Header.Get("Location")
}
