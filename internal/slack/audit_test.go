package slack_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/button"
)

func TestAccessSaysWhoMayWhatToWhoAsksAlone(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.actions.approvers = []string{s.erin.ID}
		before := len(s.deploys.All())
		s.slash("deploys", "access courier-api")
		s.shows(s.told("dana"), "Who can do what with courier-api in prod, project default",
			"Hard refresh: ✅ anyone in the incident's channel can",
			"Delete failed hook Job: ✅ you can; allowed: @S0ONCALL, @"+s.dana.ID,
			"Terminate operation: ✅ you can; allowed: @S0ONCALL, @"+s.dana.ID+". Not available now: no operation is running",
			"Sync: ✅ you can; allowed: @S0ONCALL, @"+s.dana.ID+". Someone else has to approve it: @"+s.erin.ID,
			"Mute: ✅ anyone in the incident's channel can", "The bot's account in Argo CD prod: why-bot")
		s.must(s.Command("erin", "deploys", "/argo", "access courier-api"))
		s.settle()
		s.shows(s.told("erin"), "Sync: 🚫 you can't; allowed: @S0ONCALL, @"+s.dana.ID)
		if n := len(s.deploys.All()); n != before {
			t.Error("those who are named were called before all")
		}
		s.actions.may = nil
		s.slash("deploys", "access argocd/courier-api")
		s.shows(s.told("dana"), "Sync: 🚫 you can't; allowed: @S0ONCALL")
		s.backend.accountErr = errors.New("Argo CD does not answer")
		s.slash("deploys", "access argocd/courier-api")
		s.shows(s.told("dana"), "Sync: 🚫 you can't; allowed: @S0ONCALL", "The bot's account in Argo CD prod could not be read just now")
	})
}

// past puts records into the actions, the oldest first, a minute apart.
func (s *stage) past(records ...*action.Record) {
	for i, r := range records {
		r.ID, r.At = fmt.Sprintf("p%03d", i), time.Now().Add(time.Duration(i)*time.Minute)
		if r.Project == "" {
			r.Project = "default"
		}
		s.actions.records = append(s.actions.records, r)
	}
}

func TestTheAuditTellsTheNewestFirst(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.slash("deploys", "audit")
		s.shows(read(s.deploys.Messages()[1]), "Actions from Slack", "None recorded.")
		dana, erin := action.Person{ID: s.dana.ID, Name: "dana"}, action.Person{ID: s.erin.ID}
		gone := action.App{Instance: "staging", Namespace: "team-a", Name: "old-api"}
		s.past(
			&action.Record{Request: action.Request{Kind: action.HardRefresh, App: gone}, By: erin, State: action.Done},
			&action.Record{Request: action.Request{Kind: action.DeleteHookJob, App: s.app, Target: evidence.Ref{Kind: "Job", Name: "db-migrate"}}, By: dana, State: action.Failed, Result: "<!channel> the Job was\nanother one"},
			&action.Record{Request: action.Request{Kind: action.Mute, App: s.app, MuteFor: 4 * time.Hour}, By: dana, State: action.Done},
			&action.Record{Request: action.Request{Kind: action.Sync, App: s.app}, By: dana, State: action.Denied, Summary: "sync 9c1e0d2", Approval: &action.Approval{By: erin, Reason: "not on a Friday"}},
			&action.Record{Request: action.Request{Kind: action.Sync, App: s.app}, By: dana, State: action.Done, Summary: "sync 3f2a91c (1 changed)", Result: "synced, healthy", Approval: &action.Approval{By: erin}},
		)
		s.slash("deploys", "audit")
		m := s.deploys.Messages()[2]
		lines := []string{
			"2000-01-01 00:04 UTC dana · prod/courier-api · sync 3f2a91c (1 changed) · ✅ done, approved by " + s.erin.ID + ": synced, healthy",
			"dana · prod/courier-api · sync 9c1e0d2 · 🚫 denied by " + s.erin.ID + ": not on a Friday",
			"dana · prod/courier-api · mute for 4 h · ✅ done",
			"dana · prod/courier-api · delete Job/db-migrate · ❌ failed: <!channel> the Job was another one",
			s.erin.ID + " · staging/team-a/old-api · hard refresh · ✅ done",
		}
		got := read(m)
		last := -1
		for _, line := range lines {
			at := strings.Index(got, line)
			if at <= last {
				t.Errorf("%q is not where it should be in\n%s", line, got)
			}
			last = at
		}
		if raw := string(m.Blocks); strings.Contains(raw, `"user_id"`) || strings.Contains(raw, `"mrkdwn"`) {
			t.Errorf("somebody is called: %s", raw)
		}

		for text, want := range map[string][2]string{
			"audit old-api":          {"Actions from Slack on old-api", "sync"}, // it is gone, and has a past
			"audit instance:staging": {"Actions from Slack in staging", "sync"},
			"audit -n argocd":        {"Actions from Slack in namespace argocd", "old-api"},
			"audit nothing-like-it":  {"None recorded.", "old-api"},
		} {
			s.slash("deploys", text)
			all := s.deploys.Messages()
			got := read(all[len(all)-1])
			s.shows(got, want[0])
			if strings.Contains(strings.TrimPrefix(got, want[0]), want[1]) {
				t.Errorf("%s shows %s\n%s", text, want[1], got)
			}
		}
	})
}

