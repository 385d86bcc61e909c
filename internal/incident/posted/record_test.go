package posted_test

import (
	"context"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
)

// places has a channel of those who see the project shop.
var places = audience.Places{
	Policy:   audience.NewPolicy([]audience.Rule{{Projects: []string{"shop"}}}, nil, nil),
	Channels: channels{}, Project: project,
	Text: func(_ context.Context, who audience.Audience, about incident.App, text string) string {
		if about != shop || who.SeesApp(vault) {
			return text
		}
		return strings.ReplaceAll(text, "vault-core", evidence.Private)
	},
}

type channels struct{}

func (channels) Channel(_ context.Context, c string) (audience.Channel, error) {
	return audience.Channel{ID: c, Name: c}, nil
}

func TestWhatBecameOfAnActionIsToldWithoutPrivateNames(t *testing.T) {
	const text = "The sync failed. Application/vault-core is invalid"
	note := action.Note{State: action.Failed, Text: text, Log: text}
	r := &action.Record{
		ID: "r", Request: action.Request{Kind: action.Sync, App: shop}, State: action.Failed, Result: text, Approval: &action.Approval{Reason: text}, Notes: []action.Note{note},
		Shown: &action.Shown{Reason: text, Changes: []action.Change{{Ref: argo("Application", "vault-core")}, {Ref: argo("AppProject", "vault")}}},
	}
	before := shown(t, r)
	who := places.InChannel(t.Context(), "ops")
	line := posted.Line(who, incident.Reply{Reason: incident.Acted, Action: r, Note: &note}).View()
	to := posted.NoteTo(who, r, note)
	for where, got := range map[string]string{
		"record": shown(t, posted.RecordTo(who, r).View()), "note": shown(t, to.Line()) + shown(t, to.View()), "history": shown(t, line.Note) + shown(t, line.Action),
		"root": shown(t, posted.To(who, &incident.Incident{Actions: []*action.Record{r}}).View()),
	} {
		if strings.Contains(got, "vault") || !strings.Contains(got, "The sync failed. Application/(private)") {
			t.Errorf("%s: %s", where, got)
		}
	}
	if posted.RecordTo(who, r).View().Shown.More != 2 {
		t.Error("a change that is not shown is not counted")
	}
	if after := shown(t, r); after != before {
		t.Error("the record was changed")
	}
}
