package slack_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/button"
)

// vaults lets U0SOMEBODY alone see project vault, by a group that Slack has to be asked for, and everybody project default.
var vaults = []audience.Rule{{Projects: []string{"vault"}, Groups: []string{"S0VAULT"}}, {Projects: []string{"default"}}}

// TestWhatIsHiddenIsAnsweredLikeWhatDoesNotExist: in the same words, after the same calls, whatever is asked and however.
func TestWhatIsHiddenIsAnsweredLikeWhatDoesNotExist(t *testing.T) {
	for _, verb := range []string{"why", "diff", "history", "access", "audit"} {
		t.Run(verb, func(t *testing.T) {
			// The hidden one, one that never existed, and one whose name is like that of another one.
			hidden, hiddenCalls := asksAbout(t, verb, "vault-api")
			absent, absentCalls := asksAbout(t, verb, "vault-app")
			if hidden != absent {
				t.Errorf("of a hidden application\n%s\nof one that does not exist\n%s", hidden, absent)
			}
			if !slices.Equal(hiddenCalls, absentCalls) {
				t.Errorf("calls for a hidden application %q, for one that does not exist %q", hiddenCalls, absentCalls)
			}
			for _, tells := range []string{"vault in", "S0VAULT has", "project vault"} {
				if strings.Contains(hidden, tells) {
					t.Errorf("%q in\n%s", tells, hidden)
				}
			}
		})
	}
}

// asksAbout is what dana reads who asks about NAME, and what Slack is asked for that.
func asksAbout(t *testing.T, verb, name string) (said string, calls []string) {
	t.Helper()
	actions := newFakeActions()
	play(t, func(o *slack.Options) {
		o.Actions = actions
		o.Viewer = audience.NewPolicy(vaults, nobodyIn{}, nil)
	}, func(t *testing.T, sc *scene) {
		s := sc.stage(actions, button.NewKey("secret"))
		s.backend.also("prod", "argocd", "vault-api", "vault")
		s.backend.also("prod", "argocd", "vault-web", "default")
		s.past(&action.Record{Request: action.Request{Kind: action.HardRefresh, App: s.backend.apps[2].App}, Project: "vault", State: action.Done})
		posted, before := len(s.deploys.All()), len(s.Log(""))
		s.slash("deploys", verb+" "+name)
		for _, m := range s.deploys.All()[posted:] {
			said += read(m)
		}
		told := strings.Split(strings.TrimSpace(said+s.told("dana")), "\n")
		slices.Sort(told) // the acknowledgement may be shown after the answer
		said = strings.ReplaceAll(strings.Join(told, "\n"), name, "NAME")
		for _, c := range s.Log("")[before:] {
			calls = append(calls, c.Method)
		}
	})
	return said, calls
}

// nobodyIn is a user group without members.
type nobodyIn struct{}

func (nobodyIn) Members(context.Context, string) ([]string, error) { return nil, nil }

// TestAButtonOfWhatIsHiddenIsAnsweredLikeOneOfWhatIsGone: whether the application still exists is not for everybody who reads the thread.
func TestAButtonOfWhatIsHiddenIsAnsweredLikeOneOfWhatIsGone(t *testing.T) {
	said := map[bool]string{}
	for _, exists := range []bool{true, false} {
		actions, key := newFakeActions(), button.NewKey("secret")
		play(t, func(o *slack.Options) {
			o.Actions, o.Key = actions, key
			o.Viewer = audience.NewPolicy(vaults, nobodyIn{}, nil)
		}, func(t *testing.T, sc *scene) {
			s := sc.stage(actions, key)
			s.backend.apps[0].Project = "vault"
			if !exists {
				s.backend.apps = s.backend.apps[1:]
			}
			s.click("dana", action.HardRefresh)
			s.say("@argo why", s.root)
			s.did()
			said[exists] = s.told("dana")
		})
	}
	if said[true] != said[false] || !strings.Contains(said[true], "courier-api no longer exists, or you don't have access to it.") {
		t.Errorf("of a hidden application\n%s\nof one that is gone\n%s", said[true], said[false])
	}
}

// TestAListSaysNothingOfWhatIsHidden: not even that something of it fails.
func TestAListSaysNothingOfWhatIsHidden(t *testing.T) {
	said := map[bool]string{}
	for _, fails := range []bool{true, false} {
		play(t, func(o *slack.Options) { o.Viewer = audience.NewPolicy(vaults, nobodyIn{}, nil) }, func(t *testing.T, s *scene) {
			s.backend.also("prod", "argocd", "vault-api", "vault")
			if fails {
				s.fail(named("vault-api", "vault", "", ""), "hook/job-failed", 1)
			}
			said[fails] = s.asked("list") + s.asked("list project:vault")
		})
	}
	if said[true] != said[false] {
		t.Errorf("while it fails\n%s\nwhile it is healthy\n%s", said[true], said[false])
	}
}
