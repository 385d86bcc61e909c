package slack_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/workspace"
)

func TestAHardRefreshIsAskedForInTheNameOfWhoClicked(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.click("dana", action.HardRefresh)
		s.did("hard-refresh courier-api by dana Ready")
		r := s.actions.records[0]
		if want := (action.Place{Incident: "courier-api-1", Channel: s.deploys.ID(), Thread: s.root}); r.Place != want || r.By.ID != s.dana.ID || r.Click == "" {
			t.Errorf("%+v", r)
		}
		if said := s.told("dana"); said != "" {
			t.Errorf("the thread tells enough, dana was told %q", said)
		}
		s.counted("hard-refresh", "taken")
	})
}

func TestADoubleClickIsOneClick(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		for range 2 {
			s.must(s.Click("dana", "deploys", s.root, "argo_why_act_sync"))
			time.Sleep(200 * time.Millisecond)
		}
		s.settle()
		if n := len(s.Views("dana")); n != 1 {
			t.Errorf("%d modals", n)
		}
		s.counted("sync", "double")
		s.counted("sync", "shown")
	})
}

func TestTwoPeopleWhoClickTheSameGetOneExecution(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.must(s.Click("dana", "deploys", s.root, "argo_why_act_hard-refresh"))
		s.must(s.Click("erin", "deploys", s.root, "argo_why_act_hard-refresh"))
		s.settle()
		if n := len(s.actions.records); n != 1 {
			t.Errorf("%d records", n)
		}
		s.shows(s.told("dana")+s.told("erin"), "Nothing was done. Sync is already in progress, requested by ")
		s.counted("hard-refresh", "busy")
	})
}

func TestAClickThatIsDeliveredToTwoReplicasIsDoneOnce(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		o := s.options
		o.Registry = nil
		other, err := slack.New(o)
		s.must(err)
		defer s.run(other)()
		s.await("both to connect", func() bool { return s.Sockets(s.bot) == 2 })
		s.click("dana", action.HardRefresh)
		for range 3 { // in turn: both get it
			if !s.Redeliver() {
				t.Fatal("nothing was delivered again")
			}
			s.settle()
		}
		s.did("hard-refresh courier-api by dana Ready")
		if said := s.told("dana"); said != "" {
			t.Errorf("dana was told %q", said)
		}
	})
}

