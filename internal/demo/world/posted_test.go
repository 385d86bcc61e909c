package world_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/demo/world"
)

// A count that cannot grow proves nothing: it grows when the same message of an incident, or a second thread of it, is posted.
func TestPostedTwiceIsCounted(t *testing.T) {
	w := begin(t)
	root := post(t, w, "", "web-1", 0)
	post(t, w, root, "web-1", 1)
	if _, err := w.Slack.Say("alice", world.Channel, "I say something, too", ""); err != nil {
		t.Fatal(err)
	}
	if got, want := w.Posted(), (world.Posted{Messages: 2}); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	post(t, w, root, "web-1", 1)
	post(t, w, "", "web-1", 7)
	post(t, w, "", "web-2", 0)
	if got, want := w.Posted(), (world.Posted{Messages: 5, Twice: 2}); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
}

// post posts as the bot does, and returns the ts.
func post(t *testing.T, w *world.World, thread, incident string, number int) string {
	t.Helper()
	form := url.Values{
		"channel": {w.Slack.Channel(world.Channel).ID()}, "text": {"hello"}, "thread_ts": {thread},
		"metadata": {fmt.Sprintf(`{"event_type":"argo_why","event_payload":{"incident":%q,"seq":%d}}`, incident, number)},
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.Slack.URL()+"/api/chat.postMessage", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+w.People.App.BotToken)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var posted struct {
		OK bool
		TS string
	}
	if err := json.Unmarshal(raw, &posted); err != nil || !posted.OK {
		t.Fatalf("%s, %v", raw, err)
	}
	return posted.TS
}
