package blocks_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/slack/blocks"
)

func made(t *testing.T, b ...blocks.Block) string {
	t.Helper()
	list := blocks.Fit(b, nil, "")
	if err := blocks.Check(list); err != nil {
		t.Error(err)
	}
	raw, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestAButtonThatWouldDoNothingIsNotThere(t *testing.T) {
	for name, b := range map[string]blocks.Button{
		"no value":          {ID: "a", Text: "Sync"},
		"too long a value":  {ID: "a", Text: "Sync", Value: strings.Repeat("x", 2001)},
		"a value in ruins":  {ID: "a", Text: "Sync", Value: "\xff"},
		"no id":             {Text: "Sync", Value: "x"},
		"too long an id":    {ID: strings.Repeat("x", 256), Text: "Sync", Value: "x"},
		"nothing to read":   {ID: "a", Value: "x"},
		"no address either": {ID: "a", Text: "Open", URL: "javascript:alert(1)", Value: "x"},
	} {
		if got := made(t, blocks.Buttons(b)); got != "null" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := made(t, blocks.Buttons(blocks.Button{ID: "a", Text: "Sync", Value: strings.Repeat("x", 2000)})); !strings.Contains(got, `"value":"xxx`) {
		t.Error(got)
	}
}

func TestARowHasEachIDOnceAndNoMoreThanSlackTakes(t *testing.T) {
	var list []blocks.Control
	for n := range 30 {
		b := blocks.Button{ID: fmt.Sprint(n), Text: fmt.Sprint("button ", n), Value: "x"}
		list = append(list, b, b)
	}
	if got := strings.Count(made(t, blocks.Controls("row", list...)), "action_id"); got != 25 {
		t.Errorf("%d buttons", got)
	}
	var options []blocks.Option
	for n := range 120 {
		options = append(options, blocks.Option{Text: fmt.Sprint(n), Value: fmt.Sprint(n)})
	}
	if got := strings.Count(made(t, blocks.Controls("", blocks.Menu{ID: "m", Text: "Mute", Options: options})), `"value"`); got != 50 {
		t.Errorf("%d options", got)
	}
	if got := made(t, blocks.Controls("", blocks.Menu{ID: "m", Text: "Mute"})); got != "null" {
		t.Errorf("a menu of nothing: %s", got)
	}
}

func TestOnlyAnIDMentions(t *testing.T) {
	got := made(t, blocks.Text(blocks.User("U0DANA"), blocks.Plain(" "), blocks.Group("S0ONCALL")))
	if !strings.Contains(got, `{"type":"user","user_id":"U0DANA"}`) || !strings.Contains(got, `{"type":"usergroup","usergroup_id":"S0ONCALL"}`) {
		t.Error(got)
	}
	for _, bad := range []string{"dana", "!channel", "<@U0DANA>", "u0dana", "S0 ONCALL", "U" + strings.Repeat("0", 40)} {
		if got := made(t, blocks.Text(blocks.User(bad), blocks.Group(bad))); strings.Contains(got, "user_id") || strings.Contains(got, "usergroup_id") {
			t.Errorf("%s: %s", bad, got)
		}
	}
}

func TestATimeOfDay(t *testing.T) {
	got := made(t, blocks.Text(blocks.Clock(when), blocks.Clock(time.Time{})))
	if want := `"format":"{date_short_pretty} {time}"`; strings.Count(got, want) != 1 {
		t.Error(got)
	}
}

func TestTheMiddleOfALogIsLeftOut(t *testing.T) {
	var log strings.Builder
	for n := range 500 {
		fmt.Fprintf(&log, "line %d \"quoted\" größer\n", n)
	}
	got := blocks.WithoutMiddle(log.String(), 2000)
	if !strings.HasPrefix(got, "line 0 ") || !strings.HasSuffix(got, "line 499 \"quoted\" größer") || !strings.Contains(got, "lines left out …)") {
		t.Error(got)
	}
	if n := len(made(t, blocks.Code(got)...)); n < 1500 || n > 2600 {
		t.Errorf("%d characters", n)
	}
	long := "begin " + strings.Repeat("😀<", 5000) + " end"
	for _, log := range []string{long, "first\n" + long} { // the last line is the one that tells
		got = blocks.WithoutMiddle(log, 2000)
		if !strings.HasSuffix(got, " end") || !strings.Contains(got, "begin ") || !strings.Contains(got, "characters left out …)") || len(got) > 2000 {
			t.Error(got)
		}
	}
	if got := blocks.WithoutMiddle("short\n", 2000); got != "short" {
		t.Errorf("%q", got)
	}
}
