package button_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/slack/button"
)

func TestAValueComesBackAndNothingElseDoes(t *testing.T) {
	key := button.NewKey("xoxb-1")
	long := strings.Repeat("n", 253)
	want := button.Value{
		Do: button.Approve, App: action.App{Instance: long[:63], Namespace: long[:63], Name: long},
		Target: evidence.Ref{Group: "batch", Kind: "Job", Namespace: long[:63], Name: long}, Record: long,
		Place: action.Place{Incident: long[:63], Channel: "C0123456789", Thread: "1700000000.000100"}, Fingerprint: long[:64],
	}
	text := key.Encode(id, want)
	if len(text) > 2000 {
		t.Errorf("%d characters, Slack takes 2000", len(text))
	}
	if got, err := key.Decode(id, text); err != nil || got != want {
		t.Errorf("%+v %v", got, err)
	}
	for name, forged := range map[string]string{
		"edited":     strings.Replace(text, `"batch"`, `"apps"`, 1),
		"unsigned":   text[strings.Index(text, "{"):],
		"other key":  button.NewKey("xoxb-2").Encode(id, want),
		"shortened":  text[:len(text)-1],
		"empty":      "",
		"only a dot": ".",
	} {
		if _, err := key.Decode(id, forged); !errors.Is(err, button.ErrForged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAValueIsGoodOnlyWhereItWasSignedFor: whoever has the bot token can post a copy of a value anywhere.
func TestAValueIsGoodOnlyWhereItWasSignedFor(t *testing.T) {
	bot := button.NewKey("secret")
	want := button.Value{Do: "sync", App: action.App{Name: "shop"}}
	places := map[string]button.Key{
		"nowhere": bot, "another workspace": bot.Of("T2").In("C1"), "the channel": bot.Of("T1").In("C1"), "another channel": bot.Of("T1").In("C2"),
		"a dialog": bot.Of("T1").On("V1", "U1"), "another dialog": bot.Of("T1").On("V2", "U1"), "the dialog of somebody else": bot.Of("T1").On("V1", "U2"),
		"a channel with the name of the dialog": bot.Of("T1").In("V1"),
	}
	for from, key := range places {
		text := key.Encode(id, want)
		for to, other := range places {
			if got, err := other.Decode(id, text); (err == nil) != (from == to) || err != nil && !errors.Is(err, button.ErrForged) || err == nil && got != want {
				t.Errorf("signed for %s, read in %s: %+v %v", from, to, got, err)
			}
		}
		if _, err := key.Decode("argo_why_act_terminate", text); !errors.Is(err, button.ErrForged) {
			t.Errorf("%s: by another id: %v", from, err)
		}
	}
}
