package slack_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/workspace"
)

// homes are the two kinds of slack.team: a workspace, and the organization that it is part of.
var homes = map[string]workspace.Options{
	"a workspace":     {},
	"an organization": {Enterprise: "E0ACME", Workspaces: []string{"T0SECOND"}},
}

// arrive plays a story with somebody in #deploys, in each kind of home that has them.
func arrive(t *testing.T, who workspace.User, story func(t *testing.T, s *stage)) {
	t.Helper()
	for name, home := range homes {
		t.Run(name, func(t *testing.T) {
			actions, key := newFakeActions(), button.NewKey("secret")
			playIn(t, home, func(o *slack.Options) {
				o.Actions, o.Key = actions, key
				if home.Enterprise != "" {
					o.Team = home.Enterprise
				}
			}, func(t *testing.T, s *scene) {
				who.Name = "frank"
				frank := s.AddUser(who)
				s.deploys.Invite("frank")
				actions.may = []string{s.dana.ID, frank.ID} // the policy does not matter: they are not let through to it
				actions.approvers = []string{s.erin.ID, frank.ID}
				s.backend.also("staging", "argocd", "courier-api", "default")
				story(t, s.stage(actions, key))
			})
		})
	}
}

// entrance is one of the ways in which people reach the bot.
type entrance struct {
	name  string
	enter func(s *stage)
}

// asking are the ways to ask, as frank.
var asking = []entrance{
	{"a command", func(s *stage) { s.must(s.Command("frank", "deploys", "/argo", "history courier-api")) }},
	{"a list", func(s *stage) { s.must(s.Command("frank", "deploys", "/argo", "list")) }},
	{"a mention", func(s *stage) {
		_, err := s.Say("frank", "deploys", "<@"+s.bot.BotUserID+"> history rating-api-two", "")
		s.must(err)
	}},
	{"a mention in a thread", func(s *stage) {
		_, err := s.Say("frank", "deploys", "<@"+s.bot.BotUserID+"> why", s.root)
		s.must(err)
	}},
	{"a direct message", func(s *stage) {
		_, err := s.Tell("frank", s.bot, "why rating-api-two", "")
		s.must(err)
	}},
}

// acting are the ways to act, as frank.
var acting = []entrance{
	{"a button", func(s *stage) { s.must(s.Click("frank", "deploys", s.root, "argo_why_act_hard-refresh")) }},
	{"a button with a dialog", func(s *stage) { s.must(s.Click("frank", "deploys", s.root, "argo_why_act_sync")) }},
	{"the mute menu", func(s *stage) { s.must(s.Choose("frank", "deploys", s.root, "argo_why_mute", "4h")) }},
	{"an approval", func(s *stage) { s.must(s.Click("frank", "deploys", s.request(), "argo_why_approve")) }},
}

// idOf is the ID of a person.
func (s *scene) idOf(name string) string {
	for _, u := range s.Users() {
		if u.Name == name {
			return u.ID
		}
	}
	s.t.Fatalf("no person named %s", name)
	return ""
}

// seen is all that frank alone is shown.
func (s *stage) seen() string {
	all := s.told("frank")
	for _, v := range s.Views("frank") {
		all += v.Shown()
	}
	for _, c := range s.Channels() {
		for _, m := range c.All() {
			if c.Name() != "deploys" && m.User == s.bot.BotUserID {
				all += read(m)
			}
		}
	}
	return all
}

func TestStrangersNeitherAskNorAct(t *testing.T) {
	const said = "I only answer members of the workspace I am installed in."
	for name, who := range map[string]workspace.User{
		"of another organization":                {TeamID: "T0OTHER", Enterprise: "E0OTHER"},
		"of another workspace":                   {TeamID: "T0OTHER"},
		"a guest of another workspace":           {TeamID: "T0OTHER", Guest: true},
		"whom no channel is shared with anymore": {TeamID: "T0OTHER", Stranger: true},
	} {
		t.Run(name, func(t *testing.T) {
			for _, e := range append(asking, acting...) {
				t.Run(e.name, func(t *testing.T) {
					arrive(t, who, func(t *testing.T, s *stage) {
						s.actions.wait(s)
						asked, posted := s.backend.asked, len(s.deploys.All())
						e.enter(s)
						s.settle()
						s.shows(s.seen(), said)
						s.did("sync courier-api by dana Waiting")
						if s.backend.asked != asked || len(s.fromBot(s.deploys.All()))-posted > 1 { // the request that frank should approve
							t.Errorf("frank was answered\n%s", s.all())
						}
					})
				})
			}
		})
	}
}

