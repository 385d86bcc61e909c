//go:build browser

package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/page"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

// How high a root message may be on a phone, and where its buttons have to begin, in pixels.
const (
	maxFailure = 560
	// maxOutage is for what is about many applications: a whole screen.
	maxOutage = 700
	// maxBacklog is for the list of what failed before the bot came.
	maxBacklog = 1400
	maxButtons = 440
	// maxLines are the lines of a headline.
	maxLines = 2
)

// rendered are the golden root messages: those that people see in a channel, without what is in the thread.
const rendered = "../../internal/slack/render/testdata"

// TestRootMessagesFitAPhone measures every root message at a width of 360 pixels.
func TestRootMessagesFitAPhone(t *testing.T) {
	names, messages := roots(t)
	b := postAll(t, names, messages)
	var failures, buttons []float64
	for i, box := range measure(b) {
		name := names[i]
		limit := float64(maxFailure)
		switch {
		case strings.HasPrefix(name, "incident/outage"), strings.HasPrefix(name, "incident/digest"):
			limit = maxOutage
		case strings.HasPrefix(name, "incident/backlog"):
			limit = maxBacklog
		default:
			failures, buttons = append(failures, box.Height), append(buttons, box.Buttons)
		}
		t.Logf("%-36s %4.0f px high, buttons at %3.0f to %3.0f px", name, box.Height, box.Buttons, box.End)
		if box.Height > limit {
			t.Errorf("%s is %.0f px high, the limit is %.0f", name, box.Height, limit)
		}
		if box.Lines > maxLines {
			t.Errorf("%s: the headline has %d lines", name, box.Lines)
		}
		if box.Buttons > maxButtons || box.End > float64(phone.height) {
			t.Errorf("%s: the buttons are at %.0f to %.0f px, not on the first screen", name, box.Buttons, box.End)
		}
	}
	t.Logf("%d messages about one application: %s high, buttons at %s", len(failures), spread(failures), spread(buttons))
	for _, problem := range eval[[]string](b, layout) {
		t.Error(problem)
	}
	b.shot("heights")
}

// roots reads the golden files, in order of their names.
func roots(t *testing.T) (names []string, messages []json.RawMessage) {
	t.Helper()
	for _, folder := range []string{"report", "incident"} {
		files, err := filepath.Glob(filepath.Join(rendered, folder, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no messages in %s: %v", folder, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, ".details.json") {
				continue
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, folder+"/"+strings.TrimSuffix(filepath.Base(file), ".json"))
			messages = append(messages, raw)
		}
	}
	return names, messages
}

// postAll posts messages in a channel and opens it on a phone. Another app writes between two of them: otherwise the second would have
// no name above it, and be less high than it is alone.
func postAll(t *testing.T, names []string, messages []json.RawMessage) *tab {
	t.Helper()
	w := workspacetest.New(t)
	app := w.AddApp(workspace.App{Name: "argo-why"})
	other := w.AddApp(workspace.App{Name: "other"})
	w.AddUser(workspace.User{Name: "alice"})
	channel := w.AddChannel("deploys", "alice", "argo-why", "other")
	for i, raw := range messages {
		var m struct {
			Text   string
			Blocks json.RawMessage
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatalf("%s: %v", names[i], err)
		}
		post(t, w, url.Values{"token": {other.BotToken}, "channel": {channel.ID()}, "text": {names[i]}})
		post(t, w, url.Values{"token": {app.BotToken}, "channel": {channel.ID()}, "text": {m.Text}, "blocks": {string(m.Blocks)}})
	}
	site := httptest.NewServer(page.New(page.Options{Workspace: w, People: []page.Person{{Name: "alice"}}}))
	t.Cleanup(site.Close)
	b := open(t, site.URL, "/channel/deploys?as=alice", phone)
	b.await("all messages", fmt.Sprintf(`document.querySelectorAll("#messages > article").length === %d`, 2*len(messages)))
	// The bar beside a log is as wide as three letters here, and on a phone it takes no room.
	eval[bool](b, `document.querySelector("#messages").style.scrollbarWidth = "none", true`)
	return b
}

// post is Slack's chat.postMessage.
func post(t *testing.T, w *workspace.Workspace, form url.Values) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://slack.test/api/chat.postMessage", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := (&http.Client{Transport: w.Transport()}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	var said struct {
		OK    bool
		Error string
	}
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil || !said.OK {
		t.Fatalf("%s: %s, %v", form.Get("text"), said.Error, err)
	}
}

// box is where a message and its buttons are: how high it is, where the row of buttons begins and ends below its top, and how many
// lines its headline has.
type box struct {
	Height, Buttons, End float64
	Lines                int
}

func measure(b *tab) []box {
	b.t.Helper()
	return eval[[]box](b, `[...document.querySelectorAll("#messages > article")].filter((_, i) => i % 2 === 1).map(e => {
		const day = e.querySelector(".day")?.getBoundingClientRect().height || 0, r = e.getBoundingClientRect();
		const rows = [...e.querySelectorAll(".actions")].map(a => a.getBoundingClientRect());
		const row = rows[0] || {top: r.top + day, bottom: r.top + day};
		const head = e.querySelector(".text"), line = parseFloat(getComputedStyle(head).lineHeight);
		return {Lines: Math.round(head.getBoundingClientRect().height / line), Height: r.height - day, Buttons: row.top - r.top - day, End: row.bottom - r.top - day};
	})`)
}

// spread says the median and the largest of some lengths.
func spread(lengths []float64) string {
	slices.Sort(lengths)
	return fmt.Sprintf("median %.0f px, at most %.0f px", lengths[len(lengths)/2], lengths[len(lengths)-1])
}
