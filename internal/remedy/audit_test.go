package remedy_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/remedy"
)

// TestOffersAreWhatSomebodyMayAndTheBotCan: and never wait for Argo CD to say what the bot can.
func TestOffersAreWhatSomebodyMayAndTheBotCan(t *testing.T) {
	syncOnly := []action.Grant{{Kinds: []action.Kind{action.Sync}, Everybody: true, Projects: []string{"payments"}}}
	for name, x := range map[string]struct {
		rules   []action.Grant
		prepare func(s *scene)
		want    string
	}{
		"all":                      {rules: everybodyMay, want: "hard-refresh delete-hook-job sync"},
		"nobody may delete":        {rules: syncOnly, want: "hard-refresh sync"},
		"the bot may not sync":     {rules: everybodyMay, prepare: func(s *scene) { s.lacks[action.Sync] = "add it" }, want: "hard-refresh delete-hook-job"},
		"who knows what it may":    {rules: everybodyMay, prepare: func(s *scene) { s.lacks[action.HardRefresh] = "?" }, want: "delete-hook-job sync"},
		"the verdict is against":   {rules: everybodyMay, prepare: func(s *scene) { s.app.Status.OperationState.Phase = evidence.OperationSucceeded }, want: "hard-refresh delete-hook-job"},
		"nobody may in project x":  {rules: syncOnly, prepare: func(s *scene) { s.app.Spec.Project = "x" }, want: "hard-refresh"},
		"an operation is stuck":    {rules: everybodyMay, prepare: func(s *scene) { s.stuck() }, want: "hard-refresh delete-hook-job terminate"},
		"there is no such Argo CD": {rules: everybodyMay, prepare: func(s *scene) { s.instance = "other" }},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, x.rules, func(s *scene) {
				if x.prepare != nil {
					x.prepare(s)
				}
				bot := s.start("a")
				report := s.report()
				if s.instance != "" {
					report.App.Instance = s.instance
				}
				if got := bot.Offers(report); len(got) > 0 {
					t.Errorf("offered before Argo CD was asked: %v", got)
				}
				s.pass(time.Second)
				if got := offered(bot.Offers(report)); got != x.want {
					t.Errorf("offers %q, want %q", got, x.want)
				}
				if (s.thread.redrawn > 0) != (x.want != "") {
					t.Error("the incidents stand there without their buttons until something else happens")
				}
				bot.stop()
			})
		})
	}
}

func offered(actions []diagnose.Action) string {
	var ids []string
	for _, a := range actions {
		ids = append(ids, a.ID)
	}
	return strings.Join(ids, " ")
}

func TestARightThatIsTakenAwayIsNotOfferedForLong(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		bot := s.start("a")
		report := s.report()
		bot.Offers(report)
		s.pass(time.Second)
		s.change(func() { s.lacks[action.Sync] = "add it"; s.lacks[action.HardRefresh] = "?" })
		s.pass(7 * time.Minute)
		if got := offered(bot.Offers(report)); got != "hard-refresh delete-hook-job" {
			t.Errorf("after minutes: %s", got)
		}
		s.pass(5 * time.Minute)
		if got := offered(bot.Offers(report)); got != "delete-hook-job" {
			t.Errorf("what Argo CD says nothing of for long: %s", got)
		}
		bot.stop()
	})
}

// TestAButtonThatWentWhileNothingWasKnownComesBack: and one that nobody can vouch for any more goes.
func TestAButtonThatWentWhileNothingWasKnownComesBack(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		bot := s.start("a")
		report := s.report()
		drawn := func() string { return offered(bot.Offers(report)) }
		redrawn := func() (n int) {
			s.thread.mu.Lock()
			defer s.thread.mu.Unlock()
			n, s.thread.redrawn = s.thread.redrawn, 0
			return n
		}
		drawn()
		s.pass(time.Second)
		const all = "hard-refresh delete-hook-job sync"
		if got := drawn(); got != all || redrawn() == 0 {
			t.Fatalf("offers %q", got)
		}
		s.change(func() { s.lacks[action.Sync] = "?" })
		s.pass(14 * time.Minute)
		if redrawn() != 1 {
			t.Error("the button still stands there")
		}
		if got := drawn(); got != "hard-refresh delete-hook-job" {
			t.Errorf("while nothing is known it offers %q", got)
		}
		s.change(func() { delete(s.lacks, action.Sync) })
		s.pass(4 * time.Minute)
		if got := drawn(); got != all || redrawn() != 1 {
			t.Errorf("it offers %q, and nobody draws it", got)
		}
		bot.stop()
	})
}

