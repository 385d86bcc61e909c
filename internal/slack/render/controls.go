package render

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/text"
)

// The ids of what can be clicked. Buttons carry a signed button.Value; the menu carries how long ("4h", see time.ParseDuration;
// UnmuteValue ends it), for the thread says of which incident.
const (
	// ActPrefix is followed by an action.Kind.
	ActPrefix   = "argo_why_act_"
	MuteID      = "argo_why_mute"
	ApproveID   = "argo_why_approve"
	DenyID      = "argo_why_deny"
	UnmuteValue = "0"

	openInArgoCD = "open-in-argocd"
)

// Controls are what people can do from a message. The caller determines the offers first: they depend
// on rights and policy, which change, and rendering has no access to either.
type Controls struct {
	// Offers are the actions of the report that somebody may do, and that the bot can.
	Offers []diagnose.Action
	// Key signs what buttons carry, for the channel that they are shown in. Without one there are none that act.
	Key button.Key
}

// Offering is the report whose actions the root message of an incident offers: the one to ask for offers. It is nil where
// there are none: for an outage, which has no actions in common, and for what no longer fails here.
func Offering(i *incident.Incident) *diagnose.Report {
	if i.Phase == incident.Recovered || i.Phase == incident.Joined || i.Outage() {
		return nil
	}
	return i.Report
}

// row are the controls of a root message: what is offered about the application and nobody has requested yet, mute, open
// its page. i is nil for an answer that belongs to no incident; an outage has neither application nor page.
//
// A click shows first what would happen, and asks again. What deletes something is red all the same, so that nobody takes it for
// one of the others: deleting a Job, and a sync of which sync, the advice of the report, says that it deletes. It names what that is.
func (c Controls) row(app diagnose.AppName, page string, sync diagnose.Sync, i *incident.Incident) blocks.Block {
	var list []blocks.Control
	if !c.Key.IsZero() {
		for _, a := range c.Offers {
			if !underWay(i, action.Kind(a.ID)) {
				list = append(list, c.offer(app, a, sync, i))
			}
		}
	}
	name := ""
	if i != nil && !c.Key.IsZero() {
		list = append(list, muteMenu(i))
		name = rowName(i)
	}
	list = append(list, blocks.Button{ID: openInArgoCD, Text: "Open in Argo CD", URL: page})
	return blocks.Controls(name, list...)
}

// offer is the button of an action. Of two of a kind (two failed hooks) the first is shown: with it gone the next is offered.
func (c Controls) offer(app diagnose.AppName, a diagnose.Action, sync diagnose.Sync, i *incident.Incident) blocks.Button {
	label := text.OneLine(a.Label)
	deletes := a.ID == diagnose.ActionDeleteHookJob
	if deletes && a.Target.Name != "" && !strings.Contains(label, a.Target.Name) {
		label = "Delete " + a.Target.Kind + " " + a.Target.Name
	}
	destroys := a.ID == diagnose.ActionSync && sync.Verdict == diagnose.SyncDestructive
	if names := sync.Deletes(); destroys && len(names) > 0 {
		label = "Sync (can delete " + counted(names) + ")…"
	}
	v := button.Value{Do: a.ID, App: app, Target: a.Target}
	if i != nil {
		v.Place.Incident = i.PostedID()
	}
	id := ActPrefix + a.ID
	return blocks.Button{ID: id, Text: label, Value: c.Key.Encode(id, v), Danger: deletes || destroys}
}

// counted is the first of some names, and how many others there are, short enough for a button.
func counted(names []string) string {
	if len(names) == 1 {
		return ShortLine(names[0], maxDeleted)
	}
	return ShortLine(names[0], maxDeleted) + " and " + text.More(len(names)-1)
}

// maxDeleted leaves room for the rest on a button, of which Slack takes 75 letters.
const maxDeleted = 40

// underWay reports whether somebody has requested that already.
func underWay(i *incident.Incident, kind action.Kind) bool {
	return i != nil && slices.ContainsFunc(i.Actions, func(r *action.Record) bool { return r.Kind == kind && !r.State.Over() })
}

func muteMenu(i *incident.Incident) blocks.Menu {
	m := blocks.Menu{ID: MuteID, Text: "Mute", Options: []blocks.Option{{Text: "1 hour", Value: "1h"}, {Text: "4 hours", Value: "4h"}, {Text: "24 hours", Value: "24h"}}}
	if i.Silenced() != nil {
		m.Text = "Muted"
		m.Options = append(m.Options, unmute)
	}
	return m
}

// unmute is all that there is to choose of what is over and muted still.
var unmute = blocks.Option{Text: "Unmute", Value: UnmuteValue}

// rowName changes with what the menu does: Slack keeps showing what was chosen in a menu, and a choice that is shown
// cannot be made again.
func rowName(i *incident.Incident) string {
	var until time.Time
	if mute := i.Silenced(); mute != nil {
		until = mute.Until
	}
	if until.IsZero() {
		return fmt.Sprintf("controls-%d", muteCount(i))
	}
	return fmt.Sprintf("controls-muted-%d", until.Unix())
}

// muteCount is how often it was muted so far.
func muteCount(i *incident.Incident) int {
	n := 0
	for _, r := range i.Actions {
		if r.Kind == action.Mute {
			n++
		}
	}
	return n
}
