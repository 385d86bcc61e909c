package render_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/workspace/blockkit"
)

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
		i.Report, i.Cause.Subject, i.Resolution, i.Cause.Group, i.Cause.Key = r, bad, []string{bad}, bad, bad
		for range 30 {
			i.Members = append(i.Members, incident.Member{App: incident.App{Instance: bad, Namespace: bad, Name: bad}, Since: start, Well: start, Note: bad})
		}
		list := []render.Message{render.Details(posted.To(audience.All(), i), links, nobodyActs), render.Reply(posted.Line(audience.All(), incident.Reply{Reason: incident.CauseChanged, Headline: bad, Was: bad, Rule: bad, Notes: []string{bad}, Link: bad}), button.Key{})}
		for _, phase := range []incident.Phase{incident.Open, incident.Recovered, incident.Joined} {
			i.Phase = phase
			list = append(list, render.Root(posted.To(audience.All(), i), links, nobodyActs))
		}
		list = append(list, hostileActions(i, bad)...)
		root, details := render.Report(posted.ReportTo(audience.All(), r), links, nobodyActs)
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

// hostileActions are messages about actions in which every text is that one.
func hostileActions(i *incident.Incident, bad string) []render.Message {
	offered := render.Controls{Key: key, Offers: []diagnose.Action{
		{ID: "sync", Label: bad}, {ID: bad, Label: bad, Target: evidence.Ref{Kind: bad, Name: bad}}, {ID: "terminate", Label: "Terminate operation"},
	}}
	who := action.Person{ID: bad, Name: bad}
	i.Phase, i.Muted, i.Progress, i.Actions = incident.Open, &incident.Mute{By: who, Until: start}, bad, nil
	var out []render.Message
	for n, state := range append([]action.State{action.State(bad)}, states...) {
		kinds := append([]action.Kind{action.Kind(bad)}, action.Kinds...)
		r := &action.Record{
			ID: bad, Request: action.Request{Kind: kinds[n%len(kinds)], App: i.Members[0].App, Target: evidence.Ref{Kind: bad, Name: bad}}, By: who, State: state, Step: action.Step(bad),
			Summary: bad, Revision: bad, Result: bad, Approval: &action.Approval{From: action.Who{Users: []string{bad, bad}, Groups: []string{bad}}, By: action.Person{ID: bad + "2", Name: bad}, Expires: start, Reason: bad},
		}
		out = append(out, render.ActionNote(posted.NoteTo(audience.All(), r, action.Note{State: state, Step: r.Step, Text: bad, Log: bad, From: bad}), key))
		i.Actions = append(i.Actions, r)
	}
	i.Cause.Group, i.Cause.Key = "", "one application"
	out = append(out, render.Root(posted.To(audience.All(), i), links, offered))
	i.Actions = i.Actions[len(i.Actions)-3:]
	return append(out, render.Root(posted.To(audience.All(), i), links, offered))
}

// TestNobodyIsCalledByAText: only an ID of Slack's form calls anybody.
func TestNobodyIsCalledByAText(t *testing.T) {
	for _, bad := range []string{"<!channel>", "<@U0DANA>", "@here", "!subteam^S0ONCALL", "U0DANA|dana", "S0ONCALL>"} {
		for _, m := range hostileActions(failing(t, "crash-loop"), bad) {
			if text := string(raw(t, m)); strings.Contains(text, `"type":"user"`) || strings.Contains(text, `"type":"usergroup"`) || strings.Contains(text, `"type":"broadcast"`) {
				t.Fatalf("%s calls somebody: %s", bad, text)
			}
		}
	}
}

// TestASecretInAnActionIsNotTold: a log that is saved into the thread is the likeliest place for one.
func TestASecretInAnActionIsNotTold(t *testing.T) {
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	r := free(wants[3], action.Failed)
	r.Result, r.Summary = "token "+secret, "token "+secret
	i := failing(t, "crash-loop")
	i.Actions, i.Progress = []*action.Record{r}, "token "+secret
	for _, state := range states {
		m := render.ActionNote(posted.NoteTo(audience.All(), r, action.Note{State: state, Text: "token " + secret, Log: "a\ntoken " + secret + "\nb", From: "Job/x"}), key)
		for _, m := range []render.Message{m, root(i)} {
			if strings.Contains(seen(m)+m.Text, secret[6:]) {
				t.Error(seen(m))
			}
		}
	}
}

func TestASecretInAReportIsNotTold(t *testing.T) {
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	r := recorded(t, "crash-loop")
	r.Findings[0].Why = "token " + secret
	r.Findings[0].Evidence = []diagnose.Quote{{From: "log", Text: "token " + secret}}
	root, details := render.Report(posted.ReportTo(audience.All(), r), links, nobodyActs)
	for _, m := range []render.Message{root, details} {
		if strings.Contains(seen(m)+m.Text, secret[6:]) {
			t.Error(seen(m))
		}
	}
}

// FuzzAnyReportIsTaken puts a text into every place of a report and an incident.
func FuzzAnyReportIsTaken(f *testing.F) {
	for _, s := range []string{"<!channel> <https://evil.example|x>", "```\n*b*", "a\x00\x1b[1m\xff", strings.Repeat("é\n", 1200), "&&&<<<>>>"} {
		f.Add(s, 3, 2)
	}
	f.Fuzz(func(t *testing.T, s string, findings, fixes int) {
		if len(s) > 2<<10 {
			t.Skip("a text is in the report up to 70 times, and the fuzzer gives up on what takes ten seconds; no limit of Slack is that high")
		}
		app := diagnose.AppName{Instance: s, Namespace: s, Name: s}
		r := &diagnose.Report{
			App: app, Verdict: diagnose.VerdictFailing, Headline: s, Effects: []string{s, s}, Unread: []string{s},
			Context: diagnose.Context{Project: s, Revision: s, InitiatedBy: s, Phase: s, Since: start, Destination: evidence.Destination{Server: s, Namespace: s}},
			Sync:    diagnose.Sync{Verdict: diagnose.SyncVerdict(s), Why: s, Affects: []string{s}}, Examined: []diagnose.Examined{{Fact: evidence.KindLog, Error: s}},
		}
		for range findings % 5 {
			finding := diagnose.Finding{Rule: s, Title: s, Why: s, Links: []string{s}, Evidence: []diagnose.Quote{{From: s, Text: s}}}
			for range fixes % 5 {
				finding.Fix = append(finding.Fix, diagnose.Fix{Text: s, Command: s, Patch: s})
			}
			r.Findings = append(r.Findings, finding)
		}
		i := &incident.Incident{Phase: incident.Open, Report: r, Cause: incident.Cause{Key: s, Group: s, Subject: s, Rule: s}, Members: []incident.Member{{App: app, Note: s}, {App: app, Well: start, Note: s}}}
		root, details := render.Report(posted.ReportTo(audience.All(), r), links, acting(r))
		acted := hostileActions(&incident.Incident{Report: r, Cause: i.Cause, Members: i.Members}, s)
		for _, m := range append(acted, root, details, render.Root(posted.To(audience.All(), i), links, nobodyActs), render.Details(posted.To(audience.All(), i), links, nobodyActs), render.Reply(posted.Line(audience.All(), incident.Reply{Headline: s, Was: s, Notes: []string{s}, Link: s, Rule: s}), button.Key{})) {
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
