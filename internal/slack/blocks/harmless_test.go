package blocks_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/argo-why/argo-why/internal/invisible"
	"github.com/argo-why/argo-why/internal/slack/blocks"
)

// TestWhateverIsBuiltIsHarmless: whoever makes a message has not to think of it.
func TestWhateverIsBuiltIsHarmless(t *testing.T) {
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	bad := "user\u202egnp.exe \x1b[31mred\x1b[0m \x1b]0;owned\x07 pay\u200bments\U000e0041 token " + secret[:9] + "\u2060" + secret[9:20] + "\x07" + secret[20:] + " end"
	body, _ := everything(bad)
	body = append(body, blocks.Buttons(blocks.Button{ID: "a", Text: bad, Value: "v"}),
		blocks.Controls("", blocks.Menu{ID: "m", Text: bad, Options: []blocks.Option{{Text: bad, Value: "v"}}}), blocks.Text(blocks.Channel(bad)))
	made, err := json.Marshal(blocks.Fit(body, nil, bad))
	if err != nil {
		t.Fatal(err)
	}
	short, _ := blocks.Shorten(bad, 1000)
	for what, got := range map[string]string{"blocks": string(made), "fallback": blocks.Fallback(bad), "label": blocks.PlainText(bad).Text, "line": short} {
		if strings.ContainsFunc(got, func(r rune) bool { return invisible.Is(r) || unicode.IsControl(r) && r != '\n' }) || strings.Contains(got, `\u001b`) {
			t.Errorf("%s: a character that nobody sees or a terminal obeys in\n%q", what, got)
		}
		if strings.Contains(got, secret[10:19]) || strings.Contains(got, secret[21:]) || strings.Contains(got, "owned") {
			t.Errorf("%s: the secret or the title in\n%s", what, got)
		}
		if !strings.Contains(got, "payments token [redacted] end") || !strings.Contains(got, "user�gnp.exe red") {
			t.Errorf("%s: what is harmless is not there in\n%s", what, got)
		}
	}
}

// TestWhatComesBackIsAsItWasRead: the value of a button is compared.
func TestWhatComesBackIsAsItWasRead(t *testing.T) {
	const value = "shop\u200b-api password=hunter2secret"
	if got := made(t, blocks.Buttons(blocks.Button{ID: "a", Text: "Sync", Value: value})); !strings.Contains(got, value) {
		t.Error(got)
	}
}
