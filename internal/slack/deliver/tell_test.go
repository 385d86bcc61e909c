package deliver_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/workspace"
)

func TestAnIncidentGetsRootDetailsAndRepliesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web", reply(2, "first"), reply(3, "second"), reply(5, "third"))
		s.told(t, i, false)
		got := thread(t, s.deploys)
		if n := seqs(t, got); n != "0 1 2 3 5" {
			t.Errorf("messages %s", n)
		}
		if !strings.Contains(got[0].Text, "web: PreSync hook failed\nJob/migrate exited 1.") {
			t.Errorf("notification %q", got[0].Text)
		}
		if len(i.Outbox) != 0 || i.Thread.Permalink != s.deploys.Permalink(got[0].TS) || i.Thread.Channel != s.deploys.ID() {
			t.Errorf("told %+v, left %v", i.Thread, i.Outbox)
		}
		for _, call := range s.Log("chat.postMessage") {
			if call.Args.Get("unfurl_links") != "false" || call.Args.Get("unfurl_media") != "false" || call.Args.Get("parse") == "full" {
				t.Errorf("texts would be unfurled: %v", call.Args)
			}
		}
	})
}

func TestNothingNewIsNotTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, i, false)
		before := s.Calls("")
		s.told(t, i, false)
		if n := s.Calls("") - before; n != 0 {
			t.Errorf("%d calls for nothing new", n)
		}
	})
}

func TestAnIncidentThatJoinedAnotherBeforeItWasToldGetsNoThread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		i.Phase, i.JoinedTo = incident.Joined, "git-k3v9q2mz"
		s.told(t, i, true) // after a crash
		if n := len(s.deploys.Messages()); n != 0 {
			t.Errorf("%d messages", n)
		}
	})
}

func TestManyChangesAreOneUpdateInPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, i, false)
		for n := range 20 { // all before the next Notify
			r := *i.Report
			r.Headline = fmt.Sprintf("web: attempt %d failed", n)
			i.Report = &r
		}
		s.told(t, i, false)
		got := thread(t, s.deploys)
		if got[0].Updates != 1 || !strings.Contains(got[0].Text, "attempt 19") {
			t.Errorf("%d updates, shows %q", got[0].Updates, got[0].Text)
		}
		if s.Calls("chat.postMessage") != 2 {
			t.Errorf("%d posts", s.Calls("chat.postMessage"))
		}
	})
}

func TestAChannelThatWaitsHoldsUpNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{
			Method: "chat.postMessage", Status: 429, RetryAfter: time.Minute,
			Match: func(args url.Values) bool { return args.Get("channel") == s.deploys.ID() },
		})
		start := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() { s.told(t, failing("web"), false) })
		wg.Go(func() {
			time.Sleep(time.Second)
			i := failing("bills")
			i.Channel = s.billing.ID()
			s.told(t, i, false)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("the other channel was told after %s", took)
			}
		})
		wg.Wait()
		if took := time.Since(start); took < time.Minute {
			t.Errorf("told after %s", took)
		}
	})
}

func TestAStormKeepsThePaceOfSlack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, workspace.Options{Pace: true})
		const many = 20
		var wg sync.WaitGroup
		for n := range many {
			wg.Go(func() { s.told(t, failing(fmt.Sprintf("web-%d", n)), false) })
		}
		wg.Wait()
		if n := len(s.deploys.Messages()); n != many {
			t.Errorf("%d threads", n)
		}
		limited := 0
		for _, call := range s.Log("chat.postMessage") {
			if call.Status == http.StatusTooManyRequests {
				limited++
			}
		}
		if limited > 0 {
			t.Errorf("Slack had to say %d times that it is too much", limited)
		}
	})
}

func TestADeletedThreadIsToldAnewWhileItFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, i, false)
		all := thread(t, s.deploys)
		s.gone(t, s.deploys, all[1], all[0])
		r := *i.Report
		r.Headline = "web: fails in another way"
		i.Report, i.Outbox = &r, []incident.Reply{reply(2, "changed")}
		s.told(t, i, false)
		if n := seqs(t, thread(t, s.deploys)); n != "0 1 2" {
			t.Errorf("messages %s", n)
		}
	})
}

