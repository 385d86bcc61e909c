package dialog_test

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
	"unicode/utf8"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/workspace/blockkit"
)

var update = flag.Bool("update", false, "write the golden files anew")

var (
	payments = action.App{Instance: "prod", Namespace: "argocd", Name: "payments-api"}
	oncall   = &action.Who{Users: []string{"U2", "U1"}, Groups: []string{"S1"}}
	began    = time.Date(2026, 11, 21, 2, 51, 0, 0, time.UTC)
)

func ref(kind, name string) evidence.Ref {
	return evidence.Ref{Kind: kind, Namespace: "payments", Name: name}
}

func syncPlan() *action.Plan {
	return &action.Plan{
		Request: action.Request{Kind: action.Sync, App: payments}, Project: "payments", Fingerprint: "p1",
		Revision: "3f2a91c0d7a5c0ffee3f2a91c0d7a5c0ffee3f2a", Verdict: diagnose.SyncSafe, Reason: "the database is reachable again",
		Changes: []action.Change{
			{Ref: ref("Deployment", "web"), Effect: action.Changes, Fields: []string{"spec.replicas", "spec.template.spec.containers[name=web].image"}},
			{Ref: ref("ConfigMap", "ledger"), Effect: action.Created},
			{Ref: ref("Service", "old"), Effect: action.Kept, Fields: []string{action.PruneOff}},
			{Ref: ref("PersistentVolumeClaim", "data"), Effect: action.Kept, HoldsData: true, Fields: []string{action.PruneOff}},
			{Ref: ref("Secret", "keep"), Effect: action.Kept, HoldsData: true, Fields: []string{"Prune=false"}},
			{Ref: ref("StatefulSet", "db"), Effect: action.Recreated, HoldsData: true, Fields: []string{"spec.serviceName"}},
		},
		Hooks:   []action.Hook{{Ref: ref("Job", "db-migrate"), Phase: "PreSync", Wave: -1}},
		Ignored: []string{"Deployment/web: spec.template.metadata.annotations"},
		Notes:   []string{"Auto-sync is off"},
	}
}

// large has more of everything than fits, and names as long as Kubernetes allows.
func large() *action.Plan {
	p := syncPlan()
	p.Changes, p.Hooks, p.Ignored, p.Notes = nil, nil, nil, nil
	long := strings.Repeat("n", 240)
	for i := range 150 {
		effect := []action.Effect{action.Kept, action.Created, action.Changes, action.Recreated, action.Replaced}[i%5]
		var why []string
		if effect == action.Kept {
			why = []string{action.PruneOff}
		}
		p.Changes = append(p.Changes, action.Change{Ref: ref("Deployment", fmt.Sprintf("%s-%03d", long, i)), Effect: effect, Fields: why})
		p.Changes = append(p.Changes, action.Change{Ref: ref("PersistentVolumeClaim", fmt.Sprintf("%s-%03d", long, i)), Effect: effect, Fields: why, HoldsData: true})
		p.Hooks = append(p.Hooks, action.Hook{Ref: ref("Job", fmt.Sprintf("%s-%03d", long, i)), Phase: "Sync"})
		p.Ignored, p.Notes = append(p.Ignored, fmt.Sprintf("%s-%d", long, i)), append(p.Notes, fmt.Sprintf("note %d", i))
	}
	return p
}

func hostile() *action.Plan {
	const bad = "<!channel> *bold* `code` <https://evil.example|click> \x1b[31m\u202e:tada:"
	p := syncPlan()
	p.App.Name, p.Project, p.Revision, p.Reason, p.Notes, p.Ignored = bad, bad, bad, bad, []string{bad}, []string{bad}
	p.Changes = []action.Change{{Ref: evidence.Ref{Kind: bad, Namespace: bad, Name: bad}, Effect: action.Kept, Fields: []string{action.PruneOff}}}
	p.Hooks = []action.Hook{{Ref: evidence.Ref{Kind: "Job", Name: bad}, Phase: bad}}
	return p
}

func deletePlan() *action.Plan {
	job := evidence.Ref{Group: "batch", Kind: "Job", Namespace: "payments", Name: "db-migrate"}
	return &action.Plan{
		Request: action.Request{Kind: action.DeleteHookJob, App: payments, Target: job}, Project: "payments", Fingerprint: "p1",
		Job: &action.Job{Ref: job, UID: "6f1c0a52-0000-4000-8000-00000000beef", Hook: "PreSync", Finished: "Failed"},
		Why: "its delete policy keeps it, and the next sync stops at it", Steps: []string{"Delete Job db-migrate"},
	}
}

