package people_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/workspace"
)

func TestWhoSomebodyIs(t *testing.T) {
	for name, test := range map[string]struct {
		who workspace.User
		// workspace and organization are what they are to a bot that serves one of the two.
		workspace, organization people.Kind
	}{
		"a member":                           {workspace.User{}, people.Member, people.Member},
		"an admin":                           {workspace.User{Admin: true}, people.Member, people.Member},
		"a multi-channel guest":              {workspace.User{Guest: true}, people.Guest, people.Guest},
		"a single-channel guest":             {workspace.User{SingleChannel: true}, people.Guest, people.Guest},
		"of another workspace of ours":       {workspace.User{TeamID: second}, people.Stranger, people.Member},
		"a guest there":                      {workspace.User{TeamID: second, Guest: true}, people.Stranger, people.Guest},
		"of one that has not approved it":    {workspace.User{TeamID: third, Enterprise: organization}, people.Stranger, people.Member},
		"of it, with no word of ours":        {workspace.User{TeamID: third}, people.Stranger, people.Stranger},
		"of another organization":            {workspace.User{TeamID: "T0OTHER", Enterprise: "E0OTHER"}, people.Stranger, people.Stranger},
		"of a workspace without one":         {workspace.User{TeamID: "T0OTHER"}, people.Stranger, people.Stranger},
		"a guest of strangers":               {workspace.User{TeamID: "T0OTHER", Guest: true}, people.Stranger, people.Stranger},
		"a deactivated stranger":             {workspace.User{TeamID: "T0OTHER", Deleted: true}, people.Stranger, people.Stranger},
		"whom no channel is shared with now": {workspace.User{Stranger: true}, people.Stranger, people.Stranger},
		"a bot":                              {workspace.User{Bot: true}, people.Bot, people.Bot},
		"a bot of strangers":                 {workspace.User{Bot: true, TeamID: "T0OTHER"}, people.Stranger, people.Stranger},
		"a deactivated account":              {workspace.User{Deleted: true}, people.Deactivated, people.Deactivated},
		"a deactivated guest":                {workspace.User{Deleted: true, Guest: true}, people.Deactivated, people.Deactivated},
		"a deactivated bot":                  {workspace.User{Deleted: true, Bot: true}, people.Deactivated, people.Deactivated},
	} {
		t.Run(name, func(t *testing.T) {
			meet(t, func(_ *testing.T, s *scene) {
				test.who.Name = "frank"
				frank := s.AddUser(test.who).ID
				s.is(s.directory(s.TeamID()), frank, test.workspace)
				s.is(s.directory(organization), frank, test.organization)
			})
		})
	}
}

// TestSomebodyOfSeveralWorkspacesIsKnownByEachOfThem: Slack may say of them that they are of another one.
func TestSomebodyOfSeveralWorkspacesIsKnownByEachOfThem(t *testing.T) {
	meet(t, func(_ *testing.T, s *scene) {
		frank := s.AddUser(workspace.User{Name: "frank", TeamID: third, Enterprise: organization, Teams: []string{third, s.TeamID()}}).ID
		d := s.directory(s.TeamID())
		for _, claim := range []string{"", third, s.TeamID(), organization} {
			s.claims(d, frank, claim, people.Member)
		}
	})
}

// TestTheOrganizationIsFoundWhereSlackDoesNotNameIt: by the list of its workspaces, and a claim to be of it holds then, too.
func TestTheOrganizationIsFoundWhereSlackDoesNotNameIt(t *testing.T) {
	meet(t, func(_ *testing.T, s *scene) {
		s.silent = true
		frank, stranger := s.AddUser(workspace.User{Name: "frank", TeamID: second}).ID, s.AddUser(workspace.User{Name: "grace", TeamID: "T0OTHER"}).ID
		d := s.directory(organization)
		for _, claim := range []string{"", second, organization} {
			s.claims(d, frank, claim, people.Member)
			s.claims(d, stranger, claim, people.Stranger)
		}
	})
}

