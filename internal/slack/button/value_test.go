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
	text := key.Encode(want)
	if len(text) > 2000 {
		t.Errorf("%d characters, Slack takes 2000", len(text))
	}
	if got, err := key.Decode(text); err != nil || got != want {
		t.Errorf("%+v %v", got, err)
	}
	for name, forged := range map[string]string{
		"edited":     strings.Replace(text, `"batch"`, `"apps"`, 1),
		"unsigned":   text[strings.Index(text, "{"):],
		"other key":  button.NewKey("xoxb-2").Encode(want),
		"shortened":  text[:len(text)-1],
		"empty":      "",
		"only a dot": ".",
	} {
		if _, err := key.Decode(forged); !errors.Is(err, button.ErrForged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