// prunePlan is syncPlan with Prune ticked, as its approver sees it, and harmlessPlan one that loses nothing.
func prunePlan() *action.Plan {
	p := syncPlan()
	p.Sync.Prune, p.Destination = true, evidence.Destination{Name: "eu-1", Namespace: "payments"}
	p.Verdict, p.Reason = diagnose.SyncDestructive, "deletes PersistentVolumeClaim/data and the data in it"
	for i, c := range p.Changes {
		if slices.Equal(c.Fields, []string{action.PruneOff}) {
			p.Changes[i].Effect, p.Changes[i].Fields = action.Pruned, nil
		}
	}
	return p
}

func harmlessPlan() *action.Plan {
	p := syncPlan()
	p.Changes = p.Changes[:2]
	return p
}

// requestOf is dana's request of a plan, half a minute before the sync that is stuck elsewhere began.
func requestOf(p *action.Plan) *action.Record {
	return &action.Record{
		Request: p.Request, By: action.Person{ID: "U1", Name: "dana"}, At: began.Add(-30 * time.Second), State: action.Waiting,
		Summary: "sync 3f2a91c (1 created, 1 changed)", Fingerprint: p.Fingerprint, Revision: p.Revision, UID: uid(p), Operation: p.Operation, Shown: p.Shown(),
	}
}

func uid(p *action.Plan) string {
	if p.Job == nil {
		return ""
	}
	return p.Job.UID
}

func changed(p *action.Plan, edit func(*action.Plan)) *action.Plan {
	edit(p)
	return p
}