// TestAClaimCanOnlyTakeAway: what a payload says of a person makes a stranger of a member and nothing else of anybody.
func TestAClaimCanOnlyTakeAway(t *testing.T) {
	meet(t, func(_ *testing.T, s *scene) {
		for kind, who := range map[people.Kind]workspace.User{
			people.Member: {}, people.Guest: {Guest: true}, people.Deactivated: {Deleted: true}, people.Bot: {Bot: true}, people.Stranger: {TeamID: "T0OTHER", Enterprise: "E0OTHER"},
		} {
			who.Name = string(kind)
			id := s.AddUser(who).ID
			d := s.directory(organization)
			s.claims(d, id, "", kind)
			s.claims(d, id, organization, kind)
			s.claims(d, id, "T0ELSEWHERE", people.Stranger)
		}
	})
}

func TestSomebodyWhomSlackDoesNotKnowIsAStranger(t *testing.T) {
	meet(t, func(_ *testing.T, s *scene) {
		for i, code := range []string{"user_not_found", "user_not_visible", "users_not_found"} {
			s.Fault(workspace.Fault{Method: "users.info", Error: code})
			s.is(s.directory(s.TeamID()), "U0NOBODY"+string(rune('A'+i)), people.Stranger)
		}
	})
}

// TestNobodyIsAnythingWhileSlackDoesNotSay: the error is no kind, so a caller that forgets it admits nobody.
func TestNobodyIsAnythingWhileSlackDoesNotSay(t *testing.T) {
	for name, fault := range map[string]workspace.Fault{
		"down":           {Method: "users.info", Status: 503, Times: -1},
		"rate limited":   {Method: "users.info", Status: 429, RetryAfter: time.Minute, Times: -1},
		"drops the call": {Method: "users.info", Drop: true, Times: -1},
		"internal error": {Method: "users.info", Error: "internal_error", Times: -1},
		"token revoked":  {Method: "users.info", Error: "token_revoked", Times: -1},
		"no list":        {Method: "auth.teams.list", Status: 503, Times: -1},
	} {
		t.Run(name, func(t *testing.T) {
			meet(t, func(t *testing.T, s *scene) {
				s.Fault(fault)
				frank := s.AddUser(workspace.User{Name: "frank", TeamID: third}).ID // whose organization has to be looked up
				d := s.directory(organization)
				s.is(d, frank, "")
				if kind, err := d.FreshKind(t.Context(), frank, ""); err == nil || kind != "" {
					t.Errorf("to act: %q, %v", kind, err)
				}
				for way, guests := range map[string]people.Guests{"to look": d.Guests(), "to act": d.FreshGuests()} {
					if guest, err := guests.Guest(t.Context(), frank); !guest || err == nil {
						t.Errorf("%s: guest %t, %v", way, guest, err)
					}
				}
				if !strings.Contains(s.log.String(), "person not looked up") || strings.Contains(s.log.String(), s.bot.BotToken) {
					t.Errorf("the log is\n%s", s.log.String())
				}
			})
		})
	}
}

func TestAMissingScopeIsAnError(t *testing.T) {
	meet(t, func(t *testing.T, s *scene) {
		frank := s.AddUser(workspace.User{Name: "frank"}).ID
		s.SetScopes(s.bot, slices.DeleteFunc(slices.Clone(s.bot.Scopes), func(name string) bool { return strings.HasPrefix(name, "users:read") })...)
		if _, err := s.directory(s.TeamID()).Kind(t.Context(), frank, ""); err == nil || !strings.Contains(err.Error(), "missing_scope") {
			t.Error(err)
		}
	})
}

func TestGuestsAreToldFromMembers(t *testing.T) {
	meet(t, func(t *testing.T, s *scene) {
		d := s.directory(s.TeamID())
		for name, test := range map[string]struct {
			who   workspace.User
			guest bool
		}{
			"member": {workspace.User{}, false}, "guest": {workspace.User{Guest: true}, true}, "stranger": {workspace.User{TeamID: "T0OTHER"}, true},
			"bot": {workspace.User{Bot: true}, true}, "gone": {workspace.User{Deleted: true}, true},
		} {
			test.who.Name = name
			id := s.AddUser(test.who).ID
			for way, guests := range map[string]people.Guests{"to look": d.Guests(), "to act": d.FreshGuests()} {
				if got, err := guests.Guest(t.Context(), id); got != test.guest || err != nil {
					t.Errorf("%s, %s: guest %t, %v", name, way, got, err)
				}
			}
		}
	})
}
