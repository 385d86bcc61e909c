package button_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack/button"
)

// id is what all buttons here are clicked by.
const id = "argo_why_act_sync"

func fresh(b byte) []byte { return bytes.Repeat([]byte{b}, 32) }

// TestButtonsSurviveTheirKey: a button works over the replacement of the bot token, over the update from a version that made
// the key from it, and over one replacement of the key, but not over two.
func TestButtonsSurviveTheirKey(t *testing.T) {
	value := button.Value{Do: button.Approve, App: action.App{Instance: "prod", Namespace: "argocd", Name: "shop"}, Record: "r1"}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	before := button.NewKey("xoxb-old").Encode(id, value)
	first := button.FirstKeys(fresh(1), "xoxb-old", start)
	second := first.Replace(fresh(2), start.Add(91*24*time.Hour))
	third := second.Replace(fresh(3), start.Add(182*24*time.Hour))
	for name, x := range map[string]struct {
		keys button.Keys
		text string
		good bool
	}{
		"of the version before":                  {first, before, true},
		"its own":                                {first, first.Key(start).Encode(id, value), true},
		"of the key before":                      {second, first.Key(start).Encode(id, value), true},
		"of the version before, after a new key": {second, before, false},
		"of the key before the last":             {third, first.Key(start).Encode(id, value), false},
		"of the key before, with a new one":      {third, second.Key(start).Encode(id, value), true},
		"of a key to come":                       {first, second.Key(start).Encode(id, value), false},
		"made from another token":                {first, button.NewKey("xoxb-stolen").Encode(id, value), false},
		"signed with no key":                     {first, button.Key{}.Encode(id, value), false},
	} {
		got, err := x.keys.Key(start).Decode(id, x.text)
		if good := err == nil && got == value; good != x.good || !good && !errors.Is(err, button.ErrForged) {
			t.Errorf("%s: %v, want %v (%v)", name, good, x.good, err)
		}
	}
	if (button.Key{}).Open(id, button.Key{}.Seal(id, value), &value) == nil {
		t.Error("without a key, what nobody signed is good")
	}
}

// TestAStolenBotTokenMakesNoButtons: not for longer than buttons of the version before have to work.
func TestAStolenBotTokenMakesNoButtons(t *testing.T) {
	start, value := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), button.Value{Do: button.Open}
	keys := button.FirstKeys(fresh(1), "xoxb-stolen", start)
	forged := button.NewKey("xoxb-stolen").Encode(id, value)
	for days, good := range map[int]bool{0: true, 29: true, 30: false, 60: false} {
		if _, err := keys.Key(start.Add(time.Duration(days)*24*time.Hour)).Decode(id, forged); (err == nil) != good {
			t.Errorf("after %d days: %v", days, err)
		}
	}
	own := keys.Key(start).Encode(id, value)
	next := keys.Replace(fresh(2), start.Add(91*24*time.Hour))
	if _, err := next.Key(start.Add(180*24*time.Hour)).Decode(id, own); err != nil {
		t.Errorf("a key of its own ends as well: %v", err)
	}
}

func TestAKeyIsReplacedAfterNinetyDays(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	k := button.FirstKeys(fresh(1), "xoxb-1", start)
	if k.Old(start.Add(90*24*time.Hour-time.Second)) || !k.Old(start.Add(90*24*time.Hour)) {
		t.Error("it is replaced at another age than 90 days")
	}
}

// TestAValueIsGoodInTheMessageThatItWasMadeFor: posting takes a while, and clocks differ.
func TestAValueIsGoodInTheMessageThatItWasMadeFor(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	key := button.NewKey("secret").In("C1").Under("1.2").Once(now)
	v, err := key.Decode(id, key.Encode(id, button.Value{Do: button.Approve}))
	if err != nil {
		t.Fatal(err)
	}
	for after, good := range map[time.Duration]bool{-61 * time.Second: false, -time.Minute: true, 0: true, 3 * time.Minute: true, 181 * time.Second: false, 240 * time.Hour: false} {
		if v.PostedIn(now.Add(after)) != good {
			t.Errorf("%s later: want %v", after, good)
		}
	}
	if (button.Value{}).PostedIn(now) || (button.Value{}).PostedIn(time.Unix(0, 0)) {
		t.Error("one without a moment is good")
	}
	if _, err := button.NewKey("secret").In("C1").Under("1.3").Decode(id, key.Encode(id, v)); err == nil {
		t.Error("it is good in another thread")
	}
}

func TestKeysAreReadBack(t *testing.T) {
	want := button.FirstKeys(fresh(1), "xoxb-1", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	text, err := want.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "xoxb-1") {
		t.Errorf("the token is kept: %s", text)
	}
	got, err := button.ReadKeys(text)
	if err != nil || !bytes.Equal(got.Current.Secret, want.Current.Secret) || !bytes.Equal(got.Previous.Secret, want.Previous.Secret) || !got.Current.Created.Equal(want.Current.Created) {
		t.Errorf("%+v %v, want %+v", got, err, want)
	}
	for _, bad := range []string{"", "{}", "null", `{"current":{"secret":"AAAA"}}`, string(text[:len(text)-2])} {
		if _, err := button.ReadKeys([]byte(bad)); err == nil {
			t.Errorf("%q is taken for a key", bad)
		}
	}
}