func views() map[string]*dialog.View {
	key := button.NewKey("secret")
	long := strings.Repeat("n", 253)
	metadata := key.Encode(dialog.Confirm, button.Value{
		Do: "sync", App: action.App{Instance: long[:63], Namespace: long[:63], Name: long}, Fingerprint: long[:64],
		Target: evidence.Ref{Group: "batch", Kind: "Job", Namespace: long[:63], Name: long},
		Place:  action.Place{Incident: long[:63], Channel: "C0123456789", Thread: "1700000000.000100"},
	})
	confirm := dialog.Options{Metadata: metadata}
	first := deletePlan()
	first.Steps = []string{"Terminate the sync that started at 02:51", "Delete Job db-migrate"}
	first.Needs = []action.Kind{action.Terminate}
	stuck := &action.Plan{
		Request: action.Request{Kind: action.Terminate, App: payments}, Operation: began, Fingerprint: "p1",
		Why: "it waits for hook Job/db-migrate, whose pod cannot be scheduled", Steps: []string{"Terminate the sync that started at 02:51"},
	}
	waiting := &action.Record{
		Request: action.Request{Kind: action.Sync, App: payments}, State: action.Waiting, Summary: "sync 3f2a91c (1 created, 1 changed)",
		Approval: &action.Approval{From: *oncall, Expires: began.Add(30 * time.Minute)},
	}
	refresh := &action.Plan{Request: action.Request{Kind: action.HardRefresh, App: payments}, Project: "payments"}
	fixed := changed(harmlessPlan(), func(p *action.Plan) { p.Confirm, p.Sync.Confirmed = "the cause is fixed", true })
	ready := &action.Record{Request: action.Request{Kind: action.Sync, App: payments}, State: action.Ready, Summary: "sync 3f2a91c"}
	return map[string]*dialog.View{
		"sync": dialog.Plan(planned(syncPlan()), confirm),
		"sync-pointless": dialog.Plan(planned(changed(syncPlan(), func(p *action.Plan) {
			p.Verdict, p.Reason, p.Confirm = diagnose.SyncPointless, "the hook will fail again until its cause is fixed", "the cause is fixed"
		})), confirm),
		"sync-approval":    dialog.Plan(planned(changed(syncPlan(), func(p *action.Plan) { p.Approval = oncall })), confirm),
		"sync-changed":     dialog.Plan(planned(syncPlan()), dialog.Options{Metadata: metadata, Changed: "the revision was 9c1e0d2, and is 3f2a91c"}),
		"sync-refused":     dialog.Plan(planned(changed(syncPlan(), func(p *action.Plan) { p.RefusedBecause = "a sync window forbids it until 06:00" })), confirm),
		"sync-nothing":     dialog.Plan(planned(changed(syncPlan(), func(p *action.Plan) { p.Changes, p.Hooks = nil, nil })), confirm),
		"sync-large":       dialog.Plan(planned(large()), confirm),
		"sync-hostile":     dialog.Plan(planned(hostile()), confirm),
		"delete":           dialog.Plan(planned(deletePlan()), confirm),
		"delete-terminate": dialog.Plan(planned(first), confirm),
		"terminate":        dialog.Plan(planned(stuck), confirm),
		"deny":             dialog.Deny(payments, metadata),
		"approve":          dialog.Approve(recorded(requestOf(prunePlan())), planned(prunePlan()), confirm),
		"approve-harmless": dialog.Approve(recorded(requestOf(harmlessPlan())), planned(harmlessPlan()), confirm),
		"approve-since":    dialog.Approve(recorded(requestOf(harmlessPlan())), planned(changed(prunePlan(), func(p *action.Plan) { p.Revision = "9c1e0d2" })), confirm),
		"approve-fixed":    dialog.Approve(recorded(requestOf(fixed)), planned(fixed), confirm),
		"approve-delete":   dialog.Approve(recorded(requestOf(deletePlan())), planned(deletePlan()), confirm),
		"approve-large":    dialog.Approve(recorded(requestOf(large())), planned(large()), confirm),
		"approve-hostile":  dialog.Approve(recorded(requestOf(hostile())), planned(hostile()), confirm),
		"approve-refresh":  dialog.Approve(recorded(requestOf(refresh)), planned(refresh), confirm),
		"approved":         dialog.Approved(recorded(requestOf(prunePlan())), "https://acme.slack.com/archives/C1/p1"),
		"withdrawn":        dialog.Withdrawn(recorded(requestOf(harmlessPlan())), []string{"Now deleted: ConfigMap/old."}, planned(prunePlan()), dialog.Options{}),
		"withdrawn-own":    dialog.Withdrawn(recorded(requestOf(harmlessPlan())), []string{"Now deleted: ConfigMap/old."}, planned(prunePlan()), confirm),
		"looking":          dialog.Looking(action.Sync, payments),
		"working":          dialog.Working(action.Sync, payments),
		"started":          dialog.Started(recorded(ready), "https://acme.slack.com/archives/C1/p1"),
		"waiting":          dialog.Started(recorded(waiting), "https://acme.slack.com/archives/C1/p1"),
		"refused":          dialog.Refused(action.Sync, "the policy does not allow you to sync in project payments", *oncall),
		"nobody-could":     dialog.Refused(action.Sync, "no one can sync in project payments", action.Who{}),
	}
}

func TestEveryModalLooksAsItShouldAndIsTakenBySlack(t *testing.T) {
	for name, v := range views() {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			if err := e.Encode(v); err != nil {
				t.Fatal(err)
			}
			if err := blockkit.View(b.Bytes()); err != nil {
				t.Error(err)
			}
			file := filepath.Join("testdata", name+".json")
			if *update {
				if err := os.MkdirAll("testdata", 0o755); err != nil {
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
				t.Errorf("%s is not what is rendered now (go test ./internal/slack/dialog -update, and look at the difference):\n%s", file, b.String())
			}
		})
	}
}

func text(t *testing.T, v *dialog.View) string {
	t.Helper()
	raw, err := json.Marshal(v.Blocks)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestWhatHoldsDataIsNamedFirst(t *testing.T) {
	got := text(t, dialog.Plan(planned(syncPlan()), dialog.Options{}))
	for _, order := range [][2]string{
		{"PersistentVolumeClaim/data in payments", "Service/old in payments"},
		{"StatefulSet/db in payments", "Deployment/web in payments"},
		{"PersistentVolumeClaim/data, Service/old", "Dry run only"},
	} {
		first, second := strings.Index(got, order[0]), strings.Index(got, order[1])
		if first < 0 || second < 0 || first > second {
			t.Errorf("%q is not before %q in\n%s", order[0], order[1], got)
		}
	}
	for _, part := range []string{"2 prunable, 1 recreated, 1 changed, 1 created, 1 kept", "Prune: delete 2 resources removed from Git", "Prune=false"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q", part)
		}
	}
	if strings.Contains(got, "initial_options") {
		t.Error("something is ticked")
	}
}

