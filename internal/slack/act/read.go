package act

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
	"github.com/argo-why/argo-why/internal/slack/socket"
)

// doubleClick is how soon the same button is not clicked again by the same person on purpose. Somebody who closes a dialog and opens
// it again needs longer.
const doubleClick = time.Second

// Click reads a click on a button that acts. It believes nothing but that Slack delivered it. Its kind and the first part of its key
// say "press", as metrics and action logs do.
func (a *Actor) Click(i slack.InteractionCallback, self socket.Identity) socket.Envelope {
	element := i.ActionCallback.BlockActions[0]
	c := a.readClick(i, self)
	var recorded <-chan struct{}
	if firstView(c) == nil { // it does something, rather than that it asks in a modal
		c.receipt = newReceipt()
		recorded = c.receipt.recorded
	}
	same := strings.Join([]string{i.Channel.ID, c.message, i.User.ID, element.ActionID, element.Value, element.SelectedOption.Value}, " ")
	return socket.Envelope{
		Kind: "press", Keys: []string{"trigger " + i.TriggerID, "click " + c.key}, Foreign: c.foreign,
		Work: func(ctx context.Context) { a.handle(ctx, c) }, Urgent: true, Recorded: recorded,
		DoubleClick: func() bool {
			twice := a.recent.Before(same)
			if twice {
				a.clicks.WithLabelValues(c.label(), outcomeDouble).Inc()
			}
			return twice
		},
	}
}

func (a *Actor) readClick(i slack.InteractionCallback, self socket.Identity) *click {
	element := i.ActionCallback.BlockActions[0]
	home := a.team.Home(i.Team.ID, i.Enterprise.ID)
	c := &click{
		person: action.Person{ID: i.User.ID, Name: i.User.Name}, claim: i.User.TeamID,
		foreign: !home || a.team.Foreign(i.User.TeamID, i.Enterprise.ID), home: home,
		message: i.Container.MessageTs, ephemeral: i.Container.IsEphemeral, trigger: i.TriggerID, age: age(element.ActionTs, time.Now()),
		place: action.Place{Channel: i.Channel.ID, Thread: cmp.Or(i.Container.ThreadTs, i.Message.ThreadTimestamp, i.Container.MessageTs)},
		key:   digest("press", i.Team.ID, i.Channel.ID, i.Container.MessageTs, element.ActionTs, i.User.ID, element.ActionID),
	}
	by := request.Request{
		Way: request.Click, User: i.User.ID, Name: i.User.Name, Channel: i.Channel.ID, Thread: c.place.Thread,
		RespondTo: i.ResponseURL, Call: self.Mention(), Self: self,
	}
	if c.message != c.place.Thread { // it stands in the thread, and so is what is said of it
		by.RespondIn = c.place.Thread
	}
	c.Request = request.New(by)
	c.forged = a.readAction(c, element)
	switch {
	case c.forged != "":
	case i.Container.ChannelID != i.Channel.ID || i.Channel.ID == "":
		c.forged = "the message is in another channel"
	case i.Message.Timestamp != "" && i.Message.Timestamp != c.message:
		c.forged = "it is a different message"
	case i.Message.User != "" && i.Message.User != self.User:
		c.forged = "the message was not posted by this bot"
	}
	return c
}

// readAction reads what is wanted, and says what is wrong with it.
func (a *Actor) readAction(c *click, element *slack.BlockAction) (forged string) {
	c.action = "unknown"
	if element.ActionID == render.MuteID {
		c.action, c.value.Do = string(action.Mute), string(action.Mute)
		var known bool
		if c.muteFor, known = muteFor[element.SelectedOption.Value]; !known {
			return "the menu does not have that option"
		}
		return ""
	}
	key := a.key.In(c.place.Channel)
	if element.ActionID == render.ApproveID || element.ActionID == render.DenyID {
		key = key.Under(c.place.Thread)
	}
	v, err := key.Decode(element.ActionID, element.Value)
	if err != nil {
		return "its value is not signed by this bot for this button, channel and thread"
	}
	id := render.ActPrefix + v.Do
	switch v.Do {
	case button.Approve:
		id = render.ApproveID
	case button.Deny:
		id = render.DenyID
	case button.Open:
		id = render.OpenID
	}
	if element.ActionID != id || v.Do == string(action.Mute) || !isKnown(v.Do) {
		return fmt.Sprintf("it is a button for %q", v.Do)
	}
	c.action, c.value = v.Do, v
	if v.Place.Incident == "" && !v.PostedIn(postedAt(c.message)) {
		return "it was made for a message of another time"
	}
	return ""
}

// Submission reads the submission of a modal.
func (a *Actor) Submission(i slack.InteractionCallback, self socket.Identity) socket.Envelope {
	e := socket.Envelope{Kind: "submission", Keys: []string{"trigger " + i.TriggerID}, Foreign: !a.team.Home(i.Team.ID, i.Enterprise.ID)}
	if i.View.CallbackID != dialog.Confirm {
		return e
	}
	c := a.readSubmission(i, self)
	view := dialog.Working(c.kind(), c.value.App)
	if c.foreign {
		view = dialog.Told(c.kind(), request.MembersOnly)
	}
	e.Keys = append(e.Keys, "click "+c.key)
	c.receipt = newReceipt()
	e.Foreign, e.Urgent, e.Recorded = c.foreign, true, c.receipt.recorded
	e.Work = func(ctx context.Context) { a.handle(ctx, c) }
	e.Payload = func(o socket.Outcome) any {
		switch o {
		case socket.Busy:
			return viewUpdate(dialog.Told(c.kind(), request.TooBusy("press")))
		case socket.Duplicate:
			return viewUpdate(a.modals.shows(c.modal.id, view))
		default:
			a.modals.note(c.modal.id, view) // before the work shows anything, which waits for the acknowledgement
			c.receipt.ack()
			return viewUpdate(view)
		}
	}
	return e
}

// readSubmission reads who confirms what. A modal has no channel of its own: where it was asked for is signed into it.
func (a *Actor) readSubmission(i slack.InteractionCallback, self socket.Identity) *click {
	home := a.team.Home(i.Team.ID, i.Enterprise.ID)
	c := &click{
		action: "unknown", person: action.Person{ID: i.User.ID, Name: i.User.Name}, claim: i.User.TeamID,
		foreign: !home || a.team.Foreign(i.User.TeamID, i.Enterprise.ID), home: home,
		key:       digest("view", i.Team.ID, i.View.ID, i.View.Hash, i.User.ID),
		submitted: true, state: i.View.State, modal: modal{id: i.View.ID},
	}
	v, err := a.key.On(i.View.ID, i.User.ID).Decode(i.View.CallbackID, i.View.PrivateMetadata)
	switch {
	case err != nil:
		c.forged = "its metadata is not signed by this bot for this dialog and person"
	case v.Place.Channel == "" || v.Place.Thread == "" || v.Record == "" && v.Fingerprint == "":
		c.forged = "its metadata does not belong to a dialog"
	default:
		c.action, c.value, c.place = v.Do, v, v.Place
	}
	c.Request = request.New(request.Request{
		Way: request.Click, User: i.User.ID, Name: i.User.Name, Channel: c.place.Channel, Thread: c.place.Thread, Call: self.Mention(), Self: self,
	})
	return c
}

// viewUpdate is what the acknowledgement of a submission carries: without a view Slack closes the modal.
// https://docs.slack.dev/surfaces/modals#updating_response
func viewUpdate(v *dialog.View) any { return slack.NewUpdateViewSubmissionResponse(v) }
