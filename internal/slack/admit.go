package slack

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/dialog"
)

// The outcomes of a press, beside the codes of action.Refusal and the outcomes of an answer.
const (
	pressTaken     = "taken"
	pressShown     = "shown"      // what would happen, in a modal
	pressForged    = "forged"     // we made no such button
	pressForeign   = "foreign"    // of another workspace
	pressReplayed  = "replayed"   // too long ago
	pressDouble    = "double"     // the same person pressed twice at once
	pressNotMember = "not-member" // not in the channel
	pressUnchecked = "unchecked"  // Slack did not say who is in the channel
	pressUnseen    = "not-seen"   // may not look at the application
	pressGone      = "gone"       // the application, or the incident
	pressNowhere   = "nowhere"    // the channel could not be told what becomes of it
	pressLate      = "late"       // the modal could not be opened in time
)

// maxClickAge is how old a press may be. Slack delivers within seconds; a payload that somebody kept is older.
const maxClickAge = time.Minute

// rejected is a press that is not done, and what the person is told.
type rejected struct {
	outcome string
	message *Message
	// why stands in the log.
	why string
}

func reject(outcome, text, why string) *rejected { return &rejected{outcome, said(text), why} }

// believable looks at the payload alone.
func (a *App) believable(p *pressing) *rejected {
	switch {
	case p.foreign:
		return reject(pressForeign, membersOnly, "of another workspace")
	case p.forged != "":
		return reject(pressForged, "This button was not made by me. Nothing was done.", p.forged)
	case p.age > maxClickAge || p.age < -maxClickAge:
		return reject(pressReplayed, "That was pressed too long ago, nothing was done. Please press again.", fmt.Sprintf("pressed %s ago", p.age.Round(time.Second)))
	case p.ephemeral:
		return reject(pressNowhere, fmt.Sprintf("What is done is told to everybody in the thread, and I cannot write here. `/invite %s`, and ask again.", a.self.call()), "a message for one person")
	}
	return nil
}

// admit asks whether this person can have pressed this here. What it cannot find out it refuses. The incident is the one in
// whose thread it is, nil for none.
func (a *App) admit(ctx context.Context, q *question) (*incident.Incident, *rejected, error) {
	p := q.press
	i, err := a.Backend.IncidentByThread(ctx, p.place.Channel, p.place.Thread)
	if err != nil {
		return nil, nil, fmt.Errorf("find the incident of the thread: %w", err)
	}
	switch {
	case p.kind() == action.Mute && i == nil:
		return nil, reject(pressGone, "I know no incident of this thread any more, there is nothing to mute.", "no incident"), nil
	case p.kind() == action.Mute && i.Phase != incident.Open: // else the outage that it has joined would be muted
		return nil, reject(pressGone, "The incident of this thread is over, or goes on in another thread. There is nothing to mute here.", "the incident is not open"), nil
	case p.kind() != action.Mute && !p.submitted && i != nil && i.Member(p.value.App) == nil:
		return nil, reject(pressForged, "This button was not made by me for this thread. Nothing was done.", "the application is not of the thread's incident"), nil
	}
	if i != nil {
		p.place.Incident = i.ID
	}
	in, err := a.members.in(ctx, p.place.Channel, p.person.ID)
	if err != nil {
		a.Log.Warn("Slack did not say who is in a channel", "question", q.id, "channel", p.place.Channel, "error", err)
		text := "Slack did not tell me whether you are in this channel, so nothing was done. Please press again in a moment."
		if no, ok := errors.AsType[slack.SlackErrorResponse](err); ok && no.Err == "missing_scope" { // of a group conversation
			text = "I may not see who is in this conversation, so nothing was done. In a channel that I am in it can be."
		}
		return nil, reject(pressUnchecked, text, "the members of the channel are not known"), nil
	}
	if !in {
		return nil, reject(pressNotMember, "You are not in the channel where this stands, so nothing was done. Who has just joined can press again in a minute.", "not in the channel"), nil
	}
	var no *rejected
	if p.kind() == action.Mute {
		no, err = a.mayMute(ctx, p, i)
	} else {
		_, no, err = a.mayPress(ctx, p, p.value.App)
	}
	if err != nil || no != nil {
		return nil, no, err
	}
	return i, nil, nil
}

// mayPress asks whether the application is there, and the person may look at it.
func (a *App) mayPress(ctx context.Context, p *pressing, app incident.App) (Known, *rejected, error) {
	found, err := a.Backend.Find(ctx, command.Target{Instance: app.Instance, Namespace: app.Namespace, Name: app.Name})
	if err != nil {
		return Known{}, nil, fmt.Errorf("find %s: %w", app.Name, err)
	}
	for _, k := range found.Matches {
		if k.App != app {
			continue
		}
		if ok, why := a.Viewer.May(ctx, p.person.ID, p.place.Channel, k.App, k.Project); !ok {
			return Known{}, &rejected{pressUnseen, refusal(why), "may not look at it"}, nil
		}
		return k, nil, nil
	}
	return Known{}, reject(pressGone, fmt.Sprintf("%s does not exist any more. Nothing was done.", command.Code(app.Name)), "no such application"), nil
}

// refused is what a refusal of the service says to the person.
func refused(kind action.Kind, r *action.Refusal) *rejected {
	what := r.What
	if r.Code == action.Busy && r.Record != nil {
		what += ", asked for by " + by(r.Record.By)
	}
	blocks := dialog.Refused(kind, sentence(what), r.Could).Blocks.BlockSet
	return &rejected{string(r.Code), &Message{Text: said(sentence(what)).Text, Blocks: blocks}, r.What}
}

// label is the action for the metrics, out of a short list.
func (p *pressing) label() string {
	if p.value.Do == button.Deny || p.value.Do == button.Approve {
		return p.value.Do
	}
	return p.action
}
