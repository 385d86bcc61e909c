package remedy_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/remedy"
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

var (
	dana = remedy.Person{ID: "U1", Name: "dana"}
	erin = remedy.Person{ID: "U2", Name: "erin"}
	prod = remedy.App{Instance: "prod", Namespace: "argocd", Name: "payments-api"}
)

func TestFirstRuleThatCoversTheActionAndAdmitsThePersonDecides(t *testing.T) {
	byLeads := &remedy.ApprovalRule{From: remedy.Who{Groups: []string{"SLEADS"}}, ExpireAfter: 15 * time.Minute}
	syncs := []remedy.Kind{remedy.Sync}
	oncall, named := remedy.Who{Groups: []string{"SONCALL"}}, remedy.Who{Users: []string{"U1"}}
	known := groups{"SONCALL": {"U1", "U9"}, "SLEADS": {"U3"}}

	for name, test := range map[string]struct {
		rules   []remedy.Rule
		kind    remedy.Kind
		app     *remedy.App
		project string
		members groups
		want    remedy.Ruling
		// unread is part of what is said about a group.
		unread string
	}{
		"no rule: nobody syncs":                {kind: remedy.Sync, want: remedy.Ruling{}},
		"no rule: nobody deletes":              {kind: remedy.DeleteHookJob, want: remedy.Ruling{}},
		"no rule: nobody terminates":           {kind: remedy.Terminate, want: remedy.Ruling{}},
		"no rule: everybody refreshes":         {kind: remedy.HardRefresh, want: remedy.Ruling{May: true, Everybody: true}},
		"no rule: everybody mutes":             {kind: remedy.Mute, want: remedy.Ruling{May: true, Everybody: true}},
		"no rule: an unknown kind is nobody's": {kind: "reboot", want: remedy.Ruling{}},
		"a rule without people is for everybody": {
			rules: []remedy.Rule{{Kinds: syncs}}, kind: remedy.Sync, want: remedy.Ruling{May: true, Everybody: true},
		},
		"a member of the group": {
			rules: []remedy.Rule{{Kinds: syncs, Who: oncall}}, kind: remedy.Sync, want: remedy.Ruling{May: true, Could: oncall},
		},
		"not a member of the group": {
			rules: []remedy.Rule{{Kinds: syncs, Who: remedy.Who{Groups: []string{"SLEADS"}}}}, kind: remedy.Sync,
			want: remedy.Ruling{Could: remedy.Who{Groups: []string{"SLEADS"}}},
		},
		"another kind": {
			rules: []remedy.Rule{{Kinds: syncs, Who: named}}, kind: remedy.Terminate, want: remedy.Ruling{},
		},
		"approval is that of the rule that admits": {
			rules: []remedy.Rule{{Kinds: syncs, Who: remedy.Who{Users: []string{"U8"}}}, {Kinds: syncs, Who: oncall, Approval: byLeads}, {Kinds: syncs}},
			kind:  remedy.Sync,
			want:  remedy.Ruling{May: true, Approval: byLeads, Everybody: true, Could: remedy.Who{Users: []string{"U8"}, Groups: []string{"SONCALL"}}},
		},
		"the first rule wins, without approval": {
			rules: []remedy.Rule{{Kinds: syncs, Who: oncall}, {Kinds: syncs, Who: named, Approval: byLeads}}, kind: remedy.Sync,
			want: remedy.Ruling{May: true, Could: remedy.Who{Users: []string{"U1"}, Groups: []string{"SONCALL"}}},
		},
		"a refresh that a rule is about is nobody else's": {
			rules: []remedy.Rule{{Kinds: []remedy.Kind{remedy.HardRefresh}, Who: remedy.Who{Users: []string{"U8"}}}}, kind: remedy.HardRefresh,
			want: remedy.Ruling{Could: remedy.Who{Users: []string{"U8"}}},
		},
		"a rule about refreshing other applications changes nothing": {
			rules: []remedy.Rule{{Kinds: []remedy.Kind{remedy.HardRefresh}, Applications: []string{"web-*"}, Who: remedy.Who{Users: []string{"U8"}}}}, kind: remedy.HardRefresh,
			want: remedy.Ruling{May: true, Everybody: true},
		},
		"a restricted refresh stays so while the project is not known": {
			rules: []remedy.Rule{{Kinds: []remedy.Kind{remedy.HardRefresh}, Projects: []string{"payments"}}}, kind: remedy.HardRefresh, project: "-",
			want: remedy.Ruling{},
		},
		"another instance":       {rules: []remedy.Rule{{Kinds: syncs, Instances: []string{"staging"}}}, kind: remedy.Sync},
		"a glob of instances":    {rules: []remedy.Rule{{Kinds: syncs, Instances: []string{"stag*", "p?od"}}}, kind: remedy.Sync, want: remedy.Ruling{May: true, Everybody: true}},
		"another project":        {rules: []remedy.Rule{{Kinds: syncs, Projects: []string{"shop"}}}, kind: remedy.Sync},
		"a glob of projects":     {rules: []remedy.Rule{{Kinds: syncs, Projects: []string{"pay*"}}}, kind: remedy.Sync, want: remedy.Ruling{May: true, Everybody: true}},
		"the project is unknown": {rules: []remedy.Rule{{Kinds: syncs, Projects: []string{"*"}}}, kind: remedy.Sync, project: "-"},
		"the project is unknown and does not matter": {
			rules: []remedy.Rule{{Kinds: syncs}}, kind: remedy.Sync, project: "-", want: remedy.Ruling{May: true, Everybody: true},
		},
		"a glob of names":               {rules: []remedy.Rule{{Kinds: syncs, Applications: []string{"*-api"}}}, kind: remedy.Sync, want: remedy.Ruling{May: true, Everybody: true}},
		"another name":                  {rules: []remedy.Rule{{Kinds: syncs, Applications: []string{"payments"}}}, kind: remedy.Sync},
		"namespace and name":            {rules: []remedy.Rule{{Kinds: syncs, Applications: []string{"argo*/payments-*"}}}, kind: remedy.Sync, want: remedy.Ruling{May: true, Everybody: true}},
		"another namespace":             {rules: []remedy.Rule{{Kinds: syncs, Applications: []string{"team-a/*"}}}, kind: remedy.Sync},
		"a pattern that is none":        {rules: []remedy.Rule{{Kinds: syncs, Applications: []string{"[", `\`}}}, kind: remedy.Sync},
		"a name that looks like a glob": {rules: []remedy.Rule{{Kinds: syncs, Applications: []string{"payments-api"}}}, kind: remedy.Sync, app: &remedy.App{Instance: "prod", Namespace: "argocd", Name: "*"}},
		"a group that cannot be read admits nobody": {
			rules: []remedy.Rule{{Kinds: syncs, Who: oncall}}, kind: remedy.Sync, members: groups{},
			want: remedy.Ruling{Could: oncall}, unread: "read the members of SONCALL: Slack does not answer",
		},
		"who is named needs no group": {
			rules: []remedy.Rule{{Kinds: syncs, Who: remedy.Who{Users: []string{"U1"}, Groups: []string{"SONCALL"}}}}, kind: remedy.Sync, members: groups{},
			want: remedy.Ruling{May: true, Could: remedy.Who{Users: []string{"U1"}, Groups: []string{"SONCALL"}}},
		},
		"another group of the rule can be read": {
			rules: []remedy.Rule{{Kinds: syncs, Who: remedy.Who{Groups: []string{"SGONE", "SONCALL"}}}}, kind: remedy.Sync,
			want: remedy.Ruling{May: true, Could: remedy.Who{Groups: []string{"SGONE", "SONCALL"}}},
		},
		"a later rule that is no more lenient may admit": {
			rules: []remedy.Rule{{Kinds: syncs, Who: remedy.Who{Groups: []string{"SGONE"}}}, {Kinds: syncs, Who: named, Approval: byLeads}}, kind: remedy.Sync,
			want: remedy.Ruling{May: true, Approval: byLeads, Could: remedy.Who{Users: []string{"U1"}, Groups: []string{"SGONE"}}},
		},
		"an approval is not got round because a group cannot be read": {
			rules: []remedy.Rule{{Kinds: syncs, Who: remedy.Who{Groups: []string{"SGONE"}}, Approval: byLeads}, {Kinds: syncs, Who: named}}, kind: remedy.Sync,
			want: remedy.Ruling{Could: remedy.Who{Users: []string{"U1"}, Groups: []string{"SGONE"}}}, unread: "SGONE",
		},
		"those who could are sorted, each once": {
			rules: []remedy.Rule{
				{Kinds: syncs, Who: remedy.Who{Users: []string{"U9", "U8"}, Groups: []string{"SLEADS"}}},
				{Kinds: syncs, Who: remedy.Who{Users: []string{"U8", "U7"}, Groups: []string{"SB", "SLEADS", "SA"}}},
			},
			kind: remedy.Sync, members: groups{"SLEADS": {}, "SA": {}, "SB": {}},
			want: remedy.Ruling{Could: remedy.Who{Users: []string{"U7", "U8", "U9"}, Groups: []string{"SA", "SB", "SLEADS"}}},
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
			p := remedy.NewPolicy(test.rules, members)
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
			possible := test.want.May || !reflect.DeepEqual(test.want.Could, remedy.Who{})
			if got := p.Possible(test.kind, app, project); got != possible {
				t.Errorf("possible for anybody: %t, want %t", got, possible)
			}
		})
	}
}

func TestWhoApproves(t *testing.T) {
	from := remedy.Who{Users: []string{"U2"}, Groups: []string{"SGONE", "SLEADS"}}
	p := remedy.NewPolicy(nil, groups{"SLEADS": {"U3"}})
	for id, want := range map[string]bool{"U2": true, "U3": true, "U1": false, "": false} {
		got, err := p.Approves(t.Context(), remedy.Person{ID: id}, from)
		if got != want {
			t.Errorf("%q approves: %t, want %t", id, got, want)
		}
		if (err != nil) != (id == "U1") {
			t.Errorf("%q: the group that cannot be read is told as %v", id, err)
		}
	}
	if got, err := p.Approves(t.Context(), erin, remedy.Who{}); got || err != nil {
		t.Errorf("an approval by nobody is given: %t, %v", got, err)
	}
}

// A name says nothing: only the ID does.
func TestNameOfAPersonAdmitsNobody(t *testing.T) {
	p := remedy.NewPolicy([]remedy.Rule{{Kinds: []remedy.Kind{remedy.Sync}, Who: remedy.Who{Users: []string{"U1"}}}}, groups{})
	if p.Allowed(t.Context(), remedy.Person{ID: "U2", Name: "U1"}, remedy.Sync, prod, "payments").May {
		t.Error("somebody else of that name may")
	}
	if p.Allowed(t.Context(), remedy.Person{}, remedy.Sync, prod, "payments").May {
		t.Error("nobody may")
	}
}
