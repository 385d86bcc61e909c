package slack

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// pressing is a press of a button that acts, or the submission of the modal that it opened: as the payload says, and not to
// be believed before it was admitted.
type pressing struct {
	// action is what it counts as: a action.Kind, approve, deny, or "unknown".
	action string
	person action.Person
	// foreign: the person, or the payload, is of another workspace. home is false where nobody but the response URL can be
	// told of it.
	foreign, home bool
	// forged says in what the payload is not as we made it; "" when nothing is wrong.
	forged string
	// age is how long ago the button was pressed; 0 of a submission.
	age time.Duration
	// value is what the button, or the modal, is about. Of a mute only Do is set.
	value   button.Value
	muteFor time.Duration
	// click is the same for the same press, on every replica.
	click string

	// message was pressed, and stands in the thread of place; it is the root when they are the same.
	message   string
	ephemeral bool
	// blocks are those of the message.
	blocks []json.RawMessage
	place  action.Place
	// trigger opens a modal, for three seconds.
	trigger string

	// submitted: it is a modal, with its state.
	submitted bool
	state     *slack.ViewState
	// modal is the one that is open.
	modal modal
}

// kind is what is wanted, of those that are a kind.
func (p *pressing) kind() action.Kind { return action.Kind(p.value.Do) }

// want is what the value wants.
func (p *pressing) want() action.Request {
	return action.Request{Kind: p.kind(), App: p.value.App, Target: p.value.Target, MuteFor: p.muteFor}
}

// doubleClick is how soon the same button is not pressed again by the same person on purpose.
const doubleClick = 3 * time.Second

// acts reports whether an action is one of those that act.
func acts(actionID string) bool {
	return strings.HasPrefix(actionID, render.ActPrefix) || slices.Contains([]string{render.MuteID, render.ApproveID, render.DenyID}, actionID)
}

// pressed reads a click on a button that acts. It believes nothing but that Slack delivered it.
func (a *App) pressed(c slack.InteractionCallback, raw []byte) received {
	r := received{kind: "press", keys: []string{"trigger " + c.TriggerID}, home: a.home(c.Team.ID, c.Enterprise.ID), guest: !a.native(c.User.TeamID)}
	element := c.ActionCallback.BlockActions[0]
	p := &pressing{
		person: action.Person{ID: c.User.ID, Name: c.User.Name}, foreign: !r.home || r.guest, home: r.home,
		message: c.Container.MessageTs, ephemeral: c.Container.IsEphemeral, trigger: c.TriggerID, age: age(element.ActionTs, time.Now()),
		place:  action.Place{Channel: c.Channel.ID, Thread: cmp.Or(c.Container.ThreadTs, c.Message.ThreadTimestamp, c.Container.MessageTs)},
		blocks: messageBlocks(raw),
		click:  digest("press", c.Team.ID, c.Channel.ID, c.Container.MessageTs, element.ActionTs, c.User.ID, element.ActionID),
	}
	p.forged = a.readAction(p, element)
	switch {
	case p.forged != "":
	case c.Container.ChannelID != c.Channel.ID || c.Channel.ID == "":
		p.forged = "the message is of another channel"
	case c.Message.Timestamp != "" && c.Message.Timestamp != p.message:
		p.forged = "the message is another one"
	case c.Message.User != "" && c.Message.User != a.self.user:
		p.forged = "the message is not mine"
	}
	r.keys = append(r.keys, "press "+p.click)
	r.q = newQuestion(asker{way: click, user: c.User.ID, name: c.User.Name, channel: c.Channel.ID, thread: p.place.Thread, respond: c.ResponseURL, call: a.self.call()}, command.Command{})
	r.q.press = p
	r.double = strings.Join([]string{c.Channel.ID, p.message, c.User.ID, element.ActionID, element.Value, element.SelectedOption.Value}, " ")
	return r
}

// readAction reads what is wanted, and says what is wrong with it.
func (a *App) readAction(p *pressing, element *slack.BlockAction) (forged string) {
	p.action = "unknown"
	if element.ActionID == render.MuteID {
		p.action, p.value.Do = string(action.Mute), string(action.Mute)
		var known bool
		if p.muteFor, known = muteFor[element.SelectedOption.Value]; !known {
			return "the menu has no such option"
		}
		return ""
	}
	v, err := a.Key.Decode(element.Value)
	if err != nil {
		return "its value is not signed by me"
	}
	id := render.ActPrefix + v.Do
	switch v.Do {
	case button.Approve:
		id = render.ApproveID
	case button.Deny:
		id = render.DenyID
	}
	if element.ActionID != id || v.Do == string(action.Mute) || !known(v.Do) {
		return fmt.Sprintf("it is a button for %q", v.Do)
	}
	p.action, p.value = v.Do, v
	return ""
}

// known reports whether it is something that a button does.
func known(do string) bool {
	return do == button.Approve || do == button.Deny || slices.Contains(action.Kinds, action.Kind(do))
}

// muteFor are the options of the menu.
var muteFor = map[string]time.Duration{"1h": time.Hour, "4h": 4 * time.Hour, "24h": 24 * time.Hour, render.UnmuteValue: 0}

// age is how long ago a ts was: "1700000000.000100". What is none is as old as can be.
func age(ts string, now time.Time) time.Duration {
	seconds, err := strconv.ParseFloat(ts, 64)
	if err != nil || math.IsNaN(seconds) || seconds <= 0 || seconds > math.MaxInt32*2 {
		return math.MaxInt64
	}
	return now.Sub(time.UnixMicro(int64(seconds * 1e6)))
}

// digest is a short name for all of the parts.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return base64.RawURLEncoding.EncodeToString(sum[:18])
}

// messageBlocks are those of the message that was pressed, as they were sent: slack-go keeps not all of what it knows.
func messageBlocks(raw []byte) []json.RawMessage {
	var payload struct {
		Message struct {
			Blocks []json.RawMessage `json:"blocks"`
		} `json:"message"`
	}
	if json.Unmarshal(raw, &payload) != nil {
		return nil
	}
	return payload.Message.Blocks
}