// wait has a sync of dana wait for somebody's approval.
func (f *fakeActions) wait(s *stage) {
	s.must(s.Click("dana", "deploys", s.root, "argo_why_act_sync"))
	s.settle()
	s.submit("dana", nil)
}

func TestAStrangerWhoOpenedADialogCannotSubmitIt(t *testing.T) {
	arrive(t, workspace.User{TeamID: "T0OTHER"}, func(t *testing.T, s *stage) {
		s.must(s.Click("dana", "deploys", s.root, "argo_why_act_sync"))
		s.settle()
		id := s.idOf("frank")
		s.Tamper(func(p map[string]any) {
			p["user"] = map[string]any{"id": id, "name": "frank", "team_id": s.TeamID()} // the claim of a member
			// As if it had been opened for frank: one of dana's is no good to anybody else.
			view := at(p, "view")
			v, err := s.key.On(fmt.Sprint(view["id"]), s.dana.ID).Decode(dialog.Confirm, fmt.Sprint(view["private_metadata"]))
			s.must(err)
			view["private_metadata"] = s.key.On(fmt.Sprint(view["id"]), id).Encode(dialog.Confirm, v)
		})
		s.submit("dana", nil)
		s.did()
		s.shows(s.modal("dana"), "I only answer members of the workspace")
	})
}

func TestDeactivatedPeopleAndBotsAreLeftAlone(t *testing.T) {
	for name, who := range map[string]workspace.User{"deactivated": {Deleted: true}, "a bot": {Bot: true}} {
		t.Run(name, func(t *testing.T) {
			for _, e := range append(asking, acting...) {
				t.Run(e.name, func(t *testing.T) {
					arrive(t, who, func(t *testing.T, s *stage) {
						s.actions.wait(s)
						asked := s.backend.asked
						e.enter(s)
						s.settle()
						s.did("sync courier-api by dana Waiting")
						if s.backend.asked != asked {
							t.Errorf("frank was answered\n%s", s.all())
						}
					})
				})
			}
		})
	}
}

func TestMembersOfTheOrganizationAskAndAct(t *testing.T) {
	for name, who := range map[string]workspace.User{
		"of another workspace of it":                       {TeamID: "T0SECOND"},
		"of a workspace that has not approved the app":     {TeamID: "T0THIRD", Enterprise: "E0ACME"},
		"of several workspaces, known by another of those": {TeamID: "T0THIRD", Enterprise: "E0ACME", Teams: []string{"T0SECOND", "T0THIRD"}},
	} {
		t.Run(name, func(t *testing.T) {
			actions, key := newFakeActions(), button.NewKey("secret")
			playIn(t, homes["an organization"], func(o *slack.Options) { o.Actions, o.Key, o.Team = actions, key, "E0ACME" }, func(t *testing.T, sc *scene) {
				who.Name = "frank"
				sc.AddUser(who)
				sc.deploys.Invite("frank")
				s := sc.stage(actions, key)
				s.must(s.Click("frank", "deploys", s.root, "argo_why_act_hard-refresh"))
				s.settle()
				s.did("hard-refresh courier-api by frank Ready")
				s.must(s.Command("frank", "deploys", "/argo", "list"))
				s.settle()
				s.shows(s.seen(), "courier-api")
				_, err := s.Say("frank", "deploys", "<@"+s.bot.BotUserID+"> history courier-api", "")
				s.must(err)
				s.settle()
				s.shows(s.all(), "History of prod/courier-api")
			})
		})
	}
}

