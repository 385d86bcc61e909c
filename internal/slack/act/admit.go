package act

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// maxClickAge is how old a click may be. Slack delivers within seconds; a payload that somebody kept is older.
const maxClickAge = time.Minute

// rejected is a click that is not done, and what the person is told.
type rejected struct {
	outcome string
	message *render.Message
	// why stands in the log.
	why string
}

func reject(outcome, text, why string) *rejected { return &rejected{outcome, render.Text(text), why} }

// believable looks at the payload alone.
func believable(c *click) *rejected {
	switch {
	case c.foreign:
		return reject(outcomeForeign, request.MembersOnly, "from another workspace")
	case c.forged != "":
		return reject(outcomeForged, "This button was not created by this bot for this message. Nothing was done. Ask me about the application for buttons that work.", c.forged)
	case c.age > maxClickAge || c.age < -maxClickAge:
		return reject(outcomeReplayed, "That click arrived too late. Nothing was done. Try again.", fmt.Sprintf("pressed %s ago", c.age.Round(time.Second)))
	case c.ephemeral:
		return reject(outcomeNowhere, fmt.Sprintf("Nothing was done: every action is reported in its thread for everyone to see, and I can't post here. Type `/invite %s`, then ask again.", c.Self.Mention()), "a message for one person")
	}
	return nil
}

// admission decides who can have clicked what, and where.
type admission struct {
	people  *people.Directory
	apps    apps.Directory
	places  *audience.Places
	viewer  apps.Viewer
	actions Actions
	members *members
	log     *slog.Logger
}

// admit asks whether this person can have clicked this here. What it cannot find out it refuses. The incident is the one in
// whose thread it is, nil for none.
func (a admission) admit(ctx context.Context, c *click) (*incident.Incident, *rejected, error) {
	if no := a.known(ctx, c); no != nil {
		return nil, no, nil
	}
	i, err := a.apps.IncidentByThread(ctx, c.place.Channel, c.place.Thread)
	if err != nil {
		return nil, nil, fmt.Errorf("find the incident of the thread: %w", err)
	}
	switch {
	case c.kind() == action.Mute && i == nil:
		return nil, reject(outcomeGone, "This thread no longer has an incident, so there is nothing to mute.", "no incident"), nil
	case c.kind() == action.Mute && i.Phase != incident.Open && !(i.Phase == incident.Recovered && c.muteFor == 0): // else the outage that it has joined would be muted
		return nil, reject(outcomeGone, "The incident in this thread is over or continues in another thread, so there is nothing to mute here.", "the incident is not open"), nil
	case c.value.Place.Incident != "" && i == nil && !c.submitted && c.value.Do != button.Open: // which says it of a list
		return nil, reject(outcomeGone, "This thread no longer has an incident. Nothing was done. Ask me about the application for buttons that work.", "no incident"), nil
	case !c.submitted && i != nil && !belongs(c, i):
		return nil, reject(outcomeForged, "This button does not belong to this message. Nothing was done.", "it was made for another incident or another message of it"), nil
	}
	if i != nil {
		c.place.Incident = i.ID
	}
	in, err := a.members.in(ctx, c.place.Channel, c.person.ID)
	if err != nil {
		a.log.Warn("members of a channel not read", "question", c.ID, "channel", c.place.Channel, "error", err)
		text := "Slack could not confirm that you are in this channel, so nothing was done. Try again in a moment."
		if no, ok := errors.AsType[slack.SlackErrorResponse](err); ok && no.Err == "missing_scope" { // of a group conversation
			text = "I can't see who is in this conversation, so nothing was done. Try it in a channel that I am a member of."
		}
		return nil, reject(outcomeUnchecked, text, "the members of the channel are unknown"), nil
	}
	if !in {
		return nil, reject(outcomeNotMember, "Only members of this channel can do this, so nothing was done. If you have just joined, try again in a minute.", "not in the channel"), nil
	}
	var no *rejected
	if c.kind() == action.Mute {
		no, err = a.mayMute(ctx, c, i)
	} else {
		_, no, err = a.maySee(ctx, c, c.value.App)
	}
	if err != nil || no != nil {
		return nil, no, err
	}
	return i, nil, nil
}

// belongs reports whether the button can stand in that message, in the thread of the incident. Those of the incident itself stand in
// the root message alone. An answer is of no incident, and its thread may be that of one that has the application.
func belongs(c *click, i *incident.Incident) bool {
	of, root := c.value.Place.Incident, c.message == c.place.Thread
	if c.kind() == action.Mute { // the menu carries nothing
		return root
	}
	return i.Member(c.value.App) != nil && (of == "" || of == i.PostedID() && root)
}

// known asks who it is.
func (a admission) known(ctx context.Context, c *click) *rejected {
	kind, err := a.people.FreshKind(ctx, c.person.ID, c.claim)
	no := request.Stranger(kind, err)
	switch {
	case no == "" && kind == people.Guest && c.value.Do == button.Open: // the policy of actions decides about all the others
		return reject(outcomeForeign, "Guests of the workspace can't open threads. Nothing was done.", "a guest")
	case no == "":
		return nil
	case err != nil:
		return reject(outcomeUnchecked, no, "Slack does not say who it is")
	}
	return reject(outcomeForeign, no, "not a member: "+string(kind))
}

// maySee asks whether the application is there, and the person may look at it.
func (a admission) maySee(ctx context.Context, c *click, app incident.App) (apps.Known, *rejected, error) {
	visible := apps.Visible(ctx, a.viewer, c.person.ID, c.place.Channel)
	found, err := a.apps.Find(ctx, command.Target{Instance: app.Instance, Namespace: app.Namespace, Name: app.Name}, visible)
	if err != nil {
		return apps.Known{}, nil, fmt.Errorf("find %s: %w", app.Full(), err)
	}
	for _, k := range found.Matches {
		if k.App == app {
			return k, nil, nil
		}
	}
	if hidden := a.viewer.Hidden(ctx, c.person.ID, c.place.Channel); hidden != "" { // whether it exists is not for everybody
		m := render.Text(fmt.Sprintf("%s no longer exists, or you don't have access to it. Nothing was done.", command.Code(app.Full())))
		m.Blocks = append(m.Blocks, render.Refusal(hidden).Blocks...)
		return apps.Known{}, &rejected{outcomeNotSeen, m, "no such application, or no access to it"}, nil
	}
	return apps.Known{}, reject(outcomeGone, fmt.Sprintf("%s no longer exists. Nothing was done.", command.Code(app.Full())), "no such application"), nil
}

// refusal is what a refusal of the service says to the person.
func refusal(kind action.Kind, no *posted.Refusal) *rejected {
	r := no.View()
	what := string(r.What)
	if r.Code == action.Busy && r.Record != nil {
		what += ", requested by " + render.PersonName(r.Record.By)
	}
	told := dialog.Refused(kind, render.Sentence(what), r.Could).Blocks.BlockSet
	return &rejected{string(r.Code), &render.Message{Text: render.Text(render.Sentence(what)).Text, Blocks: told}, string(r.What)}
}