func TestAClickThatNobodyCanHaveMadeIsRefusedCountedAndTold(t *testing.T) {
	const notMine = "This button was not created by this bot"
	sign := func(s *stage, secret string, v button.Value) string {
		return button.NewKey(secret).In(s.deploys.ID()).Once(time.Now()).Encode("argo_why_act_hard-refresh", v)
	}
	for name, c := range map[string]struct {
		edit    func(s *stage, p map[string]any)
		says    string
		action  string
		outcome string
	}{
		"an edited value": {func(_ *stage, p map[string]any) {
			edit(actionOf(p), "value", "courier-api", "rating-api")
		}, notMine, "unknown", "forged"},
		"a value without signature": {func(_ *stage, p map[string]any) { actionOf(p)["value"] = `{"do":"hard-refresh"}` }, notMine, "unknown", "forged"},
		"a value of another bot": {func(s *stage, p map[string]any) {
			actionOf(p)["value"] = sign(s, "other", button.Value{Do: "hard-refresh", App: s.app})
		}, notMine, "unknown", "forged"},
		"the value of another button": {func(s *stage, p map[string]any) {
			actionOf(p)["value"] = sign(s, "secret", button.Value{Do: "sync", App: s.app})
		}, notMine, "unknown", "forged"},
		"the button of another application": {func(s *stage, p map[string]any) {
			actionOf(p)["value"] = sign(s, "secret", button.Value{Do: "hard-refresh", App: s.backend.apps[1].App})
		}, "This button does not belong to this message.", "hard-refresh", "forged"},
		"another channel than that of the message": {func(s *stage, p map[string]any) {
			at(p, "channel")["id"] = s.ops.ID()
		}, notMine, "unknown", "forged"},
		"another message":       {func(_ *stage, p map[string]any) { at(p, "message")["ts"] = "1.000000" }, notMine, "hard-refresh", "forged"},
		"a message of somebody": {func(s *stage, p map[string]any) { at(p, "message")["user"] = s.erin.ID }, notMine, "hard-refresh", "forged"},
		"a click of an hour ago": {func(_ *stage, p map[string]any) {
			actionOf(p)["action_ts"] = tsOf(time.Now().Add(-time.Hour))
		}, "That click arrived too late.", "hard-refresh", "replayed"},
		"a click of tomorrow": {func(_ *stage, p map[string]any) {
			actionOf(p)["action_ts"] = tsOf(time.Now().Add(24 * time.Hour))
		}, "That click arrived too late.", "hard-refresh", "replayed"},
		"a click without a time":      {func(_ *stage, p map[string]any) { actionOf(p)["action_ts"] = "NaN" }, "That click arrived too late.", "hard-refresh", "replayed"},
		"another workspace":           {func(_ *stage, p map[string]any) { at(p, "team")["id"] = "T0OTHER" }, "I only answer members of the workspace", "hard-refresh", "foreign"},
		"a guest of another company":  {func(_ *stage, p map[string]any) { at(p, "user")["team_id"] = "T0OTHER" }, "I only answer members of the workspace", "hard-refresh", "foreign"},
		"somebody who does not exist": {func(_ *stage, p map[string]any) { at(p, "user")["id"] = "U0MALLORY" }, "I only answer members of the workspace", "hard-refresh", "foreign"},
		"somebody not in the channel": {func(s *stage, p map[string]any) { at(p, "user")["id"] = s.outside }, "Only members of this channel can do this", "hard-refresh", "not-member"},
		"a message for one person":    {func(_ *stage, p map[string]any) { at(p, "container")["is_ephemeral"] = true }, "I can't post here. Type /invite @argo", "hard-refresh", "nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			perform(t, func(t *testing.T, s *stage) {
				s.Tamper(func(p map[string]any) { c.edit(s, p) })
				s.click("dana", action.HardRefresh)
				s.did()
				s.shows(s.told("dana"), c.says) // the response URL leads to the person who clicked really
				s.counted(c.action, c.outcome)
				s.shows(s.log.String(), `level=WARN msg="click refused"`, "outcome="+c.outcome)
			})
		})
	}
}

func TestAMenuThatNobodyMade(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.Tamper(func(p map[string]any) { at(actionOf(p), "selected_option")["value"] = "8760h" })
		s.must(s.Choose("dana", "deploys", s.root, "argo_why_mute", "1h"))
		s.settle()
		s.backend.incidents = nil
		s.must(s.Choose("dana", "deploys", s.root, "argo_why_mute", "4h"))
		s.settle()
		s.did()
		s.shows(s.told("dana"), "This button was not created by this bot", "This thread no longer has an incident, so there is nothing to mute.")
		s.counted("mute", "forged")
	})
}

func TestWhoIsInAChannelIsAskedOnceAMinuteAndNobodyIsWhenSlackDoesNotSay(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		click := func() {
			t.Helper()
			s.click("dana", action.HardRefresh)
			if n := len(s.actions.records); n > 0 {
				s.actions.records[n-1].State = action.Done
			}
		}
		click()
		click()
		if n := s.Calls("conversations.members"); n != 1 {
			t.Errorf("Slack was asked %d times", n)
		}
		time.Sleep(time.Minute)
		s.Fault(workspace.Fault{Method: "conversations.members", Status: 500, Times: -1})
		click()
		if n := len(s.actions.records); n != 2 {
			t.Errorf("%d records", n)
		}
		s.shows(s.told("dana"), "Slack could not confirm that you are in this channel, so nothing was done.")
		s.counted("hard-refresh", "unchecked")
		s.ClearFaults()
		s.Fault(workspace.Fault{Method: "conversations.members", Error: "missing_scope"})
		click()
		s.shows(s.told("dana"), "I can't see who is in this conversation, so nothing was done.")
		s.deploys.Kick("dana")
		s.deploys.Invite("dana") // only members of the channel can click
		click()
		if n := len(s.actions.records); n != 3 {
			t.Errorf("%d records", n)
		}
	})
}

