package slack_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/workspace"
)

const (
	onlyInside  = "Only you can see this: people from other organizations read this channel, or are invited to it."
	onlyPerhaps = "Only you can see this: Slack did not say whether people from other organizations read this channel."
)

// among plays a story in which #deploys is shared, and everybody may look at what the rules say.
func among(t *testing.T, with workspace.Sharing, rules func(*scene) []audience.Rule, story func(t *testing.T, s *stage)) {
	t.Helper()
	actions, key := newFakeActions(), button.NewKey("secret")
	var viewer *audience.Policy
	play(t, func(o *slack.Options) {
		o.Actions, o.Key = actions, key
		o.Viewer = viewerFunc(func() *audience.Policy { return viewer })
	}, func(t *testing.T, sc *scene) {
		sc.deploys.Share(with)
		var list []audience.Rule
		if rules != nil {
			list = rules(sc)
		}
		viewer = audience.NewPolicy(list, nobodyIn{}, nil)
		s := sc.stage(actions, key)
		s.backend.incidents = nil // else the thread answers
		s.past(&action.Record{Request: action.Request{Kind: action.HardRefresh, App: s.app}, State: action.Done})
		story(t, s)
	})
}

// asks are the commands with an answer for everyone, and what is in it.
var asks = map[string]string{
	"why courier-api": "PreSync hook migrate", "diff courier-api": "courier-api", "history courier-api": "History of prod/courier-api",
	"audit courier-api": "hard refresh", "audit": "hard refresh", "list public": "failing",
}

func TestWhereOtherOrganizationsReadThePersonIsAnsweredAlone(t *testing.T) {
	listed := func(s *scene) []audience.Rule { return []audience.Rule{{Channels: []string{s.deploys.ID()}}} }
	loud := func(s *scene) []audience.Rule { return []audience.Rule{{Users: []string{s.dana.ID}, Publish: true}} }
	for name, test := range map[string]struct {
		with  workspace.Sharing
		rules func(*scene) []audience.Rule
	}{
		"no access policy":                        {workspace.WithStrangers, nil},
		"the channel is listed, but not for them": {workspace.WithStrangers, listed},
		"somebody whose answers are public":       {workspace.WithStrangers, loud},
		"they are invited":                        {workspace.StrangersInvited, nil},
	} {
		for text, want := range asks {
			t.Run(name+": "+text, func(t *testing.T) {
				among(t, test.with, test.rules, func(t *testing.T, s *stage) {
					before := len(s.fromBot(s.deploys.All()))
					s.slash("deploys", text)
					s.say("@argo "+text, "")
					s.shows(s.told("dana"), want, onlyInside)
					s.onlyToDana(before)
				})
			})
		}
	}
}

func TestWhereOtherOrganizationsReadTheThreadIsNamedToThePersonAlone(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.deploys.Share(workspace.WithStrangers)
		before := len(s.fromBot(s.deploys.All()))
		s.say("@argo why courier-api", "")
		if n := len(s.fromBot(s.deploys.All())); n != before || !strings.Contains(s.told("dana"), "Follow it in") {
			t.Errorf("strangers read, or dana does not\n%s", s.all())
		}
	})
}

func TestAnAnswerIsForEveryoneWhereTheOperatorSaysSo(t *testing.T) {
	published := func(s *scene) []audience.Rule {
		return []audience.Rule{{}, {Projects: []string{"default"}, Channels: []string{s.deploys.ID()}, Publish: true}}
	}
	for name, test := range map[string]struct {
		with  workspace.Sharing
		rules func(*scene) []audience.Rule
	}{
		"the channel is listed as public":      {workspace.WithStrangers, published},
		"it is shared within the organization": {workspace.InOrganization, nil},
		"it is not shared":                     {workspace.Unshared, nil},
	} {
		for _, text := range []string{"why courier-api", "history courier-api", "audit courier-api", "list public"} {
			t.Run(name+": "+text, func(t *testing.T) {
				among(t, test.with, test.rules, func(t *testing.T, s *stage) {
					if text == "list public" {
						s.fail(named("courier-api", "default", "", ""), "hook/job-failed", 1)
					}
					before := len(s.fromBot(s.deploys.All()))
					s.slash("deploys", text)
					if n := len(s.fromBot(s.deploys.All())); n == before || strings.Contains(s.told("dana"), "Only you can see this") {
						t.Errorf("not everyone reads it\n%s", s.all())
					}
				})
			})
		}
	}
}

func TestAPublicListShowsStrangersOnlyWhatIsPublished(t *testing.T) {
	rules := func(s *scene) []audience.Rule {
		return []audience.Rule{{}, {Projects: []string{"default"}, Channels: []string{s.deploys.ID()}, Publish: true}}
	}
	among(t, workspace.WithStrangers, rules, func(t *testing.T, s *stage) {
		s.fail(named("courier-api", "default", "", ""), "hook/job-failed", 1)
		s.fail(named("ledger", "payments", "", ""), "hook/job-failed", 2)
		before := len(s.deploys.All())
		s.slash("deploys", "list public")
		all := s.deploys.All()
		if len(all) != before+1 || !strings.Contains(read(all[before]), "courier-api") || strings.Contains(read(all[before]), "ledger") {
			t.Errorf("everyone reads\n%s", s.all())
		}
	})
}

func TestWhileSlackDoesNotSayWhoReadsThePersonIsAnsweredAlone(t *testing.T) {
	among(t, workspace.Unshared, nil, func(t *testing.T, s *stage) {
		s.Fault(workspace.Fault{Method: "conversations.info", Status: 500, Times: -1})
		before := len(s.fromBot(s.deploys.All()))
		s.slash("deploys", "history courier-api")
		s.shows(s.told("dana"), "History of prod/courier-api", onlyPerhaps)
		if n := len(s.fromBot(s.deploys.All())); n != before {
			t.Errorf("everyone reads\n%s", s.all())
		}
	})
}

// TestAChannelThatIsSharedLaterIsNoticed: within the minute that an answer of Slack counts.
func TestAChannelThatIsSharedLaterIsNoticed(t *testing.T) {
	among(t, workspace.Unshared, nil, func(t *testing.T, s *stage) {
		s.slash("deploys", "history courier-api")
		s.deploys.Share(workspace.WithStrangers)
		for range 6 {
			s.settle()
		}
		before := len(s.fromBot(s.deploys.All()))
		s.slash("deploys", "history courier-api")
		s.shows(s.told("dana"), onlyInside)
		if n := len(s.fromBot(s.deploys.All())); n != before {
			t.Errorf("strangers read\n%s", s.all())
		}
	})
}