func TestWhatIsCutSaysHowMuch(t *testing.T) {
	got := text(t, dialog.Plan(planned(large()), dialog.Options{}))
	for _, part := range []string{"60 prunable, 60 recreated, 60 replaced, 60 changed, 60 created", "… and 50 more", "Only the first 100 of 300 are listed"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q", part)
		}
	}
}

func TestARefusedPlanCannotBeSubmitted(t *testing.T) {
	v := views()["sync-refused"]
	if v.Submit != nil || v.CallbackID != "" || v.PrivateMetadata != "" || strings.Contains(text(t, v), `"input"`) {
		t.Errorf("%+v", v)
	}
}

// state is what Slack gives back of a view in which these were chosen.
func state(t *testing.T, v *dialog.View, chosen map[string][]string) *slack.ViewState {
	t.Helper()
	s := &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	for id, values := range chosen {
		var block string
		for _, b := range v.Blocks.BlockSet {
			if strings.HasPrefix(b.ID(), id+" ") {
				block = b.ID()
			}
		}
		if block == "" {
			t.Fatalf("there is no input %s", id)
		}
		var a slack.BlockAction
		for _, value := range values {
			a.SelectedOptions = append(a.SelectedOptions, slack.OptionBlockObject{Value: value})
		}
		s.Values[block] = map[string]slack.BlockAction{id: a}
	}
	return s
}

// offered are the values of the resources in a view.
func offered(t *testing.T, v *dialog.View) []string {
	t.Helper()
	for _, b := range v.Blocks.BlockSet {
		if in, ok := b.(*slack.InputBlock); ok && strings.HasPrefix(in.BlockID, dialog.InputResources+" ") {
			menu, ok := in.Element.(*slack.MultiSelectBlockElement)
			if !ok {
				t.Fatalf("%T", in.Element)
			}
			var out []string
			for _, o := range menu.Options {
				out = append(out, o.Value)
			}
			return out
		}
	}
	t.Fatal("nothing is offered")
	return nil
}

func TestWhatWasChosenComesBack(t *testing.T) {
	p := syncPlan()
	v := dialog.Plan(planned(p), dialog.Options{})
	values := offered(t, v)
	if len(values) != 5 { // all but what may not be pruned
		t.Fatalf("%q", values)
	}
	got, ok := dialog.Chosen(planned(p), state(t, v, map[string][]string{dialog.InputPrune: {"yes"}, dialog.InputResources: {values[1], values[3]}}))
	want := []evidence.Ref{ref("Service", "old"), ref("Deployment", "web")}
	if !ok || !got.Prune || got.DryRun || !slices.Equal(got.Resources, want) {
		t.Errorf("%+v %v", got, ok)
	}
	if got, ok := dialog.Chosen(planned(p), nil); !ok || got.Prune || got.DryRun || got.Resources != nil {
		t.Errorf("nothing: %+v %v", got, ok)
	}
	for _, edited := range []string{"", "0", "99 " + values[0][2:], "1" + values[0][1:], "-1 x"} {
		if _, ok := dialog.Chosen(planned(p), state(t, v, map[string][]string{dialog.InputResources: {edited}})); ok {
			t.Errorf("%q was taken", edited)
		}
	}
}

func TestNoTextFromOutsideIsMarkup(t *testing.T) {
	v := dialog.Plan(planned(hostile()), dialog.Options{})
	got := text(t, v)
	for _, forbidden := range []string{`"mrkdwn"`, `"broadcast"`, `"url"`, "\u202e", `\u001b`, `"emoji":true`} {
		if strings.Contains(got, forbidden) {
			t.Errorf("%s in\n%s", forbidden, got)
		}
	}
	if !utf8.ValidString(got) {
		t.Error("not UTF-8")
	}
}

func TestAnotherPlanHasOtherInputs(t *testing.T) {
	first := dialog.Plan(planned(syncPlan()), dialog.Options{})
	second := dialog.Plan(planned(changed(syncPlan(), func(p *action.Plan) { p.Fingerprint = "p2" })), dialog.Options{})
	for _, a := range first.Blocks.BlockSet {
		for _, b := range second.Blocks.BlockSet {
			if a.ID() != "" && a.ID() == b.ID() {
				t.Errorf("a client keeps what was ticked in %s", a.ID())
			}
		}
	}
}
