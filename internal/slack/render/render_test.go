package render_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/workspace/blockkit"
)

var update = flag.Bool("update", false, "write the golden files")

func TestEverySituationLooksAsItShould(t *testing.T) {
	for name, m := range messages(t) {
		t.Run(name, func(t *testing.T) {
			if err := blocks.Check(m.Blocks); err != nil {
				t.Error(err)
			}
			if err := blockkit.Message(raw(t, m)); err != nil {
				t.Error(err)
			}
			if m.Text == "" {
				t.Error("there is nothing for the notification")
			}
			golden(t, name+".json", m)
		})
	}
}

// raw is what goes to Slack.
func raw(t *testing.T, m render.Message) []byte {
	t.Helper()
	b, err := json.Marshal(m.Blocks)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func golden(t *testing.T, name string, m render.Message) {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(map[string]any{"text": m.Text, "blocks": m.Blocks}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s is not what is rendered now (go test ./internal/slack/render -update, and look at the difference):\n%s", file, b.String())
	}
}

func TestTheSameIncidentGivesTheSameBytes(t *testing.T) {
	first, second := messages(t), messages(t)
	for name := range first {
		if first[name].Digest() != second[name].Digest() {
			t.Errorf("%s differs", name)
		}
	}
}

// decoded are the blocks of a message as Slack reads them.
func decoded(t *testing.T, m render.Message) []map[string]any {
	t.Helper()
	var out []map[string]any
	if err := json.Unmarshal(raw(t, m), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// seen is what a person reads of a message, a line for each block.
func seen(m render.Message) string {
	raw, err := json.Marshal(m.Blocks)
	if err != nil {
		panic(err)
	}
	var list []any
	if err := json.Unmarshal(raw, &list); err != nil {
		panic(err)
	}
	var lines []string
	for _, b := range list {
		lines = append(lines, strings.Join(texts(b), ""))
	}
	return strings.Join(lines, "\n")
}

func texts(v any) []string {
	var out []string
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			out = append(out, texts(e)...)
		}
	case map[string]any:
		if s, ok := v["text"].(string); ok {
			out = append(out, s)
		}
		switch v["type"] { // who is called, and a moment
		case "user":
			out = append(out, fmt.Sprintf("<@%s>", v["user_id"]))
		case "usergroup":
			out = append(out, fmt.Sprintf("<!subteam^%s>", v["usergroup_id"]))
		case "date":
			out = append(out, fmt.Sprintf("{%s}", v["fallback"]))
		case "button":
			out = append(out, "[")
		}
		out = append(out, slices.Concat(texts(v["text"]), texts(v["placeholder"]), texts(v["elements"]))...)
		if v["type"] == "button" {
			out = append(out, "]")
		}
	}
	return out
}

// TestARootMessageFitsAPhone estimates the heights that test/browser measures in Chromium, at a width of 360 pixels.
func TestARootMessageFitsAPhone(t *testing.T) {
	for name, m := range messages(t) {
		if strings.HasSuffix(name, ".details") || strings.HasPrefix(name, "reply/") {
			continue
		}
		limit := 560
		if strings.HasPrefix(name, "incident/outage") || strings.HasPrefix(name, "incident/digest") {
			limit = 700
		}
		if strings.HasPrefix(name, "incident/backlog") {
			limit = 1400
		}
		if high := blocks.MessageHeight(m.Blocks); high > limit {
			t.Errorf("%s: about %d pixels high, the limit is %d:\n%s", name, high, limit, seen(m))
		}
	}
}

// TestTheRootHasCauseSyncButtonsAndFix checks the order too: what to do now comes before the steps.
func TestTheRootHasCauseSyncButtonsAndFix(t *testing.T) {
	for name := range cases {
		r := recorded(t, name)
		if !r.Verdict.Bad() {
			continue
		}
		m, _ := render.Report(posted.ReportTo(audience.All(), r), links, acting(r))
		lead, _ := reporttext.Sync(r.Sync)
		rest := seen(m)
		why := ""
		if r.Findings[0].Why != "" {
			why = "Why "
		}
		for _, want := range []string{r.Headline, why, lead, "[Open in Argo CD]", "Fix", reporttext.Basis(&r.Findings[0])} {
			_, after, ok := strings.Cut(rest, want)
			if !ok {
				t.Errorf("%s: no %q where it should be in\n%s", name, want, seen(m))
				break
			}
			rest = after
		}
		if strings.Contains(seen(m), " fact") {
			t.Errorf("%s: facts are counted in\n%s", name, seen(m))
		}
	}
}

// TestTheEndOfTheCauseIsShown: an error has its wrapping in front, and its cause at the end. Where the headline has that, the
// wrapping can be left out.
func TestTheEndOfTheCauseIsShown(t *testing.T) {
	for name := range cases {
		r := recorded(t, name)
		if !r.Verdict.Bad() {
			continue
		}
		m, _ := render.Report(posted.ReportTo(audience.All(), r), links, acting(r))
		words := strings.Fields(r.Findings[0].Why)
		if strings.HasSuffix(r.Findings[0].Why, ": …") {
			continue
		}
		if end := strings.Join(words[max(0, len(words)-3):], " "); !strings.Contains(seen(m), end) {
			t.Errorf("%s: no %q in\n%s", name, end, seen(m))
		}
	}
}

// TestANotificationSaysNothingTwice looks for four words in a row.
func TestANotificationSaysNothingTwice(t *testing.T) {
	for name, m := range messages(t) {
		lines := strings.Split(m.Text, "\n")
		for i, line := range lines {
			if i > 0 && reporttext.Repeats(line, strings.Join(lines[:i], "\n")) {
				t.Errorf("%s: %q repeats what is above it in\n%s", name, line, m.Text)
			}
		}
	}
}

// TestTheContextDoesNotRepeatTheHeadline: the environment is in one of the two.
func TestTheContextDoesNotRepeatTheHeadline(t *testing.T) {
	r := recorded(t, "hook-job-failed")
	r.SetInstance("eu")
	m, _ := render.Report(posted.ReportTo(audience.All(), r), links, nobodyActs)
	if lines := strings.Split(seen(m), "\n"); !strings.Contains(lines[0], " eu/courier-api: ") || strings.HasPrefix(lines[1], "eu") {
		t.Errorf("%s\n%s", lines[0], lines[1])
	}
	r = recorded(t, "hook-job-failed")
	r.Headline = strings.Replace(r.Headline, "courier-api", "courier-api@staging", 1)
	r.Context.Destination.Name = "staging"
	m, _ = render.Report(posted.ReportTo(audience.All(), r), links, nobodyActs)
	if line := strings.Split(seen(m), "\n")[1]; !strings.HasPrefix(line, "team-courier-api · ") {
		t.Error(line)
	}
	r.Context.Destination.Name, r.Headline = "staging", strings.Replace(r.Headline, "@staging", "", 1)
	m, _ = render.Report(posted.ReportTo(audience.All(), r), links, nobodyActs)
	if line := strings.Split(seen(m), "\n")[1]; !strings.HasPrefix(line, "staging / team-courier-api · ") {
		t.Error(line)
	}
}

func TestAnApplicationIsOpenedWhereItLives(t *testing.T) {
	for _, c := range []struct {
		app  diagnose.AppName
		want string
	}{
		{diagnose.AppName{Namespace: "argocd", Name: "web"}, "https://argocd.example.com/applications/argocd/web"},
		{diagnose.AppName{Instance: "eu", Namespace: "team a", Name: "web"}, "https://argocd.eu.example.com/applications/team%20a/web"},
		{diagnose.AppName{Instance: "elsewhere", Name: "web"}, ""},
	} {
		if got := links.App(c.app); got != c.want {
			t.Errorf("%v: %q, want %q", c.app, got, c.want)
		}
	}
}

func BenchmarkRoot(b *testing.B) {
	i := failing(b, "crash-loop")
	for b.Loop() {
		render.Root(posted.To(audience.All(), i), links, nobodyActs)
		render.Details(posted.To(audience.All(), i), links, nobodyActs)
	}
}
