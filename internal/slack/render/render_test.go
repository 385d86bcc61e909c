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
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/workspace/blockkit"
)

var update = flag.Bool("update", false, "write the golden files anew")

var links = render.Links{ArgoCD: map[string]string{"": "https://argocd.example.com", "eu": "https://argocd.eu.example.com/"}}

// cases are recorded failures of different classes, by the name of their golden file.
var cases = map[string]string{
	"hook-job-failed":      "hook/job-failed/lab-presync-hook-failed.json",
	"hook-ordering":        "hook/ordering/k021.json",
	"wave-blocked":         "wave/blocked/lab-wave-stuck.json",
	"git-unreachable":      "render/git-unreachable/lab-git-unreachable.json",
	"jsonnet":              "render/jsonnet/a235.json",
	"missing-crd":          "apply/missing-crd/a024.json",
	"admission-denied":     "apply/admission-denied/a292.json",
	"sync-window":          "operation/sync-window/a429.json",
	"drift-hpa":            "drift/hpa/d002.json",
	"healthy":              "control/healthy/lab-healthy.json",
	"helm-template":        "render/helm-template/*.json",
	"immutable-field":      "apply/immutable-field/*.json",
	"crash-loop":           "health/crash-loop/*.json",
	"progressing":          "control/progressing/*.json",
	"manual-edit":          "drift/manual-edit/*.json",
	"image-pull":           "health/image-pull/*.json",
	"quota-exceeded":       "apply/quota-exceeded/*.json",
	"oom-killed":           "health/oom-killed/*.json",
	"autosync-gave-up":     "operation/autosync-gave-up/*.json",
	"resource-not-allowed": "spec/resource-not-permitted/*.json",
}

