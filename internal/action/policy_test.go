package action_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// groups are user groups and who is in them. One that is not in it cannot be read.
type groups map[string][]string

func (g groups) Members(_ context.Context, group string) ([]string, error) {
	members, ok := g[group]
	if !ok {
		return nil, errors.New("Slack does not answer")
	}
	return members, nil
}

// guests are some people. A nil value is of one whom Slack says nothing about.
type guests map[string]error

func (g guests) Guest(_ context.Context, id string) (bool, error) {
	err, ok := g[id]
	return ok && err == nil, err
}

var nobodyIsAGuest = guests{}

var (
	dana = action.Person{ID: "U1", Name: "dana"}
	erin = action.Person{ID: "U2", Name: "erin"}
	prod = action.App{Instance: "prod", Namespace: "argocd", Name: "payments-api"}
)

func TestFirstRuleThatCoversTheActionAndAdmitsThePersonDecides(t *testing.T) {
	byLeads := &action.ApprovalRule{From: action.Who{Groups: []string{"SLEADS"}}, ExpireAfter: 15 * time.Minute}
	syncs := []action.Kind{action.Sync}
	oncall, named := action.Who{Groups: []string{"SONCALL"}}, action.Who{Users: []string{"U1"}}
	known := groups{"SONCALL": {"U1", "U9"}, "SLEADS": {"U3"}}

	for name, test := range map[string]struct {
		rules   []action.Grant
		kind    action.Kind
		app     *action.App
		project string
		members groups
		want    action.Ruling
		// unread is part of what is said about a group.
		unread string
	}{
		"no rule: nobody syncs":                {kind: action.Sync, want: action.Ruling{}},
		"no rule: nobody deletes":              {kind: action.DeleteHookJob, want: action.Ruling{}},
		"no rule: nobody terminates":           {kind: action.Terminate, want: action.Ruling{}},
		"no rule: everybody refreshes":         {kind: action.HardRefresh, want: action.Ruling{May: true, Everybody: true}},
		"no rule: everybody mutes":             {kind: action.Mute, want: action.Ruling{May: true, Everybody: true}},
		"no rule: an unknown kind is nobody's": {kind: "reboot", want: action.Ruling{}},
		"a rule for everybody": {
			rules: []action.Grant{{Kinds: syncs, Everybody: true}}, kind: action.Sync, want: action.Ruling{May: true, Everybody: true},
		},
		"a rule without people is for nobody": {rules: []action.Grant{{Kinds: syncs}}, kind: action.Sync},
		"a refresh by a rule without people is nobody's": {
			rules: []action.Grant{{Kinds: []action.Kind{action.HardRefresh}}}, kind: action.HardRefresh,
		},
		"a member of the group": {
			rules: []action.Grant{{Kinds: syncs, Who: oncall}}, kind: action.Sync, want: action.Ruling{May: true, Could: oncall},
		},
		"not a member of the group": {
			rules: []action.Grant{{Kinds: syncs, Who: action.Who{Groups: []string{"SLEADS"}}}}, kind: action.Sync,
			want: action.Ruling{Could: action.Who{Groups: []string{"SLEADS"}}},
		},
		"another kind": {
			rules: []action.Grant{{Kinds: syncs, Who: named}}, kind: action.Terminate, want: action.Ruling{},
		},
		"approval is that of the rule that admits": {
			rules: []action.Grant{{Kinds: syncs, Who: action.Who{Users: []string{"U8"}}}, {Kinds: syncs, Who: oncall, Approval: byLeads}, {Kinds: syncs, Everybody: true}},
			kind:  action.Sync,
			want:  action.Ruling{May: true, Approval: byLeads, Everybody: true, Could: action.Who{Users: []string{"U8"}, Groups: []string{"SONCALL"}}},
		},
		"the first rule wins, without approval": {
			rules: []action.Grant{{Kinds: syncs, Who: oncall}, {Kinds: syncs, Who: named, Approval: byLeads}}, kind: action.Sync,
			want: action.Ruling{May: true, Could: action.Who{Users: []string{"U1"}, Groups: []string{"SONCALL"}}},
		},
		"a refresh that a rule is about is nobody else's": {
			rules: []action.Grant{{Kinds: []action.Kind{action.HardRefresh}, Who: action.Who{Users: []string{"U8"}}}}, kind: action.HardRefresh,
			want: action.Ruling{Could: action.Who{Users: []string{"U8"}}},
		},
		"a rule about refreshing other applications changes nothing": {
			rules: []action.Grant{{Kinds: []action.Kind{action.HardRefresh}, Applications: []string{"web-*"}, Who: action.Who{Users: []string{"U8"}}}}, kind: action.HardRefresh,
			want: action.Ruling{May: true, Everybody: true},
		},
		"a restricted refresh stays so while the project is not known": {
			rules: []action.Grant{{Kinds: []action.Kind{action.HardRefresh}, Everybody: true, Projects: []string{"payments"}}}, kind: action.HardRefresh, project: "-",
			want: action.Ruling{},
		},
		"another instance":       {rules: []action.Grant{{Kinds: syncs, Everybody: true, Instances: []string{"staging"}}}, kind: action.Sync},
		"a glob of instances":    {rules: []action.Grant{{Kinds: syncs, Everybody: true, Instances: []string{"stag*", "p?od"}}}, kind: action.Sync, want: action.Ruling{May: true, Everybody: true}},
		"another project":        {rules: []action.Grant{{Kinds: syncs, Everybody: true, Projects: []string{"shop"}}}, kind: action.Sync},
		"a glob of projects":     {rules: []action.Grant{{Kinds: syncs, Everybody: true, Projects: []string{"pay*"}}}, kind: action.Sync, want: action.Ruling{May: true, Everybody: true}},
		"the project is unknown": {rules: []action.Grant{{Kinds: syncs, Everybody: true, Projects: []string{"*"}}}, kind: action.Sync, project: "-"},
		"the project is unknown and does not matter": {
			rules: []action.Grant{{Kinds: syncs, Everybody: true}}, kind: action.Sync, project: "-", want: action.Ruling{May: true, Everybody: true},
		},
		"a glob of names":               {rules: []action.Grant{{Kinds: syncs, Everybody: true, Applications: []string{"*-api"}}}, kind: action.Sync, want: action.Ruling{May: true, Everybody: true}},
		"another name":                  {rules: []action.Grant{{Kinds: syncs, Everybody: true, Applications: []string{"payments"}}}, kind: action.Sync},
		"namespace and name":            {rules: []action.Grant{{Kinds: syncs, Everybody: true, Applications: []string{"argo*/payments-*"}}}, kind: action.Sync, want: action.Ruling{May: true, Everybody: true}},
		"another namespace":             {rules: []action.Grant{{Kinds: syncs, Everybody: true, Applications: []string{"team-a/*"}}}, kind: action.Sync},
		"a pattern that is none":        {rules: []action.Grant{{Kinds: syncs, Everybody: true, Applications: []string{"[", `\`}}}, kind: action.Sync},
		"a name that looks like a glob": {rules: []action.Grant{{Kinds: syncs, Everybody: true, Applications: []string{"payments-api"}}}, kind: action.Sync, app: &action.App{Instance: "prod", Namespace: "argocd", Name: "*"}},
		"a group that cannot be read admits nobody": {
			rules: []action.Grant{{Kinds: syncs, Who: oncall}}, kind: action.Sync, members: groups{},
			want: action.Ruling{Could: oncall}, unread: "read the members of SONCALL: Slack does not answer",
		},
		"who is named needs no group": {
			rules: []action.Grant{{Kinds: syncs, Who: action.Who{Users: []string{"U1"}, Groups: []string{"SONCALL"}}}}, kind: action.Sync, members: groups{},
			want: action.Ruling{May: true, Could: action.Who{Users: []string{"U1"}, Groups: []string{"SONCALL"}}},
		},
		"another group of the rule can be read": {
			rules: []action.Grant{{Kinds: syncs, Who: action.Who{Groups: []string{"SGONE", "SONCALL"}}}}, kind: action.Sync,
			want: action.Ruling{May: true, Could: action.Who{Groups: []string{"SGONE", "SONCALL"}}},
		},
		"a later rule that is no more lenient may admit": {
			rules: []action.Grant{{Kinds: syncs, Who: action.Who{Groups: []string{"SGONE"}}}, {Kinds: syncs, Who: named, Approval: byLeads}}, kind: action.Sync,
			want: action.Ruling{May: true, Approval: byLeads, Could: action.Who{Users: []string{"U1"}, Groups: []string{"SGONE"}}},
		},
		"an approval is not got round because a group cannot be read": {
			rules: []action.Grant{{Kinds: syncs, Who: action.Who{Groups: []string{"SGONE"}}, Approval: byLeads}, {Kinds: syncs, Who: named}}, kind: action.Sync,
			want: action.Ruling{Could: action.Who{Users: []string{"U1"}, Groups: []string{"SGONE"}}}, unread: "SGONE",
		},
		"those who could are sorted, each once": {
			rules: []action.Grant{
				{Kinds: syncs, Who: action.Who{Users: []string{"U9", "U8"}, Groups: []string{"SLEADS"}}},
				{Kinds: syncs, Who: action.Who{Users: []string{"U8", "U7"}, Groups: []string{"SB", "SLEADS", "SA"}}},
			},
			kind: action.Sync, members: groups{"SLEADS": {}, "SA": {}, "SB": {}},
			want: action.Ruling{Could: action.Who{Users: []string{"U7", "U8", "U9"}, Groups: []string{"SA", "SB", "SLEADS"}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			app, project, members := prod, "payments", known
			if test.app != nil {
				app = *test.app
			}
			if test.members != nil {
				members = test.members
			}
			if test.project == "-" {
				project = ""
			}
			p := action.NewPolicy(test.rules, members, nobodyIsAGuest)
			got := p.Allowed(t.Context(), dana, test.kind, app, project)
			unread := ""
			if got.Unread != nil {
				unread = got.Unread.Error()
			}
			if (unread == "") != (test.unread == "") || !strings.Contains(unread, test.unread) {
				t.Errorf("unread: %q, want %q", unread, test.unread)
			}
			if got.May != test.want.May || got.Everybody != test.want.Everybody || got.Approval != test.want.Approval || !reflect.DeepEqual(got.Could, test.want.Could) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			possible := test.want.May || !reflect.DeepEqual(test.want.Could, action.Who{})
			if got := p.Possible(test.kind, app, project); got != possible {
				t.Errorf("possible for anybody: %t, want %t", got, possible)
			}
		})
	}
}

func TestWhoApproves(t *testing.T) {
	from := action.Who{Users: []string{"U2"}, Groups: []string{"SGONE", "SLEADS"}}
	p := action.NewPolicy(nil, groups{"SLEADS": {"U3"}}, nobodyIsAGuest)
	for id, want := range map[string]bool{"U2": true, "U3": true, "U1": false, "": false} {
		got, _, err := p.Approves(t.Context(), action.Person{ID: id}, from)
		if got != want {
			t.Errorf("%q approves: %t, want %t", id, got, want)
		}
		if (err != nil) != (id == "U1") {
			t.Errorf("%q: the group that cannot be read is told as %v", id, err)
		}
	}
	if got, _, err := p.Approves(t.Context(), erin, action.Who{}); got || err != nil {
		t.Errorf("an approval by nobody is given: %t, %v", got, err)
	}
}

// TestAGuestMayWhatTheyAreNamedFor: neither being in a group nor what everybody may is for guests.
func TestAGuestMayWhatTheyAreNamedFor(t *testing.T) {
	syncs, refreshes := []action.Kind{action.Sync}, []action.Kind{action.HardRefresh}
	oncall, named := action.Who{Groups: []string{"SONCALL"}}, action.Who{Users: []string{"U1"}}
	unknown := errors.New("Slack does not answer")
	for name, test := range map[string]struct {
		grants    []action.Grant
		kind      action.Kind
		err       error
		may, told bool
	}{
		"named":                              {grants: []action.Grant{{Kinds: syncs, Who: named}}, kind: action.Sync, may: true},
		"named, and Slack does not say":      {grants: []action.Grant{{Kinds: syncs, Who: named}}, kind: action.Sync, err: unknown, may: true},
		"in a group":                         {grants: []action.Grant{{Kinds: syncs, Who: oncall}}, kind: action.Sync, told: true},
		"in a group, and Slack does not say": {grants: []action.Grant{{Kinds: syncs, Who: oncall}}, kind: action.Sync, err: unknown},
		"everybody may":                      {grants: []action.Grant{{Kinds: syncs, Everybody: true}}, kind: action.Sync, told: true},
		"everybody may, and a later grant names the guest": {
			grants: []action.Grant{{Kinds: syncs, Everybody: true}, {Kinds: syncs, Who: named}}, kind: action.Sync, may: true,
		},
		"a refresh that no grant is about":                         {kind: action.HardRefresh, told: true},
		"a mute that no grant is about":                            {kind: action.Mute, told: true},
		"a refresh that no grant is about, and Slack does not say": {kind: action.HardRefresh, err: unknown},
		"a refresh, named":                                         {grants: []action.Grant{{Kinds: refreshes, Who: named}}, kind: action.HardRefresh, may: true},
		"nobody's":                                                 {kind: action.Sync},
	} {
		t.Run(name, func(t *testing.T) {
			got := action.NewPolicy(test.grants, groups{"SONCALL": {"U1"}}, guests{"U1": test.err}).Allowed(t.Context(), dana, test.kind, prod, "payments")
			if got.May != test.may || got.Guest != test.told || (got.Unread != nil) != (test.err != nil && !test.may) {
				t.Errorf("%+v", got)
			}
		})
	}
	p := action.NewPolicy(nil, groups{"SLEADS": {"U1"}}, guests{"U1": nil})
	if ok, guest, err := p.Approves(t.Context(), dana, action.Who{Groups: []string{"SLEADS"}}); ok || !guest || err != nil {
		t.Errorf("approves as one of a group: %t %t %v", ok, guest, err)
	}
	if ok, _, err := p.Approves(t.Context(), dana, named); !ok || err != nil {
		t.Errorf("approves by name: %t %v", ok, err)
	}
}

// A name says nothing: only the ID does.
func TestNameOfAPersonAdmitsNobody(t *testing.T) {
	p := action.NewPolicy([]action.Grant{{Kinds: []action.Kind{action.Sync}, Who: action.Who{Users: []string{"U1"}}}}, groups{}, nobodyIsAGuest)
	if p.Allowed(t.Context(), action.Person{ID: "U2", Name: "U1"}, action.Sync, prod, "payments").May {
		t.Error("somebody else of that name may")
	}
	if p.Allowed(t.Context(), action.Person{}, action.Sync, prod, "payments").May {
		t.Error("nobody may")
	}
}