func TestTheAuditOfAThread(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		other := s.backend.apps[1].App
		s.past(
			&action.Record{Request: action.Request{Kind: action.Mute, App: s.app}, State: action.Done},
			&action.Record{Request: action.Request{Kind: action.HardRefresh, App: other}, State: action.Done},
		)
		s.say("@argo audit", s.root)
		thread := s.deploys.Thread(s.root)
		got := read(thread[len(thread)-1])
		s.shows(got, "Actions from Slack on prod/courier-api", "unmute")
		if strings.Contains(got, other.Name) {
			t.Error(got)
		}
	})
}

func TestALongAuditSaysHowMuchIsMissing(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		for range 50 {
			s.past(&action.Record{Request: action.Request{Kind: action.HardRefresh, App: s.app}, State: action.Done, Result: strings.Repeat("long ", 100)})
		}
		s.slash("deploys", "audit courier-api")
		got := read(s.deploys.Messages()[1])
		s.shows(got, "Actions from Slack on courier-api, newest 20 of 50")
		if n := strings.Count(got, "hard refresh"); n != 20 {
			t.Errorf("%d are listed", n)
		}
	})
}

func TestTheAuditShowsWhatOneMaySeeOnly(t *testing.T) {
	actions, key := newFakeActions(), button.NewKey("secret")
	play(t, func(o *slack.Options) {
		o.Actions, o.Key = actions, key
		o.Viewer = audience.NewPolicy([]audience.Rule{{Projects: []string{"public"}}}, nil, nil)
	}, func(t *testing.T, sc *scene) {
		s := sc.stage(actions, key)
		s.past(
			&action.Record{Request: action.Request{Kind: action.HardRefresh, App: s.app}, Project: "secret", State: action.Done},
			&action.Record{Request: action.Request{Kind: action.HardRefresh, App: action.App{Name: "open-api"}}, Project: "public", State: action.Done},
		)
		s.slash("deploys", "audit")
		got := read(s.deploys.Messages()[1])
		s.shows(got, "open-api")
		if strings.Contains(got, s.app.Name) {
			t.Error(got)
		}
		s.slash("deploys", "audit courier-api")
		s.shows(read(s.deploys.Messages()[2]), "None recorded that you have access to.")
		s.slash("deploys", "access courier-api")
		s.shows(s.told("dana"), "No application named courier-api that you have access to.")
	})
}

func TestTheAuditSaysAStateAsTheThreadDoes(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		dana := action.Person{ID: s.dana.ID, Name: "dana"}
		s.past(
			&action.Record{Request: action.Request{Kind: action.Terminate, App: s.app}, By: dana, State: action.Changed},
			&action.Record{Request: action.Request{Kind: action.Sync, App: s.app}, By: dana, State: action.Expired},
			&action.Record{Request: action.Request{Kind: action.Sync, App: s.app}, By: dana, State: action.Interrupted},
			&action.Record{Request: action.Request{Kind: action.Sync, App: s.app}, By: dana, State: action.Denied, Approval: &action.Approval{By: dana, Reason: "too early"}},
		)
		s.slash("deploys", "audit")
		s.shows(read(s.deploys.Messages()[1]), "⚠️ not done: something changed", "⌛ not approved in time", "❔ interrupted", "↩️ withdrawn by dana: too early")
	})
}
