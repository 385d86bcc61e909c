package act

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/slack/socket"
)

// taken is a Slack that takes every view.
type taken struct{}

func (taken) RoundTrip(*http.Request) (*http.Response, error) {
	body := io.NopCloser(strings.NewReader(`{"ok":true,"view":{"id":"V1","hash":"2"}}`))
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: body}, nil
}

// submission is that of a modal for a sync, in one of the states that its hash stands for.
func submission(hash string, key button.Key) slack.InteractionCallback {
	v := button.Value{Do: string(action.Sync), App: action.App{Name: "web"}, Fingerprint: "p", Place: action.Place{Channel: "C1", Thread: "1.0"}}
	return slack.InteractionCallback{
		Type: slack.InteractionTypeViewSubmission, TriggerID: "of " + hash, Team: slack.Team{ID: "T1"}, User: slack.User{ID: "U1"},
		View: slack.View{ID: "V1", Hash: hash, CallbackID: dialog.Confirm, PrivateMetadata: key.On("V1", "U1").Encode(dialog.Confirm, v)},
	}
}

// TestASubmissionThatIsDeliveredAgainLeavesTheResult: "Working…" over it would stand there for ever.
func TestASubmissionThatIsDeliveredAgainLeavesTheResult(t *testing.T) {
	key, delivered := button.NewKey("secret"), socket.NewSeen(time.Minute)
	api := slack.New("xoxb", slack.OptionAPIURL("http://slack.test/api/"), slack.OptionHTTPClient(&http.Client{Transport: taken{}}))
	a := New(Options{API: api, Team: "T1", Key: key})
	self := socket.Identity{User: "UBOT", Name: "argo"}
	// deliver is what the acknowledgement shows, and whether there is something to do.
	deliver := func(hash string) (shows string, todo bool) {
		e := a.Submission(submission(hash, key), self)
		outcome := socket.Taken
		if delivered.Before(e.Keys...) {
			outcome = socket.Duplicate
		}
		raw, err := json.Marshal(e.Payload(outcome))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw), outcome == socket.Taken && e.Work != nil
	}
	for _, first := range []bool{true, false} {
		if shows, todo := deliver("1"); !strings.Contains(shows, "Working on web") || todo != first {
			t.Errorf("first %t: %s, to be done: %t", first, shows, todo)
		}
	}
	c := a.readSubmission(submission("1", key), self)
	if err := a.modals.fill(t.Context(), c, dialog.Told(action.Sync, "Started.")); err != nil {
		t.Fatal(err)
	}
	if shows, todo := deliver("1"); !strings.Contains(shows, "Started.") || todo {
		t.Errorf("over the result: %s, done twice: %t", shows, todo)
	}
	if shows, todo := deliver("2"); !strings.Contains(shows, "Working on web") || !todo {
		t.Errorf("submitted once more: %s, to be done: %t", shows, todo)
	}
}