func recorded(t testing.TB, name string) *diagnose.Report {
	t.Helper()
	file := "../../terminal/testdata/no-rule.json"
	if pattern, ok := cases[name]; ok {
		found, err := filepath.Glob(filepath.Join("../../diagnose/rules/testdata/cases", pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no case %s", name, pattern)
		}
		file = found[0]
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := evidence.DecodeCases(raw, time.Time{})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.Diagnose(t.Context(), decoded[0].Source(), decoded[0].Now.Time)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for i := range r.Examined {
		r.Examined[i].MS = 0 // measured, not told
	}
	return r
}

var start = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)

// failing is an incident about a recorded failure.
func failing(t testing.TB, name string) *incident.Incident {
	t.Helper()
	r := recorded(t, name)
	return &incident.Incident{
		ID: r.App.Name + "-k3v9q2mz", Phase: incident.Open, Report: r, Cause: incident.Cause{Rule: r.Findings[0].Rule},
		Members: []incident.Member{{App: r.App, Since: start}}, Since: start, Seen: start.Add(time.Minute), OpenedAt: start.Add(2 * time.Minute),
	}
}

func outage(t testing.TB, size, well int) *incident.Incident {
	t.Helper()
	i := failing(t, "git-unreachable")
	i.Cause.Group, i.Cause.Subject = "render/git-unreachable: git host 127.0.0.1:9", "git host 127.0.0.1:9"
	i.Members = nil
	for n := range size {
		m := incident.Member{App: incident.App{Namespace: "argocd", Name: fmt.Sprintf("garage-api-%04d", n)}, Since: start.Add(time.Duration(n) * time.Second)}
		if n < well {
			m.Well = start.Add(20 * time.Minute)
		}
		i.Members = append(i.Members, m)
	}
	return i
}

// incidents are the moments in the life of a thread, by the name of their golden file.
func incidents(t *testing.T) map[string]*incident.Incident {
	t.Helper()
	out := map[string]*incident.Incident{"opened": failing(t, "hook-job-failed")}
	i := failing(t, "hook-job-failed")
	i.Phase, i.RecoveredAt = incident.Recovered, start.Add(14*time.Minute)
	i.Resolution = []string{"bb498fd runs now", "Synced by dana"}
	out["recovered"] = i
	i = failing(t, "crash-loop")
	i.RecoveredAt, i.ReopenedAt = start.Add(14*time.Minute), start.Add(26*time.Minute)
	out["reopened"] = i
	i = failing(t, "git-unreachable")
	i.Phase, i.JoinedTo, i.Cause.Subject = incident.Joined, "git-unreachable-x7f2k9qa", "git host 127.0.0.1:9"
	out["joined"] = i
	out["outage-of-3"] = outage(t, 3, 0)
	out["outage-of-15"] = outage(t, 15, 3)
	out["outage-of-5000"] = outage(t, 5000, 12)
	i = outage(t, 15, 15)
	i.Phase, i.RecoveredAt, i.Resolution = incident.Recovered, start.Add(41*time.Minute), []string{"The git host answers again"}
	out["outage-recovered"] = i
	i = failing(t, "missing-crd")
	i.Report = nil
	out["without-report"] = i
	return out
}

// replies are the lines of history, by the name of their golden file.
var replies = map[string]incident.Reply{
	"cause-changed": {
		Number: 2, Reason: incident.CauseChanged, At: start, Rule: "apply/quota-exceeded",
		Headline: "payments: quota of namespace payments is used up", Was: "payments: PreSync hook migrate failed",
	},
	"evidence-changed": {Number: 3, Reason: incident.EvidenceChanged, At: start, Rule: "hook/job-failed", Headline: "payments: PreSync hook migrate failed: relation \"orders\" does not exist"},
	"recovered":        {Number: 4, Reason: incident.RecoveredNow, At: start, Lasted: 14 * time.Minute, Notes: []string{"bb498fd runs now", "Synced by dana."}},
	"reopened":         {Number: 5, Reason: incident.Reopened, At: start, Lasted: 12 * time.Minute, Rule: "hook/job-failed", Headline: "payments: PreSync hook migrate failed"},
	"reminder":         {Number: 6, Reason: incident.Reminder, At: start, Lasted: 4 * time.Hour, Rule: "hook/job-failed", Headline: "payments: PreSync hook migrate failed"},
	"grouped":          {Number: 7, Reason: incident.Grouped, At: start, Link: "https://acme.slack.com/archives/C1/p1", Notes: []string{"12 applications fail because of git host git.example.com"}},
	"members-changed":  {Number: 8, Reason: incident.MembersChanged, At: start, Notes: []string{"12 more fail", "3 are well again"}},
}

// messages are all situations, by the name of their golden file.
func messages(t *testing.T) map[string]render.Message {
	t.Helper()
	out := map[string]render.Message{}
	put := func(name string, root, details render.Message) {
		out[name] = root
		if len(details.Blocks) > 0 {
			out[name+".details"] = details
		}
	}
	for name := range cases {
		root, details := render.Report(recorded(t, name), links)
		put("report/"+name, root, details)
	}
	root, details := render.Report(recorded(t, "no-rule"), links)
	put("report/no-rule", root, details)
	for name, i := range incidents(t) {
		put("incident/"+name, render.Root(i, links), render.Details(i))
	}
	for name, r := range replies {
		put("reply/"+name, render.Reply(nil, r), render.Message{})
	}
	return out
}

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
		out = append(out, slices.Concat(texts(v["text"]), texts(v["elements"]))...)
	}
	return out
}

func TestARootMessageFitsAPhone(t *testing.T) {
	for name, m := range messages(t) {
		if strings.HasSuffix(name, ".details") {
			continue
		}
		if n := len(seen(m)); n > 2000 {
			t.Errorf("%s: %d characters is more than anybody reads at night:\n%s", name, n, seen(m))
		}
	}
}

func TestTheRootHasCauseFixAndSync(t *testing.T) {
	for name := range cases {
		r := recorded(t, name)
		if !r.Verdict.Bad() {
			continue
		}
		m, _ := render.Report(r, links)
		got := seen(m)
		for _, want := range []string{r.App.Name, "Why ", "Fix", "Sync now ", "Open in Argo CD", r.Findings[0].Rule} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got)
			}
		}
		if !strings.Contains(m.Text, "\nFix: ") {
			t.Errorf("%s: the notification has no fix: %s", name, m.Text)
		}
	}
}

