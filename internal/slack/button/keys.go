package button

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

const (
	keySize = 32
	// replaceAfter is the age at which a key is replaced. The one before it is still good for as long, so a button works for at
	// least that time; threads are older only if nobody looks at them any more.
	replaceAfter = 90 * 24 * time.Hour
	// derivedFor is how long a key made from the bot token is good: incidents are forgotten after a month. Whoever steals the token can
	// make that key, too.
	derivedFor = 30 * 24 * time.Hour
)

// Keys are the key that signs and the one before it. They are kept with the journal and do not depend on any token, so that the
// buttons in Slack keep working when a token is replaced.
type Keys struct {
	Current  Generation `json:"current"`
	Previous Generation `json:"previous,omitzero"`
}

// Generation is one key. One made from the bot token has no time.
type Generation struct {
	Secret  []byte    `json:"secret"`
	Created time.Time `json:"created"`
}

// ReadKeys reads what [Keys.Bytes] wrote.
func ReadKeys(stored []byte) (Keys, error) {
	var k Keys
	if err := json.Unmarshal(stored, &k); err != nil {
		return Keys{}, fmt.Errorf("not a key of buttons: %w", err)
	}
	if len(k.Current.Secret) != keySize || len(k.Previous.Secret) != keySize && len(k.Previous.Secret) != 0 {
		return Keys{}, errors.New("not a key of buttons: wrong length")
	}
	return k, nil
}

// Bytes are what is kept.
func (k Keys) Bytes() ([]byte, error) { return json.Marshal(k) }

// FirstKeys are those of a bot that has none: fresh is 32 random bytes. Versions before signed with a key made from the bot token;
// what they signed is good for a month.
func FirstKeys(fresh []byte, botToken string, now time.Time) Keys {
	return Keys{Current: Generation{bytes.Clone(fresh), now}, Previous: Generation{Secret: derived(botToken)}}
}

// Old reports whether the key is due to be replaced.
func (k Keys) Old(now time.Time) bool { return now.Sub(k.Current.Created) >= replaceAfter }

// Replace makes a new current key; what the one before the last signed is no longer good.
func (k Keys) Replace(fresh []byte, now time.Time) Keys {
	return Keys{Current: Generation{bytes.Clone(fresh), now}, Previous: k.Current}
}

// Key signs with the current one, and checks with both.
func (k Keys) Key(now time.Time) Key {
	key := newKey(k.Current.Secret)
	derived := k.Previous.Created.IsZero()
	if len(k.Previous.Secret) > 0 && !(derived && now.Sub(k.Current.Created) >= derivedFor) {
		key.earlier = [][]byte{k.Previous.Secret}
	}
	return key
}