// TestRightsAreAskedForAFewAtATime: a page full of incidents is no flood for Argo CD.
func TestRightsAreAskedForAFewAtATime(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		bot := s.start("a")
		report := s.report()
		s.lacksTakes = time.Second
		for n := range 20 {
			report.Context.Project = fmt.Sprintf("p-%d", n)
			bot.Offers(report)
		}
		s.pass(time.Minute)
		if s.askedAtOnce != 4 {
			t.Errorf("asked %d at once", s.askedAtOnce)
		}
		for n := range 20 {
			report.Context.Project = fmt.Sprintf("p-%d", n)
			if got := offered(bot.Offers(report)); got != "hard-refresh delete-hook-job sync" {
				t.Errorf("%s: offers %q", report.Context.Project, got)
			}
		}
		bot.stop()
	})
}

// TestWhatIsOfferedIsFoundOutWhileTheBotRuns: drawing a message starts nothing, and what was wanted before the start is asked then.
func TestWhatIsOfferedIsFoundOutWhileTheBotRuns(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		bot := s.open("a")
		report := s.report()
		bot.Offers(report)
		s.pass(time.Minute)
		if s.askedAtOnce != 0 || len(bot.Offers(report)) > 0 {
			t.Error("a bot that does not run asks Argo CD")
		}
		bot.run()
		s.pass(time.Second)
		if got := offered(bot.Offers(report)); got != "hard-refresh delete-hook-job sync" {
			t.Errorf("offers %q", got)
		}
		bot.stop()
	})
}

func TestAccessSaysWhoMayAndWhyNotNow(t *testing.T) {
	rules := []action.Grant{
		{Kinds: []action.Kind{action.Sync}, Who: action.Who{Groups: []string{"SONCALL"}}, Approval: leadsAgree[0].Approval},
		{Kinds: []action.Kind{action.DeleteHookJob}, Who: action.Who{Users: []string{"U7"}}},
		{Kinds: []action.Kind{action.Terminate}, Who: action.Who{Groups: []string{"SGONE"}}},
	}
	play(t, rules, func(s *scene) {
		s.lacks[action.Mute] = "nothing: it is asked of nobody"
		s.lacks[action.DeleteHookJob] = "add p, argo-why, applications, delete/batch/Job"
		bot := s.open("a")
		all, err := bot.Access(s.Context(), dana, prod, "payments")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range all {
			got = append(got, fmt.Sprintf("%s %t everybody=%t could=%v approval=%v %s", a.Kind, a.May, a.Everybody, a.Could, a.Approval, a.NotNow))
		}
		want := []string{
			"hard-refresh true everybody=true could={[] []} approval=<nil> ",
			"delete-hook-job false everybody=false could={[U7] []} approval=<nil> the bot's own account lacks a permission: add p, argo-why, applications, delete/batch/Job",
			"terminate false everybody=false could={[] [SGONE]} approval=<nil> your permission could not be checked: read the members of SGONE: Slack does not answer",
			"sync true everybody=false could={[] [SONCALL]} approval=&{[] [SLEADS]} ",
			"mute true everybody=true could={[] []} approval=<nil> ",
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
			t.Errorf("got\n%s\nwant\n%s", g, w)
		}
		s.app.Status.OperationState.Phase = evidence.OperationSucceeded
		if all, _ = bot.Access(s.Context(), dana, prod, "payments"); all[3].NotNow != "why the resources differ is not known" {
			t.Errorf("a sync that is refused: %s", all[3].NotNow)
		}
		s.gone = true
		if all, _ = bot.Access(s.Context(), dana, prod, "payments"); all[0].NotNow != "the application no longer exists" {
			t.Errorf("an application that is gone: %s", all[0].NotNow)
		}
	})
}

func TestTheAuditIsNewestFirstAndForgetsWhatIsOld(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		bot := s.start("a")
		for range 103 {
			bot.pressed(dana, wish(action.HardRefresh))
			s.pass(5 * time.Second)
		}
		all, err := bot.Audit(s.Context(), nil)
		if err != nil || len(all) != 100 || !all[0].At.After(all[99].At) {
			t.Errorf("%d records, %v", len(all), err)
		}
		if none, _ := bot.Audit(s.Context(), func(action.App) bool { return false }); len(none) != 0 {
			t.Errorf("records of applications that were not asked for: %d", len(none))
		}
		bot.stop()
		s.pass(91 * 24 * time.Hour)
		bot = s.start("b")
		bot.pressed(dana, wish(action.HardRefresh))
		if all, _ = bot.Audit(s.Context(), nil); len(all) != 1 {
			t.Errorf("%d records after three months", len(all))
		}
		bot.stop()
	})
}

