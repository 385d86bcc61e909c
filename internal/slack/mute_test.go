package slack_test

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/button"
)

func TestAnIncidentIsMutedFromItsMenu(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		for _, option := range []string{"4h", "0"} {
			s.must(s.Choose("erin", "deploys", s.root, "argo_why_mute", option))
			s.settle()
			s.actions.records[len(s.actions.records)-1].State = action.Done
		}
		s.did("mute courier-api by erin Done", "mute courier-api by erin Done")
		if s.actions.records[0].MuteFor != 4*time.Hour || s.actions.records[1].MuteFor != 0 || s.actions.records[0].App != s.app {
			t.Errorf("%+v %+v", s.actions.records[0], s.actions.records[1])
		}
	})
}

func TestAnOutageIsMutedByWhoMayMuteAllThatFails(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		other, well := s.backend.apps[1].App, action.App{Instance: "prod", Namespace: "argocd", Name: "well"}
		s.backend.also("prod", "argocd", "well", "default")
		s.backend.incidents[0].Members = []incident.Member{
			{App: action.App{Instance: "prod", Name: "gone"}}, {App: s.app}, {App: other}, {App: well, Well: time.Now()},
		}
		s.actions.mutes = map[string][]string{other.Name: {s.dana.ID}, "well": nil} // that one is not what it is about any more
		s.must(s.Choose("erin", "deploys", s.root, "argo_why_mute", "1h"))
		s.settle()
		s.did()
		s.shows(s.told("erin"), "Nothing was done. This would also mute "+other.Full()+", and the policy does not allow you to mute incidents in project default", "People who can do this: @"+s.dana.ID)
		s.counted("mute", "not-allowed")
		s.must(s.Choose("dana", "deploys", s.root, "argo_why_mute", "1h"))
		s.settle()
		s.did("mute courier-api by dana Ready")
	})
}

func TestAnOutageIsNotMutedByWhoMaySeeAPartOfIt(t *testing.T) {
	d, key := newFakeActions(), button.NewKey("secret")
	play(t, func(o *slack.Options) {
		o.Actions, o.Key = d, key
		o.Viewer = audience.NewPolicy([]audience.Rule{{Projects: []string{"default"}}, {Projects: []string{"secret"}, Users: []string{"U0SOMEBODY"}}}, nil, nil)
	}, func(t *testing.T, sc *scene) {
		s := sc.stage(d, key)
		s.backend.also("prod", "argocd", "vault", "secret")
		s.backend.incidents[0].Members = append(s.backend.incidents[0].Members, incident.Member{App: s.backend.apps[2].App})
		s.must(s.Choose("dana", "deploys", s.root, "argo_why_mute", "1h"))
		s.settle()
		s.did()
		told := s.told("dana")
		s.shows(told, "This would also mute applications that no longer exist or that you don't have access to. Nothing was done.", "Access to applications is given to @U0SOMEBODY.")
		if strings.Contains(told, "vault") {
			t.Errorf("an application that she may not see is named: %s", told)
		}
	})
}

// TestAThreadIsAskedAboutByWhoMaySeeNothingOfIt: of an outage with private applications people in the channel hear how many there are.
func TestAThreadIsAskedAboutByWhoMaySeeNothingOfIt(t *testing.T) {
	d, key := newFakeActions(), button.NewKey("secret")
	play(t, func(o *slack.Options) {
		o.Actions, o.Key = d, key
		o.Viewer = audience.NewPolicy([]audience.Rule{{Projects: []string{"default"}}, {Projects: []string{"secret"}, Users: []string{"U0SOMEBODY"}}}, nil, nil)
	}, func(t *testing.T, sc *scene) {
		s := sc.stage(d, key)
		s.backend.also("prod", "argocd", "vault", "secret")
		s.backend.also("prod", "argocd", "safe", "secret")
		i := s.backend.incidents[0]
		i.Members = []incident.Member{{App: s.backend.apps[2].App}, {App: s.backend.apps[3].App}}
		s.say("@argo why", s.root)
		told := s.told("dana")
		s.shows(told, "The applications in this thread no longer exist, or you don't have access to them.")
		i.Members = nil // a warning about a connection
		i.Examples = []incident.App{s.backend.apps[2].App}
		s.say("@argo why", s.root)
		if told += s.told("dana"); strings.Contains(told, "vault") || strings.Contains(told, "safe") {
			t.Errorf("an application that she may not see is named: %s", told)
		}
	})
}

// TestAnOutageIsNotMutedFromTheThreadOfOneThatHasJoinedIt: there the person was asked about one application alone.
func TestAnOutageIsNotMutedFromTheThreadOfOneThatHasJoinedIt(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.backend.incidents[0].Phase, s.backend.incidents[0].JoinedTo = incident.Joined, "git-1"
		s.must(s.Choose("dana", "deploys", s.root, "argo_why_mute", "1h"))
		s.settle()
		s.did()
		s.shows(s.told("dana"), "The incident in this thread is over or continues in another thread, so there is nothing to mute here.")
	})
}

func TestAnOutageIsMutedByTheApplicationWhoseMuteHasToBeApproved(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		other := s.backend.apps[1].App
		s.backend.incidents[0].Members = []incident.Member{{App: s.app}, {App: other}}
		s.actions.muteApproved = other.Name
		s.must(s.Choose("dana", "deploys", s.root, "argo_why_mute", "1h"))
		s.settle()
		s.did("mute " + other.Name + " by dana Ready")
	})
}
