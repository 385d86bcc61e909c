package render_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/render"
)

func TestAButtonCarriesWhatItIsAbout(t *testing.T) {
	i := deleting(t)
	buttons := map[string]button.Value{}
	for _, e := range elements(t, root(i)) {
		if v, ok := e["value"].(string); ok {
			value, err := key.Decode(fmt.Sprint(e["action_id"]), v)
			if err != nil {
				t.Fatal(err)
			}
			buttons[fmt.Sprint(e["action_id"])] = value
		}
	}
	app := i.Members[0].App
	for id, want := range map[string]button.Value{
		render.ActPrefix + "delete-hook-job": {Do: "delete-hook-job", App: app, Target: i.Report.Actions[0].Target, Place: action.Place{Incident: i.ID}},
		render.ActPrefix + "sync":            {Do: "sync", App: app, Place: action.Place{Incident: i.ID}},
	} {
		if buttons[id] != want {
			t.Errorf("%s: %+v, want %+v", id, buttons[id], want)
		}
	}
	r := asked(wants[3], action.Waiting)
	for _, e := range elements(t, render.ActionNote(posted.NoteTo(audience.All(), r, noteOf(r)), key)) {
		value, err := key.Decode(fmt.Sprint(e["action_id"]), fmt.Sprint(e["value"]))
		if err != nil || value.Record != "a-1" || value.App != shop || "argo_why_"+value.Do != e["action_id"] {
			t.Errorf("%v: %+v, %v", e["action_id"], value, err)
		}
	}
}

// elements are what can be used in a message.
func elements(t *testing.T, m render.Message) []map[string]any {
	t.Helper()
	var out []map[string]any
	for _, b := range decoded(t, m) {
		list, _ := b["elements"].([]any)
		for _, e := range list {
			if e, ok := e.(map[string]any); ok && e["action_id"] != nil {
				out = append(out, e)
			}
		}
	}
	return out
}

func ids(t *testing.T, m render.Message) string {
	t.Helper()
	var out []string
	for _, e := range elements(t, m) {
		out = append(out, fmt.Sprint(e["action_id"]))
	}
	return strings.Join(out, " ")
}

func TestWhatSomebodyAskedForHasNoButtonAnyMore(t *testing.T) {
	const all = "argo_why_act_delete-hook-job argo_why_act_sync argo_why_mute open-in-argocd"
	if got := ids(t, root(deleting(t))); got != all {
		t.Errorf("%s", got)
	}
	for _, state := range []action.State{action.Waiting, action.Ready, action.Running} {
		if got := ids(t, root(deleting(t, asked(wants[1], state)))); got != "argo_why_act_sync argo_why_mute open-in-argocd" {
			t.Errorf("%s: %s", state, got)
		}
	}
	if got := ids(t, root(deleting(t, asked(wants[1], action.Done)))); got != all {
		t.Errorf("after it was done: %s", got)
	}
}

func TestNobodyActsWithoutAKeyOrAnOffer(t *testing.T) {
	r := recorded(t, "hook-job-failed")
	for name, c := range map[string]render.Controls{"no key": {Offers: acting(r).Offers}, "no offers": {Key: key}} {
		root, _ := render.Report(posted.ReportTo(audience.All(), r), links, c)
		if got := ids(t, root); got != "open-in-argocd" {
			t.Errorf("%s: %s", name, got)
		}
	}
	request := asked(wants[3], action.Waiting)
	if got := ids(t, render.ActionNote(posted.NoteTo(audience.All(), request, noteOf(request)), button.Key{})); got != "" {
		t.Errorf("approved without a key: %s", got)
	}
	for _, phase := range []incident.Phase{incident.Recovered, incident.Joined} {
		i := deleting(t)
		i.Phase = phase
		if got := ids(t, root(i)); got != "open-in-argocd" {
			t.Errorf("%s: %s", phase, got)
		}
	}
	if got := ids(t, root(outage(t, 3, 0))); got != "argo_why_mute" {
		t.Errorf("outage: %s", got)
	}
}

func TestTheMenuForgetsWhatWasChosen(t *testing.T) {
	names := map[any]bool{}
	i := deleting(t)
	name := func() {
		for _, b := range decoded(t, root(i)) {
			if b["type"] == "actions" {
				names[b["block_id"]] = true
			}
		}
	}
	name()
	i.Muted = &incident.Mute{By: dana, Until: start.Add(time.Hour)}
	name()
	i.Muted = &incident.Mute{By: dana, Until: start.Add(4 * time.Hour)}
	name()
	i.Muted, i.Actions = nil, []*action.Record{free(wants[5], action.Done)}
	name()
	if len(names) != 4 {
		t.Errorf("rows %v", names)
	}
}

// TestWhatDeletesIsRed: the button of a Job names the Job, and a sync is red where the advice says that it deletes something.
func TestWhatDeletesIsRed(t *testing.T) {
	styles := func(i *incident.Incident) string {
		var out []string
		for _, e := range elements(t, root(i)) {
			if e["style"] != nil {
				label, _ := e["text"].(map[string]any)
				out = append(out, fmt.Sprint(e["style"], " ", label["text"]))
			}
		}
		return strings.Join(out, ", ")
	}
	i := deleting(t)
	i.Report.Actions[0].Label = "Delete failed Job"
	i.Report.Actions[0].Target = job
	if got := styles(i); got != "danger Delete Job db-migrate" {
		t.Errorf("%q", got)
	}
	i.Report.Sync.Verdict = diagnose.SyncDestructive
	if got := styles(i); got != "danger Delete Job db-migrate, danger Sync…" {
		t.Errorf("%q", got)
	}
	i.Report.Sync.Affects = []string{"ConfigMap/a: changed", "PersistentVolumeClaim/data: deleted, if prune is on; it contains data", "StatefulSet/db: deleted and recreated (Force=true)"}
	if got := styles(i); got != "danger Delete Job db-migrate, danger Sync (can delete PersistentVolumeClaim/data and 1 more)…" {
		t.Errorf("%q", got)
	}
}
