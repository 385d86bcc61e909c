// Package button is what a button that acts carries: what it is about, signed, so that nobody can click a button that we did
// not make, nor one of ours where we did not put it.
//
// Slack gives the values of buttons back as they were sent, and so they could be trusted; but they pass through clients, whoever has the
// bot's token can post a copy of one under other words, and an action is worth a second lock. The signature therefore covers where it
// stands and the id of what is clicked, too. The key is drawn at random and kept with the journal; [Keys] says how it is replaced.
package button

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Value is what a button is about. It stays far below the 2,000 characters of a button's value and the 3,000 of a modal's
// private_metadata, with all names at their longest.
// https://docs.slack.dev/reference/block-kit/block-elements/button-element
type Value struct {
	// Do is an action.Kind, or Approve, Deny or Open.
	Do  string     `json:"do"`
	App action.App `json:"app"`
	// Target is the hook Job.
	Target evidence.Ref `json:"target,omitzero"`
	// Line is the cause in a backlog, of Open.
	Line string `json:"line,omitempty"`
	// Record is what is approved or denied.
	Record string `json:"record,omitempty"`
	// Place is where the history is told, Fingerprint the plan that was shown, and Commit the one that it syncs: of a modal. A button of
	// an incident's root message says only of which incident, by the ID that it was posted with.
	Place       action.Place `json:"place,omitzero"`
	Fingerprint string       `json:"print,omitempty"`
	Commit      string       `json:"commit,omitempty"`
	// At is when it was signed, in seconds, of what is posted once: see [Value.PostedIn].
	At int64 `json:"at,omitempty"`
}

// A message is posted moments after its buttons were signed, and clocks differ by less than a minute, or no click would be taken.
const (
	postedWithin = 3 * time.Minute
	clocksDiffer = time.Minute
)

// PostedIn reports whether a button that belongs to no incident can have been made for a message of that time: a copy that somebody posts
// later is another message. Those of an incident are drawn again while it lasts, and are good in its root message alone.
func (v Value) PostedIn(message time.Time) bool {
	after := message.Sub(time.Unix(v.At, 0))
	return v.At > 0 && after >= -clocksDiffer && after <= postedWithin
}

// What a button does to a record; Open has a listed cause told in a thread.
const (
	Approve = "approve"
	Deny    = "deny"
	Open    = "open"
)

// place is where something clickable stands. A value that was signed for one is not good in another.
type place struct {
	// Team is the workspace, or organization, that the bot serves.
	Team string `json:"team"`
	// Channel has the message; of a modal it is empty.
	Channel string `json:"channel,omitempty"`
	// Thread has the message, where it is known before that is posted.
	Thread string `json:"thread,omitempty"`
	// View is the modal, and User the person whom it was opened for; of a message both are empty.
	View string `json:"view,omitempty"`
	User string `json:"user,omitempty"`
}

// Key signs values for a place, and checks those that it or an earlier one signed for it. The zero Key signs nothing.
type Key struct {
	*ring
	place place
	// at is the moment that is signed along; zero for none.
	at time.Time
}

// Of is the key for a workspace or an organization.
func (k Key) Of(team string) Key { return Key{ring: k.ring, place: place{Team: team}} }

// In is the key for messages in a channel.
func (k Key) In(channel string) Key {
	return Key{ring: k.ring, place: place{Team: k.place.Team, Channel: channel}}
}

// Under is the key for messages in a thread of the channel.
func (k Key) Under(thread string) Key {
	k.place.Thread = thread
	return k
}

// Once is the key for a message that is posted now, and not changed later.
func (k Key) Once(now time.Time) Key {
	k.at = now
	return k
}

// On is the key for a modal that is open to a person.
func (k Key) On(view, user string) Key {
	return Key{ring: k.ring, place: place{Team: k.place.Team, View: view, User: user}}
}

// ring is what all copies of a Key have in common.
type ring struct {
	mu      sync.Mutex
	sign    []byte
	earlier [][]byte
}

func newKey(sign []byte, earlier ...[]byte) Key {
	return Key{ring: &ring{sign: sign, earlier: earlier}}
}

// NewKey makes the key out of a secret of the app, such as the bot token. Its prefix never changes: buttons that stand in Slack
// are signed with it.
func NewKey(secret string) Key { return newKey(derived(secret)) }

func derived(secret string) []byte {
	sum := sha256.Sum256([]byte("argo-why press " + secret))
	return sum[:]
}

// IsZero reports whether there is no key, and so no button that acts.
func (k Key) IsZero() bool { return k.ring == nil || len(k.sign) == 0 }

// ErrForged says that the value is not one that was made with this key, for this place and id.
var ErrForged = errors.New("the button's value is not signed by this bot for this place")

const separator = "."

// Encode is the value as text. id is the action_id of the button, or the callback_id of the modal.
func (k Key) Encode(id string, v Value) string {
	if !k.at.IsZero() {
		v.At = k.at.Unix()
	}
	return k.Seal(id, v)
}

// Decode reads a value; the error wraps ErrForged.
func (k Key) Decode(id, text string) (Value, error) {
	var v Value
	if err := k.Open(id, text, &v); err != nil {
		return Value{}, err
	}
	return v, nil
}

// Seal is what a button carries that does not act, as text.
func (k Key) Seal(id string, v any) string {
	raw, err := json.Marshal(v)
	if err != nil { // cannot be: it is made of texts
		return ""
	}
	return k.signature(k.signing(), id, raw) + separator + string(raw)
}

func (k Key) signing() []byte {
	if k.ring == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.sign
}

// Open reads what was sealed; the error wraps ErrForged.
func (k Key) Open(id, text string, v any) error {
	mac, raw, ok := strings.Cut(text, separator)
	if !ok || !k.signed(mac, id, []byte(raw)) {
		return ErrForged
	}
	if err := json.Unmarshal([]byte(raw), v); err != nil {
		return fmt.Errorf("%w: %w", ErrForged, err)
	}
	return nil
}

func (k Key) signed(mac, id string, raw []byte) bool {
	if k.IsZero() {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	good := hmac.Equal([]byte(mac), []byte(k.signature(k.sign, id, raw)))
	for _, earlier := range k.earlier {
		good = hmac.Equal([]byte(mac), []byte(k.signature(earlier, id, raw))) || good
	}
	return good
}

// Renew has all copies of this Key go on with another one: another replica has replaced it.
func (k Key) Renew(now Key) { k.takeOver(now.sign, now.earlier) }

func (r *ring) takeOver(sign []byte, earlier [][]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sign, r.earlier = sign, earlier
}

// signature is that of what is carried, where it stands and what is clicked. What comes first is JSON, and so it is plain where it ends.
func (k Key) signature(key []byte, id string, raw []byte) string {
	h := hmac.New(sha256.New, key)
	_ = json.NewEncoder(h).Encode(struct { // into a hash, which takes everything
		place
		ID string `json:"id"`
	}{k.place, id})
	h.Write(raw)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16])
}
