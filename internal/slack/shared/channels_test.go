package shared_test

import (
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/shared"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

func TestWhoReadsAChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := workspacetest.New(t)
		bot := w.AddApp(workspace.App{Name: "argo"})
		channels := shared.New(slack.NewClient(bot.BotToken, "", "http://slack.test/api", &http.Client{Transport: w.Transport()}), slog.New(slog.DiscardHandler))
		c := w.AddChannel("partners", bot.BotUserID)
		is := func(want shared.State) {
			t.Helper()
			if got, err := channels.State(t.Context(), c.ID()); got != want || (err == nil) != (want != "") {
				t.Errorf("%q, %v, want %q", got, err, want)
			}
		}
		for _, step := range []struct {
			with workspace.Sharing
			want shared.State
		}{
			{workspace.Unshared, shared.Internal},
			{workspace.InOrganization, shared.Internal},
			{workspace.StrangersInvited, shared.Invited},
			{workspace.WithStrangers, shared.External},
		} {
			c.Share(step.with)
			is(step.want)
			time.Sleep(2 * time.Minute)
		}

		// Within a minute Slack is asked once; after that what it said does not count if it fails.
		calls := w.Calls("conversations.info")
		c.Share(workspace.Unshared)
		is(shared.Internal)
		is(shared.Internal)
		if n := w.Calls("conversations.info") - calls; n != 1 {
			t.Errorf("Slack was asked %d times", n)
		}
		time.Sleep(2 * time.Minute)
		w.Fault(workspace.Fault{Method: "conversations.info", Status: 500, Times: -1})
		is("")
		w.ClearFaults()
		is(shared.Internal)
	})
}

// TestAChannelThatIsSharedInAnUnknownWayIsExternal: whatever Slack may call it in future.
func TestAChannelThatIsSharedInAnUnknownWayIsExternal(t *testing.T) {
	var c slackgo.Channel
	c.IsShared = true
	if got := shared.Of(&c); got != shared.External {
		t.Error(got)
	}
}

func TestAPrivateChannelThatTheBotIsNotInIsUnknown(t *testing.T) {
	w := workspacetest.New(t)
	bot := w.AddApp(workspace.App{Name: "argo"})
	channels := shared.New(slack.NewClient(bot.BotToken, "", "http://slack.test/api", &http.Client{Transport: w.Transport()}), slog.New(slog.DiscardHandler))
	if got, err := channels.State(t.Context(), w.AddPrivateChannel("secret").ID()); err == nil {
		t.Error(got)
	}
}
