package slack

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/dialog"
)

// taken is a Slack that takes every view.
type taken struct{}

func (taken) RoundTrip(*http.Request) (*http.Response, error) {
	body := io.NopCloser(strings.NewReader(`{"ok":true,"view":{"id":"V1","hash":"2"}}`))
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: body}, nil
}

// submission is that of a modal for a sync, in one of the states that its hash stands for.
func submission(envelope, hash string, key button.Key) socketmode.Event {
	v := button.Value{Do: string(action.Sync), App: action.App{Name: "web"}, Fingerprint: "p", Place: action.Place{Channel: "C1", Thread: "1.0"}}
	return socketmode.Event{
		Type: socketmode.EventTypeInteractive, Request: &socketmode.Request{EnvelopeID: envelope},
		Data: slack.InteractionCallback{
			Type: slack.InteractionTypeViewSubmission, TriggerID: "of " + hash, Team: slack.Team{ID: "T1"}, User: slack.User{ID: "U1"},
			View: slack.View{ID: "V1", Hash: hash, CallbackID: dialog.Confirm, PrivateMetadata: key.Encode(v)},
		},
	}
}

// TestASubmissionThatIsDeliveredAgainLeavesTheResult: "Working…" over it would stand there for ever.
func TestASubmissionThatIsDeliveredAgainLeavesTheResult(t *testing.T) {
	a, got := newInbox(t, "T1"), acks{}
	a.Key = button.NewKey("secret")
	a.api = NewClient("xoxb", "", "http://slack.test/api", &http.Client{Transport: taken{}})
	for _, envelope := range []string{"first", "again"} {
		a.envelope(t.Context(), got, submission(envelope, "1", a.Key))
		if !strings.Contains(got[envelope], "Working on web") {
			t.Errorf("%s: %s", envelope, got[envelope])
		}
	}
	q := <-a.presses
	if err := a.fill(t.Context(), q.press, dialog.Told(action.Sync, "It is on its way.")); err != nil {
		t.Fatal(err)
	}
	if a.envelope(t.Context(), got, submission("late", "1", a.Key)); !strings.Contains(got["late"], "It is on its way.") {
		t.Errorf("over the result: %s", got["late"])
	}
	if len(a.presses) != 0 {
		t.Error("it is done twice")
	}
	if a.envelope(t.Context(), got, submission("next", "2", a.Key)); !strings.Contains(got["next"], "Working on web") || len(a.presses) != 1 {
		t.Errorf("submitted once more: %s", got["next"])
	}
}
