package render_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

var (
	key  = button.NewKey("xoxb-1")
	dana = action.Person{ID: "U0DANA", Name: "dana"}
	erin = action.Person{ID: "U0ERIN", Name: "erin"}
	shop = action.App{Namespace: "argocd", Name: "payments"}
	job  = evidence.Ref{Group: "batch", Kind: "Job", Namespace: "shop", Name: "db-migrate"}
)

// acting are controls with which people can act: whatever the report offers, unrefused.
func acting(r *diagnose.Report) render.Controls {
	c := render.Controls{Key: key}
	if r != nil {
		c.Offers = slices.DeleteFunc(slices.Clone(r.Actions), func(a diagnose.Action) bool { return a.RefusedBecause != "" && a.Once == "" })
	}
	return c
}

// root is the root message of an incident that people can act from.
func root(i *incident.Incident) render.Message {
	return render.Root(posted.To(audience.All(), i), links, acting(render.Offering(i)))
}

// details are its first reply, beside that root message.
func details(i *incident.Incident) render.Message {
	return render.Details(posted.To(audience.All(), i), links, acting(i.Report))
}

// nobodyActs are the controls where nobody can act.
var nobodyActs render.Controls

const commit = "3f2a91c0000000000000000000000000000000aa"

// harmless is a plan that loses nothing, and grave one that does.
var (
	harmless = &action.Shown{
		Destination: evidence.Destination{Server: "https://kubernetes.default.svc", Namespace: "shop"},
		Verdict:     diagnose.SyncPointless, Reason: "the hook will fail again until the migration is fixed", Newer: "bb498fd0000000000000000000000000000000aa",
		Changes: []action.Change{
			{Ref: evidence.Ref{Kind: "ConfigMap", Name: "a"}, Effect: action.Created},
			{Ref: evidence.Ref{Group: "apps", Kind: "Deployment", Name: "web"}, Effect: action.Changes},
		},
	}
	grave = &action.Shown{
		Destination: evidence.Destination{Name: "eu-1", Namespace: "shop"},
		Verdict:     diagnose.SyncDestructive, Reason: "deletes PersistentVolumeClaim/data and the data in it",
		Changes: []action.Change{
			{Ref: evidence.Ref{Kind: "PersistentVolumeClaim", Name: "data"}, Effect: action.Pruned, HoldsData: true},
			{Ref: evidence.Ref{Kind: "ConfigMap", Name: "old"}, Effect: action.Pruned},
			{Ref: evidence.Ref{Group: "apps", Kind: "StatefulSet", Name: "db"}, Effect: action.Recreated, HoldsData: true},
			{Ref: evidence.Ref{Group: "apps", Kind: "Deployment", Name: "web"}, Effect: action.Changes},
		},
	}
)

// wants are an action of every kind, as dana asks for it.
var wants = []action.Record{
	{Request: action.Request{Kind: action.HardRefresh}, Summary: "hard refresh"},
	{Request: action.Request{Kind: action.DeleteHookJob, Target: job}, Summary: "delete Job db-migrate (PreSync hook)", UID: "7f"},
	{Request: action.Request{Kind: action.Terminate}, Summary: "terminate the sync that began at 07:51 UTC", Operation: start.Add(-9 * time.Minute)},
	{Request: action.Request{Kind: action.Sync}, Summary: "sync 3f2a91c (2 created, 1 changed)", Revision: commit, Shown: harmless},
	{Request: action.Request{Kind: action.Sync, Sync: action.SyncOptions{DryRun: true, Prune: true, Resources: []evidence.Ref{job, {Kind: "ConfigMap", Name: "a"}}}}, Summary: "dry run of 3f2a91c, only 2 resources (1 pruned, 1 changed)", Revision: commit + ", 1.4.2"},
	{Request: action.Request{Kind: action.Mute, MuteFor: 4 * time.Hour}, Summary: "mute for 4 h"},
	{Request: action.Request{Kind: action.Mute}, Summary: "end the mute"},
}

var states = []action.State{
	action.Waiting, action.Ready, action.Running, action.Done, action.Failed, action.Changed, action.Denied, action.Expired, action.Withdrawn, action.Interrupted,
}

var steps = []action.Step{
	action.StepCheck, action.StepLogs, action.StepTerminate, action.StepDelete, action.StepDryRun, action.StepSync, action.StepFollow, action.StepRefresh, action.StepMute,
}

