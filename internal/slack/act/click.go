package act

import (
	"crypto/sha256"
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// click is one on a button that acts, or the submission of the modal that it opened: as the payload says, and not to be believed
// before it was admitted.
type click struct {
	*request.Request
	// action is what it counts as: an action.Kind, approve, deny, open, or "unknown".
	action string
	person action.Person
	// claim is the workspace or organization that the payload says the person is of.
	claim string
	// foreign: the payload says that it, or the person, is of another workspace. home is false where nobody but the response URL can be
	// told of it.
	foreign, home bool
	// forged says in what the payload is not as we made it; "" when nothing is wrong.
	forged string
	// age is how long ago the button was clicked; 0 of a submission.
	age time.Duration
	// value is what the button, or the modal, is about. Of a mute only Do is set.
	value   button.Value
	muteFor time.Duration
	// key is the same for the same click, on every replica.
	key string

	// message was clicked, and stands in the thread of place; it is the root when they are the same.
	message   string
	ephemeral bool
	place     action.Place
	// trigger opens a modal, for three seconds.
	trigger string

	// receipt is its acknowledgement; nil where that waits for nothing.
	receipt *receipt

	// submitted: it is a modal, with its state.
	submitted bool
	state     *slack.ViewState
	// modal is the one that is open.
	modal modal
}

// kind is the action that the button is for; of an approval and a denial it is none.
func (c *click) kind() action.Kind { return action.Kind(c.value.Do) }

// actionRequest is the action that the button is for; of a modal that shows a plan, as it shows it.
func (c *click) actionRequest() action.Request {
	return action.Request{Kind: c.kind(), App: c.value.App, Target: c.value.Target, MuteFor: c.muteFor, Sync: action.SyncOptions{Commit: c.value.Commit}}
}

// label is the action for the metrics, out of a short list.
func (c *click) label() string {
	if c.value.Do == button.Deny || c.value.Do == button.Approve {
		return c.value.Do
	}
	return c.action
}

// Acts reports whether the action is one of those that act.
func Acts(actionID string) bool {
	return strings.HasPrefix(actionID, render.ActPrefix) || slices.Contains([]string{render.MuteID, render.ApproveID, render.DenyID, render.OpenID}, actionID)
}

// isKnown reports whether it is something that a button does.
func isKnown(do string) bool {
	return do == button.Approve || do == button.Deny || do == button.Open || slices.Contains(action.Kinds, action.Kind(do))
}

// muteFor are the options of the menu.
var muteFor = map[string]time.Duration{"1h": time.Hour, "4h": 4 * time.Hour, "24h": 24 * time.Hour, render.UnmuteValue: 0}

// age is how long ago a ts was: "1700000000.000100". What is none is as old as can be.
func age(ts string, now time.Time) time.Duration {
	at := postedAt(ts)
	if at.IsZero() {
		return math.MaxInt64
	}
	return now.Sub(at)
}

// postedAt is the moment of a ts, zero of what is none.
func postedAt(ts string) time.Time {
	seconds, err := strconv.ParseFloat(ts, 64)
	if err != nil || math.IsNaN(seconds) || seconds <= 0 || seconds > math.MaxInt32*2 {
		return time.Time{}
	}
	return time.UnixMicro(int64(seconds * 1e6))
}

// digest is a short name for all of the parts.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return base64.RawURLEncoding.EncodeToString(sum[:18])
}
