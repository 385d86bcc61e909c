package render

import (
	"fmt"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/clean"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/phrase"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/press"
)

// The ids of what can be pressed. Buttons carry a signed press.Value; the menu carries how long ("4h", see time.ParseDuration;
// UnmuteValue ends it), for the thread says of which incident.
const (
	// ActPrefix is followed by a action.Kind.
	ActPrefix   = "argo_why_act_"
	MuteID      = "argo_why_mute"
	ApproveID   = "argo_why_approve"
	DenyID      = "argo_why_deny"
	UnmuteValue = "0"

	openInArgoCD = "open-in-argocd"
)

// controls are what a person can do from the root message about an application: what its report offers and nobody has asked
// for yet, mute, look. r is nil where there is none, i for an answer that belongs to no incident, and app is empty for an
// outage.
//
// No button is red, and none stands out: a press does not act yet, it shows what would happen.
func (l Links) controls(app diagnose.AppName, r *diagnose.Report, i *incident.Incident) blocks.Block {
	var list []blocks.Control
	if r != nil && l.Offers != nil && len(l.Key) > 0 {
		for _, a := range l.Offers(r) {
			if !underWay(i, action.Kind(a.ID)) {
				list = append(list, l.offer(r.App, a))
			}
		}
	}
	name := ""
	if i != nil && len(l.Key) > 0 {
		list = append(list, muteMenu(i))
		name = rowName(i)
	}
	list = append(list, blocks.Button{ID: openInArgoCD, Text: "Open in Argo CD", URL: l.App(app)})
	return blocks.Controls(name, list...)
}

// offer is the button of an action. Of two of a kind (two failed hooks) the first is shown: with it gone the next is offered.
func (l Links) offer(app diagnose.AppName, a diagnose.Action) blocks.Button {
	return blocks.Button{
		ID: ActPrefix + a.ID, Text: clean.Text(phrase.OneLine(a.Label)),
		Value: l.Key.Encode(press.Value{Do: a.ID, App: app, Target: a.Target}),
	}
}

// underWay reports whether somebody has asked for that already.
func underWay(i *incident.Incident, kind action.Kind) bool {
	return i != nil && slices.ContainsFunc(i.Actions, func(r *action.Record) bool { return r.Kind == kind && !r.State.Over() })
}

func muteMenu(i *incident.Incident) blocks.Menu {
	m := blocks.Menu{ID: MuteID, Text: "Mute", Options: []blocks.Option{{Text: "1 hour", Value: "1h"}, {Text: "4 hours", Value: "4h"}, {Text: "24 hours", Value: "24h"}}}
	if i.Muted != nil {
		m.Text = "Muted"
		m.Options = append(m.Options, blocks.Option{Text: "Unmute", Value: UnmuteValue})
	}
	return m
}

// rowName changes with what the menu does: Slack goes on showing what was chosen in a menu, and a choice that is shown
// cannot be made again.
func rowName(i *incident.Incident) string {
	var until time.Time
	if i.Muted != nil {
		until = i.Muted.Until
	}
	if until.IsZero() {
		return fmt.Sprintf("controls-%d", mutes(i))
	}
	return fmt.Sprintf("controls-muted-%d", until.Unix())
}

// mutes is how often it was muted so far.
func mutes(i *incident.Incident) int {
	n := 0
	for _, r := range i.Actions {
		if r.Kind == action.Mute {
			n++
		}
	}
	return n
}