func TestDeletedDetailsComeBackInTheSameThread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, i, false)
		s.gone(t, s.deploys, thread(t, s.deploys)[1])
		r := *i.Report
		r.Headline, r.Findings = "web: fails in another way", slices.Clone(r.Findings)
		r.Findings[0].Evidence = []diagnose.Quote{{From: "log", Text: "no route to host"}}
		i.Report = &r
		s.told(t, i, false)
		got := thread(t, s.deploys)
		if n := seqs(t, got); n != "0 1" || got[0].Updates != 1 {
			t.Errorf("messages %s, %d updates", n, got[0].Updates)
		}
	})
}

func TestADeletedThreadStaysDeletedWhenAllIsWell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, i, false)
		all := thread(t, s.deploys)
		s.gone(t, s.deploys, all[1], all[0])
		i.Phase, i.RecoveredAt, i.Outbox = incident.Recovered, time.Now().Add(time.Hour), []incident.Reply{reply(2, "well")}
		s.told(t, i, false)
		if len(s.deploys.All()) != 0 || len(i.Outbox) != 0 {
			t.Errorf("%d messages, %d due", len(s.deploys.All()), len(i.Outbox))
		}
	})
}

// TestALogIsNotLetGoWithADeletedThread: the Job whose log it is would be deleted.
func TestALogIsNotLetGoWithADeletedThread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, i, false)
		all := thread(t, s.deploys)
		s.gone(t, s.deploys, all[1], all[0])
		r := &action.Record{ID: "delete-1", Request: action.Request{Kind: action.DeleteHookJob, App: i.Members[0].App}, State: action.Running}
		log := incident.Reply{Number: 3, Reason: incident.Acted, Action: r, Note: &action.Note{Number: 1, State: action.Running, Log: "relation users exists"}}
		i.Phase, i.RecoveredAt, i.Actions = incident.Recovered, time.Now().Add(time.Hour), []*action.Record{r}
		i.Outbox = []incident.Reply{reply(2, "well"), log, reply(4, "well")}
		err := s.tell(t, i, false)
		if known, ok := errors.AsType[*incident.NotifyError](err); !ok || !known.Permanent || !strings.Contains(err.Error(), "the thread where the log must be saved was deleted") {
			t.Errorf("told: %v", err)
		}
		if len(i.Outbox) != 1 || i.Outbox[0].Number != 3 {
			t.Errorf("due: %v", i.Outbox)
		}
		failed := *r
		failed.State = action.Failed
		i.Actions = []*action.Record{&failed}
		s.told(t, i, false)
		if len(s.deploys.All()) != 0 || len(i.Outbox) != 0 {
			t.Errorf("%d messages, %d due", len(s.deploys.All()), len(i.Outbox))
		}
	})
}

func TestAForeignMessageWithOurMetadataIsNotTakenForOurs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		other := s.AddApp(workspace.App{Name: "impostor"})
		s.deploys.Invite("impostor")
		i := failing("web")
		client := slack.New(other.BotToken, slack.OptionAPIURL("http://slack.test/api/"), slack.OptionHTTPClient(&http.Client{Transport: s.Transport()}))
		if _, _, err := client.PostMessageContext(t.Context(), s.deploys.ID(), slack.MsgOptionText("x", false),
			slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "argo_why", EventPayload: map[string]any{"incident": i.ID, "seq": 0}})); err != nil {
			t.Fatal(err)
		}
		s.told(t, i, true)
		if n := len(s.deploys.Messages()); n != 2 {
			t.Errorf("%d messages", n)
		}
	})
}

func TestTheRootIsFoundInABusyChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, failing("web"), false)
		for n := range 450 {
			if _, err := s.Say("alice", "deploys", fmt.Sprint("chatter ", n), ""); err != nil {
				t.Fatal(err)
			}
		}
		s.told(t, i, true)
		if n := s.Calls("chat.postMessage"); n != 2 {
			t.Errorf("%d posts, want the two of the first time", n)
		}
	})
}

// TestTheThreadOfADamagedEntryIsFound: the incident that goes on there has another ID, and its messages that of the former.
func TestTheThreadOfADamagedEntryIsFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, failing("web"), false)
		i.PostedAs, i.ID = i.ID, "web-renewed"
		s.told(t, i, true)
		if n := s.Calls("chat.postMessage"); n != 2 {
			t.Errorf("%d posts, want the two of the first time", n)
		}
	})
}
