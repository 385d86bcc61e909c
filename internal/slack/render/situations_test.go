package render_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/render"
)

var links = render.Links{ArgoCD: map[string]string{"": "https://argocd.example.com", "eu": "https://argocd.eu.example.com/"}}

// cases are recorded failures of different classes, by the name of their golden file.
var cases = map[string]string{
	"hook-job-failed":      "hook/job-failed/lab-presync-hook-failed.json",
	"hook-ordering":        "hook/ordering/k021.json",
	"wave-blocked":         "wave/blocked/lab-wave-stuck-9m.json",
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
	// The hook's policy keeps a failed Job, so that there is a button to delete it.
	raw = bytes.ReplaceAll(raw, []byte("BeforeHookCreation"), []byte("HookSucceeded"))
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
		r.Examined[i].MS = 0 // measured, so never the same
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
	i.Cause.Key = i.Cause.Group
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
	i.Resolution = []string{"bb498fd is running", "Synced by dana"}
	out["recovered"] = i
	i = failing(t, "hook-job-failed")
	i.Phase, i.RecoveredAt = incident.Recovered, start.Add(14*time.Minute)
	i.Members[0].Well, i.Members[0].Note = i.RecoveredAt, incident.NoteDeleted
	out["deleted"] = i
	i = failing(t, "hook-job-failed")
	i.Interim = &incident.Interim{Title: "Deployment/payments-api was deleted from the cluster", Since: start.Add(9 * time.Minute)}
	out["interim"] = i
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
	i.Phase, i.RecoveredAt, i.Resolution = incident.Recovered, start.Add(41*time.Minute), []string{"The git host is reachable again"}
	out["outage-recovered"] = i
	i = outage(t, 4, 4)
	i.Phase, i.RecoveredAt = incident.Recovered, start.Add(41*time.Minute)
	i.Members[1].Note, i.Members[2].Note = incident.NoteOtherCause, incident.NoteDeleted
	out["outage-partly-recovered"] = i
	i = outage(t, 3, 3)
	i.Phase, i.RecoveredAt = incident.Recovered, start.Add(41*time.Minute)
	for n := range i.Members {
		i.Members[n].Note = incident.NoteOtherCause
	}
	out["outage-over"] = i
	i = failing(t, "missing-crd")
	i.Report = nil
	out["without-report"] = i
	maps.Copy(out, backlogs())
	maps.Copy(out, remainders())
	maps.Copy(out, digests())
	maps.Copy(out, expiries())
	return out
}

// replies are the lines of history, by the name of their golden file.
var replies = map[string]incident.Reply{
	"cause-changed": {
		Number: 2, Reason: incident.CauseChanged, At: start, Rule: "apply/quota-exceeded",
		Headline: "payments: quota of namespace payments is used up", Was: "payments: PreSync hook migrate failed",
	},
	"evidence-changed": {Number: 3, Reason: incident.EvidenceChanged, At: start, Rule: "hook/job-failed", Headline: "payments: PreSync hook migrate failed: relation \"orders\" does not exist"},
	"recovered":        {Number: 4, Reason: incident.RecoveredNow, At: start, Lasted: 14 * time.Minute, Notes: []string{"bb498fd is running", "Synced by dana."}},
	"deleted":          {Number: 4, Reason: incident.Deleted, At: start, Lasted: 14 * time.Minute},
	"over":             {Number: 4, Reason: incident.Over, At: start, Lasted: 14 * time.Minute},
	"reopened":         {Number: 5, Reason: incident.Reopened, At: start, Lasted: 12 * time.Minute, Rule: "hook/job-failed", Headline: "payments: PreSync hook migrate failed"},
	"reminder":         {Number: 6, Reason: incident.Reminder, At: start, Lasted: 4 * time.Hour, Rule: "hook/job-failed", Headline: "payments: PreSync hook migrate failed"},
	"grouped":          {Number: 7, Reason: incident.Grouped, At: start, Link: "https://acme.slack.com/archives/C1/p1", Notes: []string{"12 applications fail because of git host git.example.com"}},
	"elsewhere":        {Number: 8, Reason: incident.Elsewhere, At: start, Headline: "12 applications: Git host git.example.com cannot be reached", Link: "https://acme.slack.com/archives/C1/p1", Notes: []string{"Further threads are not linked here: /argo list has all of them."}},
	"removed":          {Number: 8, Reason: incident.Removed, At: start, Lasted: 14 * time.Minute},
	"unneeded":         {Number: 8, Reason: incident.Unneeded, At: start, Lasted: 14 * time.Minute},
	"members-changed":  {Number: 8, Reason: incident.MembersChanged, At: start, Notes: []string{"12 more fail", "3 are healthy again"}},
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
		r := recorded(t, name)
		root, below := render.Report(posted.ReportTo(audience.All(), r), links, acting(r))
		put("report/"+name, root, below)
	}
	r := recorded(t, "no-rule")
	answer, below := render.Report(posted.ReportTo(audience.All(), r), links, acting(r))
	put("report/no-rule", answer, below)
	for name, i := range incidents(t) {
		put("incident/"+name, root(i), details(i))
	}
	for name, r := range replies {
		put("reply/"+name, render.Reply(posted.Line(audience.All(), r), button.Key{}), render.Message{})
	}
	return out
}