// TestAMemberOfAWorkspaceOfAnOrganization: Slack may say of them that they are of another of their workspaces.
func TestAMemberOfAWorkspaceOfAnOrganization(t *testing.T) {
	actions, key := newFakeActions(), button.NewKey("secret")
	playIn(t, homes["an organization"], func(o *slack.Options) { o.Actions, o.Key = actions, key }, func(t *testing.T, sc *scene) {
		sc.AddUser(workspace.User{Name: "frank", TeamID: "T0SECOND", Enterprise: "E0ACME", Teams: []string{"T0SECOND", sc.TeamID()}})
		sc.AddUser(workspace.User{Name: "grace", TeamID: "T0SECOND"})
		sc.deploys.Invite("frank")
		sc.deploys.Invite("grace")
		s := sc.stage(actions, key)
		s.must(s.Click("grace", "deploys", s.root, "argo_why_act_hard-refresh"))
		s.settle()
		s.did()
		s.shows(s.told("grace"), "I only answer members of the workspace")
		s.must(s.Click("frank", "deploys", s.root, "argo_why_act_hard-refresh"))
		s.settle()
		s.did("hard-refresh courier-api by frank Ready")
	})
}

func TestNobodyIsAMemberWhileSlackDoesNotSaySo(t *testing.T) {
	for name, broken := range map[string]struct {
		method string
		says   string
		fault  workspace.Fault
	}{
		"no answer about the person":               {"users.info", "Slack could not confirm that you are a member of this workspace, so nothing was done. Try again in a moment.", workspace.Fault{Status: 500, Times: -1}},
		"no answer about the organization":         {"auth.teams.list", "Slack could not confirm that you are a member of this workspace, so nothing was done. Try again in a moment.", workspace.Fault{Status: 500, Times: -1}},
		"a person whom Slack does not know at all": {"users.info", "I only answer members of the workspace I am installed in.", workspace.Fault{Error: "user_not_found", Times: -1}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, e := range append(asking, acting...) {
				t.Run(e.name, func(t *testing.T) {
					actions, key := newFakeActions(), button.NewKey("secret")
					playIn(t, homes["an organization"], func(o *slack.Options) { o.Actions, o.Key, o.Team = actions, key, "E0ACME" }, func(t *testing.T, sc *scene) {
						// Of a workspace that Slack says nothing about; so its organization has to be looked up.
						frank := sc.AddUser(workspace.User{Name: "frank", TeamID: "T0THIRD"})
						sc.deploys.Invite("frank")
						actions.may, actions.approvers = []string{sc.dana.ID}, []string{frank.ID}
						s := sc.stage(actions, key)
						actions.wait(s)
						broken.fault.Method = broken.method
						s.Fault(broken.fault)
						asked := s.backend.asked
						e.enter(s)
						s.settle()
						s.shows(s.seen(), broken.says)
						s.did("sync courier-api by dana Waiting")
						if s.backend.asked != asked {
							t.Errorf("frank was answered\n%s", s.all())
						}
					})
				})
			}
		})
	}
}

func TestAMissingScopeIsSaid(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		var scopes []string
		for _, scope := range s.bot.Scopes {
			if !strings.HasPrefix(scope, "users:read") {
				scopes = append(scopes, scope)
			}
		}
		s.SetScopes(s.bot, scopes...)
		s.slash("deploys", "why rating-api-two")
		s.shows(s.told("dana"), "Ask the people who run it to add the scope users:read to its Slack app and to reinstall the app.")
		s.click("dana", action.HardRefresh)
		s.did()
	})
}

// TestAMomentOfTroubleIsSurvivedByLookingNotByActing: what Slack said a while ago is enough to look, and not to act.
func TestAMomentOfTroubleIsSurvivedByLookingNotByActing(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.slash("deploys", "history courier-api")
		for range 12 {
			s.settle()
		}
		s.Fault(workspace.Fault{Method: "users.info", Status: 500, Times: -1})
		posted := len(s.deploys.All())
		s.slash("deploys", "history rating-api-two")
		if len(s.deploys.All()) == posted {
			t.Errorf("dana was not answered\n%s", s.all())
		}
		s.click("dana", action.HardRefresh)
		s.did()
		s.shows(s.told("dana"), "Slack could not confirm that you are a member of this workspace")
	})
}