func TestHostileTextsStayText(t *testing.T) {
	for _, bad := range []string{
		"<!channel> <@U1> <https://evil.example|click> @here ``` *b* :fire: &lt;", "\x1b[31mred\x1b[0m\x00", "\xff", strings.Repeat("<!here>", 1500), strings.Repeat("wide 😀\n", 1500),
	} {
		r := recorded(t, "crash-loop")
		r.Headline, r.App.Name, r.App.Instance, r.Context.InitiatedBy = bad, bad, bad, bad
		r.Effects, r.Sync.Why, r.Sync.Affects, r.Unread = []string{bad, bad, bad}, bad, []string{bad}, []string{bad}
		f := &r.Findings[0]
		f.Title, f.Why, f.Links = bad, bad, []string{bad}
		f.Evidence = []diagnose.Quote{{From: bad, Text: bad}, {From: bad, Text: bad}}
		f.Fix = []diagnose.Fix{{Text: bad, Command: bad, Patch: bad}, {Text: bad, Command: bad}}
		i := failing(t, "crash-loop")
		i.Report, i.Cause.Subject, i.Resolution, i.Cause.Group = r, bad, []string{bad}, bad
		for range 30 {
			i.Members = append(i.Members, incident.Member{App: incident.App{Instance: bad, Namespace: bad, Name: bad}, Since: start, Well: start, Note: bad})
		}
		list := []render.Message{render.Details(i), render.Reply(i, incident.Reply{Reason: incident.CauseChanged, Headline: bad, Was: bad, Rule: bad, Notes: []string{bad}, Link: bad})}
		for _, phase := range []incident.Phase{incident.Open, incident.Recovered, incident.Joined} {
			i.Phase = phase
			list = append(list, render.Root(i, links))
		}
		root, details := render.Report(r, links)
		for _, m := range append(list, root, details) {
			if err := blocks.Check(m.Blocks); err != nil {
				t.Errorf("%.30q: %v", bad, err)
			}
			if err := blockkit.Message(raw(t, m)); err != nil {
				t.Errorf("%.30q: %v", bad, err)
			}
			if strings.ContainsAny(m.Text, "<>\x1b") || m.Text == "" {
				t.Errorf("%.30q: the notification is %.200q", bad, m.Text)
			}
		}
	}
}

func TestASecretInAReportIsNotTold(t *testing.T) {
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	r := recorded(t, "crash-loop")
	r.Findings[0].Why = "token " + secret
	r.Findings[0].Evidence = []diagnose.Quote{{From: "log", Text: "token " + secret}}
	root, details := render.Report(r, links)
	for _, m := range []render.Message{root, details} {
		if strings.Contains(seen(m)+m.Text, secret[6:]) {
			t.Error(seen(m))
		}
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
		render.Root(i, links)
		render.Details(i)
	}
}

// FuzzAnyReportIsTaken puts a text into every place of a report and an incident.
func FuzzAnyReportIsTaken(f *testing.F) {
	for _, s := range []string{"<!channel> <https://evil.example|x>", "```\n*b*", "a\x00\x1b[1m\xff", strings.Repeat("é\n", 3000), "&&&<<<>>>"} {
		f.Add(s, 3, 2)
	}
	f.Fuzz(func(t *testing.T, s string, findings, fixes int) {
		app := diagnose.AppName{Instance: s, Namespace: s, Name: s}
		r := &diagnose.Report{
			App: app, Verdict: diagnose.VerdictFailing, Headline: s, Effects: []string{s, s}, Unread: []string{s},
			Context: diagnose.Context{Project: s, Revision: s, InitiatedBy: s, Phase: s, Since: start, Destination: evidence.Destination{Server: s, Namespace: s}},
			Sync:    diagnose.Sync{Verdict: diagnose.SyncVerdict(s), Why: s, Affects: []string{s}}, Examined: []diagnose.Examined{{Fact: evidence.KindLog, Error: s}},
		}
		for range findings % 8 {
			finding := diagnose.Finding{Rule: s, Title: s, Why: s, Links: []string{s}, Evidence: []diagnose.Quote{{From: s, Text: s}}}
			for range fixes % 8 {
				finding.Fix = append(finding.Fix, diagnose.Fix{Text: s, Command: s, Patch: s})
			}
			r.Findings = append(r.Findings, finding)
		}
		i := &incident.Incident{Phase: incident.Open, Report: r, Cause: incident.Cause{Group: s, Subject: s, Rule: s}, Members: []incident.Member{{App: app, Note: s}, {App: app, Well: start, Note: s}}}
		root, details := render.Report(r, links)
		for _, m := range []render.Message{root, details, render.Root(i, links), render.Details(i), render.Reply(i, incident.Reply{Headline: s, Was: s, Notes: []string{s}, Link: s, Rule: s})} {
			if len(m.Blocks) == 0 {
				continue
			}
			if err := blockkit.Message(raw(t, m)); err != nil {
				t.Fatal(err)
			}
			if err := blocks.Check(m.Blocks); err != nil {
				t.Fatal(err)
			}
		}
	})
}