// asked is an action of dana's in a state, which erin may have decided on.
func asked(want action.Record, state action.State) *action.Record {
	r := want
	r.ID, r.App, r.By, r.At, r.State = "a-1", shop, dana, start.Add(3*time.Minute), state
	r.Approval = &action.Approval{From: action.Who{Groups: []string{"S0ONCALL"}, Users: []string{"U0ERIN"}}, Expires: start.Add(33 * time.Minute)}
	switch state {
	case action.Waiting, action.Expired, action.Withdrawn:
	case action.Denied:
		r.Approval.By, r.Approval.Reason = erin, "not during the sale"
	case action.Ready, action.Running, action.Done, action.Failed, action.Changed, action.Interrupted:
		r.Approval.By = erin
	}
	if state.Over() {
		r.Ended, r.Result = start.Add(5*time.Minute), results[state]
	}
	return &r
}

// free is one that needs nobody's approval.
func free(want action.Record, state action.State) *action.Record {
	r := asked(want, state)
	r.Approval = nil
	return r
}

var results = map[action.State]string{
	action.Done:        "It worked.",
	action.Failed:      "Argo CD refused it: permission denied.",
	action.Changed:     "Git is at 9c1e0d2 now, and 3f2a91c was confirmed. Ask again.",
	action.Denied:      "not during the sale",
	action.Expired:     "Nobody approved it within 30 min.",
	action.Withdrawn:   "Another sync has begun.",
	action.Interrupted: "Argo CD accepted it and then showed nothing of it; check there.",
}

func noteOf(r *action.Record) action.Note {
	n := action.Note{Number: 1, State: r.State, At: start, Text: r.Result}
	approved := r.Approval != nil && r.Approval.By.ID != ""
	switch {
	case r.State == action.Waiting, r.State == action.Ready && !approved:
		n.Text = r.Summary
	case r.State == action.Ready && r.Kind == action.Sync:
		n.Text = (&action.Plan{Request: r.Request, Revision: r.Revision, Moved: action.Moved{To: "9c1e0d2f0e1d2c3b4a5968778695a4b3c2d1e0f9"}}).Still()
	}
	return n
}

// taken checks that Slack would take a message.
func taken(t *testing.T, name string, m render.Message) {
	t.Helper()
	if err := blocks.Check(m.Blocks); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if err := blockkit.Message(raw(t, m)); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if m.Text == "" {
		t.Errorf("%s: there is nothing for the notification", name)
	}
}

