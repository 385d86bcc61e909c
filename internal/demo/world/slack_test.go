package world_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/demo/world"
)

// What waits for the next calls is counted down by them, those that post and those that update together, and can be disarmed.
func TestRefusedCallsAreCountedDown(t *testing.T) {
	w := begin(t)
	w.LimitSlack(2)
	for i, method := range []string{"chat.postMessage", "chat.update"} {
		if got := w.Limited(); got != 2-i {
			t.Errorf("%d are left before call %d", got, i+1)
		}
		if got := call(t, w, method); got != http.StatusTooManyRequests {
			t.Errorf("%s: %d", method, got)
		}
	}
	if got := call(t, w, "chat.postMessage"); got != http.StatusOK || w.Limited() != 0 {
		t.Errorf("the third call: %d, and %d are left", got, w.Limited())
	}
	w.LimitSlack(5)
	w.LimitSlack(0)
	if got := call(t, w, "chat.postMessage"); got != http.StatusOK {
		t.Errorf("after it was disarmed: %d", got)
	}
}

func TestABotThatIsSparedLives(t *testing.T) {
	w := begin(t)
	for range 2 { // the second press of the same button arms nothing more
		w.KillBotAtNextMessage()
	}
	if !w.Doomed() {
		t.Error("it is not armed")
	}
	w.SpareBot()
	if w.Doomed() {
		t.Error("it is still armed")
	}
	if got := call(t, w, "chat.postMessage"); got != http.StatusOK {
		t.Errorf("the message of a bot that was spared: %d", got)
	}
}

func TestTheKillIsOverOnceItHasHappened(t *testing.T) {
	w := begin(t)
	w.KillBotAtNextMessage()
	if got := call(t, w, "chat.postMessage"); got != 0 {
		t.Errorf("the answer arrived: %d", got)
	}
	if w.Doomed() {
		t.Error("it is still armed")
	}
	if got := call(t, w, "chat.postMessage"); got != http.StatusOK {
		t.Errorf("the message after it: %d", got)
	}
}

// call calls Slack as the bot does, and returns the status; 0 if the connection broke.
func call(t *testing.T, w *world.World, method string) int {
	t.Helper()
	form := url.Values{"channel": {w.Slack.Channel(world.Channel).ID()}, "text": {"hello"}, "ts": {"1.000000"}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.Slack.URL()+"/api/"+method, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+w.People.App.BotToken)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close()
	return answer.StatusCode
}