func TestAChannelWithThousandsOfMembers(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		there := []string{"argo"}
		for i := range 2500 {
			there = append(there, s.AddUser(workspace.User{Name: fmt.Sprintf("u%d", i)}).ID)
		}
		big := s.AddChannel("big", there...)
		root := s.post(big.ID(), s.buttons(big.ID(), "", s.app)...)
		s.must(s.Click("u2400", "big", root, "argo_why_act_hard-refresh"))
		s.settle()
		s.did("hard-refresh courier-api by u2400 Ready")
		if n := s.Calls("conversations.members"); n != 3 {
			t.Errorf("%d pages", n)
		}
	})
}

func TestWhoMayNotLookMayNotClick(t *testing.T) {
	d, key := newFakeActions(), button.NewKey("secret")
	play(t, func(o *slack.Options) {
		o.Actions, o.Key = d, key
		o.Viewer = audience.NewPolicy([]audience.Rule{{Users: []string{"U0SOMEBODY"}}}, nil, nil)
	}, func(t *testing.T, sc *scene) {
		s := sc.stage(d, key)
		s.click("dana", action.HardRefresh)
		s.did()
		s.shows(s.told("dana"), "courier-api no longer exists, or you don't have access to it. Nothing was done.", "Access to applications is given to @U0SOMEBODY.")
		s.counted("hard-refresh", "not-seen")
	})
}

func TestAnApplicationThatIsGone(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.backend.apps = s.backend.apps[1:]
		s.click("dana", action.HardRefresh)
		s.did()
		s.shows(s.told("dana"), "courier-api no longer exists. Nothing was done.")
	})
}

func TestNamesWithMarkupCallNobody(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.app = action.App{Instance: "prod", Namespace: "argocd", Name: "<!channel> *x* <https://evil.example|y>"}
		s.backend.also("prod", "argocd", s.app.Name, "default")
		s.actions.may = nil
		s.root = s.post(s.deploys.ID(), s.buttons(s.deploys.ID(), "", s.app)...)
		s.click("dana", action.Sync)
		if raw := string(s.view("dana").Raw); strings.Contains(raw, `"mrkdwn"`) || strings.Contains(raw, `"broadcast"`) || strings.Contains(raw, `"link"`) {
			t.Error(raw)
		}
		s.backend.apps = nil
		s.click("dana", action.HardRefresh)
		s.shows(s.told("dana"), "<!channel> *x* <https://evil.example|y> no longer exists")
		for _, m := range s.deploys.Ephemerals("dana") {
			if raw := string(m.Blocks); strings.Contains(m.Text, "<!") || strings.Contains(raw, `"mrkdwn"`) || strings.Contains(raw, `"broadcast"`) {
				t.Errorf("%s\n%s", m.Text, raw)
			}
		}
	})
}

func TestButtonsBeneathAnAnswerToldInPrivate(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		im := s.DirectMessage(s.bot, "dana")
		root := s.post(im.ID(), s.buttons(im.ID(), "", s.app)...)
		s.must(s.Click("dana", im.ID(), root, "argo_why_act_hard-refresh"))
		s.settle()
		s.did("hard-refresh courier-api by dana Ready")
		if p := s.actions.records[0].Place; p != (action.Place{Channel: im.ID(), Thread: root}) {
			t.Errorf("%+v", p)
		}
		s.Tamper(func(p map[string]any) { at(p, "user")["id"] = s.erin.ID })
		s.must(s.Click("dana", im.ID(), root, "argo_why_act_terminate"))
		s.settle()
		s.counted("terminate", "not-member")
	})
}