// TestEveryActionInEveryStateHasItsWords writes down what the thread says, and what the root message says at that moment.
func TestEveryActionInEveryStateHasItsWords(t *testing.T) {
	var all strings.Builder
	line := func(name string, m render.Message) {
		taken(t, name, m)
		fmt.Fprintf(&all, "  %s\n", strings.ReplaceAll(seen(m), "\n", "\n    "))
	}
	for _, want := range wants {
		for _, state := range states {
			fmt.Fprintf(&all, "%s %s\n", want.Summary, state)
			r := asked(want, state)
			line(string(state), render.ActionNote(posted.NoteTo(audience.All(), r, noteOf(r)), key))
			if state == action.Ready || state == action.Done {
				r := free(want, state)
				line(string(state), render.ActionNote(posted.NoteTo(audience.All(), r, noteOf(r)), key))
			}
			fmt.Fprintf(&all, "  root: %s\n", rootLine(t, r))
		}
	}
	for _, step := range steps {
		r := free(wants[1], action.Running)
		if step == action.StepFollow || step == action.StepSync || step == action.StepDryRun {
			r = free(wants[3], action.Running)
		}
		r.Step = step
		fmt.Fprintf(&all, "step %s\n  root: %s\n", step, rootLine(t, r))
	}
	file := filepath.Join("testdata", "actions.txt")
	if *update {
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if all.String() != string(want) {
		t.Errorf("%s is not what is rendered now (go test ./internal/slack/render -update, and look at the difference):\n%s", file, all.String())
	}
}

// rootLine is what the root message says of an action.
func rootLine(t *testing.T, r *action.Record) string {
	t.Helper()
	i := failing(t, "hook-job-failed")
	without := strings.Split(seen(render.Root(posted.To(audience.All(), i), links, nobodyActs)), "\n")
	i.Actions = []*action.Record{r}
	var out []string
	for l := range strings.SplitSeq(seen(render.Root(posted.To(audience.All(), i), links, nobodyActs)), "\n") {
		if !slices.Contains(without, l) {
			out = append(out, l)
		}
	}
	return strings.Join(out, " / ")
}

// deleting is an incident about a failed hook in which people act.
func deleting(t *testing.T, actions ...*action.Record) *incident.Incident {
	t.Helper()
	i := failing(t, "hook-job-failed")
	i.Actions = actions
	return i
}

// actionMessages are the moments in which people act, by the name of their golden file.
func actionMessages(t *testing.T) map[string]render.Message {
	t.Helper()
	out := map[string]render.Message{}
	put := func(name string, i *incident.Incident) { out["incident/"+name] = root(i) }
	put("action-waits", deleting(t, asked(wants[1], action.Waiting)))
	running := free(wants[1], action.Running)
	running.Step = action.StepDelete
	put("action-runs", deleting(t, running))
	syncing := free(wants[3], action.Running)
	syncing.Step = action.StepFollow
	i := deleting(t, free(wants[1], action.Done), syncing)
	i.Progress = "syncing 3f2a91c: 4 of 6 resources applied, in wave 1 (of waves 0 to 2); PreSync hook Job/db-migrate running"
	put("action-follows", i)
	put("action-done", deleting(t, free(wants[0], action.Done), free(wants[1], action.Done)))
	put("action-failed", deleting(t, free(wants[3], action.Failed)))
	i = deleting(t, free(wants[5], action.Done))
	i.Muted = &incident.Mute{By: dana, Until: start.Add(4 * time.Hour)}
	put("muted", i)
	i = outage(t, 3, 0)
	i.Muted = &incident.Mute{By: dana, Until: start.Add(24 * time.Hour)}
	put("outage-muted", i)
	dryRun := recorded(t, "drift-hpa")
	dryRun.Context.DryRun = true
	out["report/after-dry-run"], _ = render.Report(posted.ReportTo(audience.All(), dryRun), links, acting(dryRun))

	acted := func(name string, r *action.Record, n action.Note) {
		out["acted/"+name] = render.ActionNote(posted.NoteTo(audience.All(), r, n), key)
	}
	for _, state := range states {
		r := asked(wants[3], state)
		acted("sync-"+strings.ToLower(string(state)), r, noteOf(r))
	}
	r := asked(wants[3], action.Waiting)
	r.Shown, r.Summary, r.Sync.Prune = grave, "sync 3f2a91c (2 pruned, 1 recreated, 1 changed)", true
	acted("sync-waiting-grave", r, noteOf(r))
	r = asked(wants[1], action.Waiting)
	r.App.Instance = "prod"
	acted("delete-waiting", r, noteOf(r))
	r = asked(wants[3], action.Denied)
	r.Approval.By = dana
	acted("sync-taken-back", r, noteOf(r))
	acted("delete-log", free(wants[1], action.Running), action.Note{
		Number: 2, State: action.Running, Step: action.StepLogs, From: "Job/db-migrate",
		Log: "migrating\n" + strings.Repeat("0001 \"orders\": ok\n", 900) + "dial tcp 10.0.1.45:5432: connect: connection refused",
	})
	acted("delete-no-log", free(wants[1], action.Running), action.Note{
		Number: 2, State: action.Running, Step: action.StepLogs, From: "Job/db-migrate", Text: "There is no log of Job/db-migrate to save: its pods are gone.",
	})
	return out
}

func TestEveryMomentOfAnActionLooksAsItShould(t *testing.T) {
	for name, m := range actionMessages(t) {
		t.Run(name, func(t *testing.T) {
			taken(t, name, m)
			golden(t, name+".json", m)
		})
	}
}

func TestALineOfHistoryIsThatOfItsNote(t *testing.T) {
	r := asked(wants[3], action.Waiting)
	n := noteOf(r)
	got := render.Reply(posted.Line(audience.All(), incident.Reply{Number: 4, Reason: incident.Acted, At: start, Action: r, Note: &n}), key)
	if want := render.ActionNote(posted.NoteTo(audience.All(), r, n), key); got.Digest() != want.Digest() {
		t.Errorf("got  %s\nwant %s", seen(got), seen(want))
	}
}

// TestWhoIsCalled: a thread that calls somebody at every line is left by everybody.
func TestWhoIsCalled(t *testing.T) {
	for _, c := range []struct {
		name string
		r    *action.Record
		want string
	}{
		{"those who may approve", asked(wants[3], action.Waiting), "<!subteam^S0ONCALL> <@U0ERIN>"},
		{"who asked, when it was approved", asked(wants[3], action.Ready), "<@U0DANA>"},
		{"who asked, when it was denied", asked(wants[3], action.Denied), "<@U0DANA>"},
		{"who asked, when nobody answered", asked(wants[3], action.Expired), "<@U0DANA>"},
		{"nobody, when it is done", asked(wants[3], action.Done), ""},
		{"nobody, where nobody has to agree", free(wants[3], action.Ready), ""},
	} {
		var called []string
		text := seen(render.ActionNote(posted.NoteTo(audience.All(), c.r, noteOf(c.r)), key))
		for word := range strings.FieldsSeq(strings.NewReplacer(",", " ", "\n", " ").Replace(text)) {
			if strings.HasPrefix(word, "<") {
				called = append(called, word)
			}
		}
		if got := strings.Join(called, " "); got != c.want {
			t.Errorf("%s: %q, want %q, in %s", c.name, got, c.want, text)
		}
	}
}
