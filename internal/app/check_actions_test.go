package app

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/preflight"
)

// TestCheckSaysThatACertificateIsNotVerified: only where that was asked for.
func TestCheckSaysThatACertificateIsNotVerified(t *testing.T) {
	if got := checkCertificate(&config.Instance{Name: "prod", ServerCrt: "ca.crt"}); len(got) > 0 {
		t.Errorf("of one that is verified: %v", got)
	}
	got := checkCertificate(&config.Instance{Name: "prod", Insecure: true})
	if len(got) != 1 || !strings.HasPrefix(got[0].String(), "! argocd prod certificate: is not verified, so whoever is between the bot and Argo CD can read the token: put the CA") {
		t.Errorf("%v", got)
	}
}

func TestCheckTellsWhoMayWhat(t *testing.T) {
	for _, test := range []struct {
		name  string
		rules []config.ActionRule
		want  []string
	}{
		{"nothing is said", nil, []string{
			"hard-refresh, mute: everyone with access to the application",
			"delete-hook-job, terminate, sync: no one, because no entry under actions covers it",
		}},
		{"with approval, and for everybody", []config.ActionRule{
			{Actions: []string{"sync", "terminate"}, Projects: []string{"payments"}, Instances: []string{"prod"}, UserGroups: []string{"S1"}, Users: []string{"U1", "U2"},
				Approval: config.Approval{UserGroups: []string{"S2"}, ExpireAfter: 90 * time.Minute}},
			{Actions: []string{"mute", "sync"}, Applications: []string{"web-*"}},
		}, []string{
			"1. sync, terminate: users U1, U2 and user groups S1, for projects payments in instances prod, needs approval within 1h30m from someone else among user groups S2",
			"2. mute, sync: everyone, for applications web-*",
			"hard-refresh: everyone with access to the application",
			"delete-hook-job: no one, because no entry under actions covers it",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, f := range whoMay(test.rules) {
				got = append(got, f.Detail)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestCheckAsksForTheRightsOfWhatIsAllowed(t *testing.T) {
	rules := []config.ActionRule{
		{Actions: []string{"sync"}, Projects: []string{"payments"}, Instances: []string{"prod"}},
		{Actions: []string{"sync"}, Projects: []string{"shop"}},
		{Actions: []string{"terminate", "mute"}},
	}
	wanted := func(instance string) (out []preflight.WantedAction) { return wantedActions(instance, rules) }
	same := func(a, b preflight.WantedAction) bool {
		return a.Action == b.Action && slices.Equal(a.Projects, b.Projects)
	}
	if got := wanted("prod"); !slices.EqualFunc(got, []preflight.WantedAction{{Action: "hard-refresh"}, {Action: "terminate"}, {Action: "sync", Projects: []string{"payments", "shop"}}}, same) {
		t.Errorf("prod: %+v", got)
	}
	if got := wanted("staging"); !slices.EqualFunc(got, []preflight.WantedAction{{Action: "hard-refresh"}, {Action: "terminate"}, {Action: "sync", Projects: []string{"shop"}}}, same) {
		t.Errorf("staging: %+v", got)
	}
	if got := wantedActions("prod", nil); got != nil {
		t.Errorf("without rules: %+v", got)
	}
}
