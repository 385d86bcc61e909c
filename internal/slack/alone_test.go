package slack_test

import (
	"strings"
	"testing"

	slackgo "github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/workspace"
)

const onlyYou = "Only you can see this: you have access to the application, but not everyone in this channel does."

// asAPerson plays a story in which dana sees project default as a person, and nobody else does.
func asAPerson(t *testing.T, change func(*audience.Rule, *scene), story func(t *testing.T, s *stage)) {
	t.Helper()
	actions, key := newFakeActions(), button.NewKey("secret")
	var viewer *audience.Policy
	play(t, func(o *slack.Options) {
		o.Actions, o.Key = actions, key
		o.Viewer = viewerFunc(func() *audience.Policy { return viewer })
	}, func(t *testing.T, sc *scene) {
		rule := audience.Rule{Projects: []string{"default"}, Users: []string{sc.dana.ID}}
		if change != nil {
			change(&rule, sc)
		}
		viewer = audience.NewPolicy([]audience.Rule{rule}, nobodyIn{}, nil)
		s := sc.stage(actions, key)
		s.backend.incidents = nil // else the thread answers
		story(t, s)
	})
}

func TestAPersonWithAccessIsAnsweredAlone(t *testing.T) {
	ways := map[string]func(s *stage, text string){
		"a command":             func(s *stage, text string) { s.slash("deploys", text) },
		"a mention":             func(s *stage, text string) { s.say("@argo "+text, "") },
		"a mention in a thread": func(s *stage, text string) { s.say("@argo "+text, s.root) },
	}
	for way, ask := range ways {
		for text, want := range map[string]string{
			"why courier-api": "PreSync hook migrate", "diff courier-api": "courier-api", "history courier-api": "History of prod/courier-api",
			"audit courier-api": "hard refresh",
		} {
			t.Run(way+": "+text, func(t *testing.T) {
				asAPerson(t, nil, func(t *testing.T, s *stage) {
					s.past(&action.Record{Request: action.Request{Kind: action.HardRefresh, App: s.app}, State: action.Done})
					before := len(s.fromBot(s.deploys.All()))
					ask(s, text)
					s.shows(s.told("dana"), want, onlyYou)
					s.onlyToDana(before)
				})
			})
		}
	}
}

// onlyToDana: the channel has as many messages of the bot as before, and what she alone reads has no buttons that act.
func (s *stage) onlyToDana(before int) {
	s.t.Helper()
	if n := len(s.fromBot(s.deploys.All())); n != before {
		s.t.Errorf("others in the channel read it\n%s", s.all())
	}
	for _, m := range s.deploys.Ephemerals("dana") {
		if containsAct(m) {
			s.t.Error("a message for one person has buttons that act")
		}
	}
}

func TestAnAnswerThatEveryoneMaySeeIsForEveryone(t *testing.T) {
	for name, change := range map[string]func(*audience.Rule, *scene){
		"the channel is listed":    func(r *audience.Rule, s *scene) { r.Channels = []string{s.deploys.ID()} },
		"the answers are public":   func(r *audience.Rule, _ *scene) { r.Publish = true },
		"everybody may look at it": func(r *audience.Rule, _ *scene) { r.Users = nil },
	} {
		t.Run(name, func(t *testing.T) {
			asAPerson(t, change, func(t *testing.T, s *stage) {
				before := len(s.fromBot(s.deploys.All()))
				s.slash("deploys", "history courier-api")
				all := s.fromBot(s.deploys.All())
				if len(all) != before+1 {
					t.Fatalf("%d answers\n%s", len(all)-before, s.all())
				}
				s.shows(read(all[before]), "History of prod/courier-api")
			})
		})
	}
}

func TestADirectMessageOfAPersonWithAccessIsAnsweredThere(t *testing.T) {
	asAPerson(t, nil, func(t *testing.T, s *stage) {
		_, err := s.Tell("dana", s.bot, "history courier-api", "")
		s.must(err)
		s.settle()
		s.shows(s.all(), "History of prod/courier-api")
		if got := s.all(); strings.Contains(got, onlyYou) {
			t.Error(got)
		}
	})
}