// TestWhatIsLiveIsNotForgotten: however long it waits, and however much comes after it.
func TestWhatIsLiveIsNotForgotten(t *testing.T) {
	rules := []action.Grant{
		{Kinds: []action.Kind{action.Sync}, Everybody: true, Approval: &action.ApprovalRule{From: leadsAgree[0].Approval.From, ExpireAfter: 100 * 24 * time.Hour}},
		{Kinds: []action.Kind{action.HardRefresh}, Everybody: true},
	}
	play(t, rules, func(s *scene) {
		bot := s.open("a")
		waiting := bot.pressed(dana, wish(action.Sync))
		s.pass(95 * 24 * time.Hour)
		bot.run()
		for range 105 {
			bot.pressed(dana, wish(action.HardRefresh))
			s.pass(3 * time.Second)
		}
		all, err := bot.Audit(s.Context(), nil)
		if err != nil || all[len(all)-1].ID != waiting.ID || all[len(all)-1].State != action.Waiting || len(all) > 101 {
			t.Errorf("%d records, the oldest %+v, %v", len(all), all[len(all)-1], err)
		}
		bot.stop()
	})
}

// TestAnEndIsAnEventThoughNothingCanBeTold: whoever looks at the Application sees it while Slack is away.
func TestAnEndIsAnEventThoughNothingCanBeTold(t *testing.T) {
	for name, x := range map[string]struct {
		rules  []action.Grant
		decide bool
		says   string
	}{
		"done":    {rules: everybodyMay, says: "A sync, requested by dana (U1): Done. The sync of 3f2a91c succeeded."},
		"denied":  {rules: leadsAgree, decide: true, says: "A sync, requested by dana (U1), denied by erin (U2): Denied. not now"},
		"expired": {rules: leadsAgree, says: "A sync, requested by dana (U1): Expired. No one approved it by 00:15 UTC."},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, x.rules, func(s *scene) {
				s.thread.down = errors.New("is_archived")
				bot := s.start("a")
				bot.pressed(dana, wish(action.Sync))
				if x.decide {
					if _, err := bot.decide(erin, false, "not now"); err != nil {
						t.Fatal(err)
					}
				}
				s.pass(20 * time.Minute)
				r := s.only()
				if got := s.events[r.ID].Message; got != x.says || len(r.Notes) == 0 {
					t.Errorf("the event says %q; due are %+v", got, r.Notes)
				}
				s.thread.fails(nil)
				s.pass(time.Minute)
				s.endsAs(r.State, "")
				bot.stop()
			})
		})
	}
}

// TestEveryEndIsLoggedAndCounted: with who, and who approved.
func TestEveryEndIsLoggedAndCounted(t *testing.T) {
	var out bytes.Buffer
	registry := prometheus.NewRegistry()
	play(t, leadsAgree, func(s *scene) {
		s.options = remedy.Options{Log: slog.New(slog.NewJSONHandler(&out, nil)), Registry: registry}
		bot := s.start("a")
		bot.pressed(dana, wish(action.Sync))
		if _, err := bot.press(frank, wish(action.Sync)); code(err) != action.Busy {
			t.Errorf("the second hears: %v", err)
		}
		if _, err := bot.decide(erin, true, ""); err != nil {
			t.Fatal(err)
		}
		s.pass(time.Minute)
		bot.stop()
	})
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range families {
		for _, m := range f.GetMetric() {
			text := f.GetName()
			for _, l := range m.GetLabel() {
				text += " " + l.GetValue()
			}
			got = append(got, fmt.Sprint(text, " ", m.GetCounter().GetValue()+float64(m.GetHistogram().GetSampleCount())))
		}
	}
	want := "argo_why_action_refusals_total sync busy 1, argo_why_action_seconds sync 1, argo_why_actions_total sync Done 1, argo_why_journal_bytes action-log 0, argo_why_journal_damaged action-log 0, argo_why_journal_entries action-log 0"
	if g := strings.Join(got, ", "); g != want {
		t.Errorf("counted %s, want %s", g, want)
	}
	ends := 0
	for line := range strings.Lines(out.String()) {
		var l map[string]any
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l["msg"] != "action" {
			continue
		}
		ends++
		if l["kind"] != "sync" || l["by"] != "U1" || l["approved_by"] != "U2" || l["state"] != "Done" || l["result"] != "The sync of 3f2a91c succeeded." || l["id"] == "" || l["app"] == nil {
			t.Errorf("logged: %s", line)
		}
	}
	if ends != 1 {
		t.Errorf("the end is logged %d times", ends)
	}
}