func TestAPublicListHasWhatEveryoneMaySee(t *testing.T) {
	asAPerson(t, nil, func(t *testing.T, s *stage) {
		s.fail(named("courier-api", "default", "", ""), "hook/job-failed", 1)
		s.slash("deploys", "list")
		s.shows(s.told("dana"), "1 application is failing")
		before := len(s.deploys.All())
		s.slash("deploys", "list public")
		all := s.deploys.All()
		if len(all) != before+1 || strings.Contains(read(all[before]), "courier-api") {
			t.Errorf("everyone reads\n%s", s.all())
		}
	})
}

// TestGuestsSeeWhatTheyAreGiven: by name, or with the channel.
func TestGuestsSeeWhatTheyAreGiven(t *testing.T) {
	for name, test := range map[string]struct {
		rules func(s *scene, gina string) []audience.Rule
		like  bool // members
		want  string
	}{
		"everybody may":          {rules: func(*scene, string) []audience.Rule { return nil }, want: "As a guest of this workspace you see only the applications that an entry under access"},
		"in a group":             {rules: func(*scene, string) []audience.Rule { return []audience.Rule{{Groups: []string{"S0ALL"}}} }, want: "As a guest of this workspace"},
		"named":                  {rules: func(_ *scene, gina string) []audience.Rule { return []audience.Rule{{Users: []string{gina}}} }, want: "History of prod/courier-api"},
		"in a channel of a rule": {rules: func(s *scene, _ string) []audience.Rule { return []audience.Rule{{Channels: []string{s.deploys.ID()}}} }, want: "History of prod/courier-api"},
		"guests like members":    {rules: func(*scene, string) []audience.Rule { return nil }, like: true, want: "History of prod/courier-api"},
	} {
		for kind, gina := range map[string]workspace.User{"single-channel": {SingleChannel: true}, "multi-channel": {Guest: true}} {
			t.Run(name+", "+kind, func(t *testing.T) {
				var viewer *audience.Policy
				play(t, func(o *slack.Options) { o.Viewer = viewerFunc(func() *audience.Policy { return viewer }) }, func(t *testing.T, s *scene) {
					gina.Name = "gina"
					id := s.AddUser(gina).ID
					s.deploys.Invite("gina")
					var guests audience.Guests = s.options.People.Guests()
					if test.like {
						guests = nil
					}
					viewer = audience.NewPolicy(test.rules(s, id), allIn{id}, guests)
					s.must(s.Command("gina", "deploys", "/argo", "history courier-api"))
					s.settle()
					got := ""
					for _, m := range append(s.deploys.Ephemerals("gina"), s.deploys.All()...) {
						got += read(m)
					}
					s.shows(got, test.want)
				})
			})
		}
	}
}

func TestAGuestOpensNoThreads(t *testing.T) {
	for name, who := range map[string]workspace.User{"a guest": {Guest: true}, "a member": {}} {
		t.Run(name, func(t *testing.T) {
			perform(t, func(t *testing.T, s *stage) {
				who.Name = "gina"
				s.AddUser(who)
				s.deploys.Invite("gina")
				open := s.button(s.deploys.ID(), "argo_why_open", button.Value{Do: button.Open, App: s.app, Line: "1"})
				ts := s.post(s.deploys.ID(), slackgo.NewActionBlock("", open))
				s.backend.incidents = append(s.backend.incidents, &incident.Incident{
					ID: "backlog", Members: []incident.Member{{App: s.app}}, Thread: incident.Thread{Channel: s.deploys.ID(), TS: ts},
				})
				s.must(s.Click("gina", "deploys", ts, "argo_why_open"))
				s.settle()
				const refused = "Guests of the workspace can't open threads. Nothing was done."
				if got := s.told("gina"); strings.Contains(got, refused) != who.Guest || got == "" {
					t.Error(got)
				}
			})
		})
	}
}
