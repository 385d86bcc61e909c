package slack_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/workspace"
)

func TestASyncIsShownBeforeItIsDone(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.actions.slow = 20 * time.Second
		s.must(s.Click("dana", "deploys", s.root, "argo_why_act_sync"))
		time.Sleep(2 * time.Second) // a trigger lives for three
		synctest.Wait()
		s.shows(s.modal("dana"), "Sync: Checking prod/courier-api…")
		time.Sleep(20 * time.Second)
		synctest.Wait()
		s.shows(s.modal("dana"), "Sync · courier-api in prod, project default", "Revision 3f2a91c", "Sync is safe: the database is reachable again",
			"1 prunable, 1 changed", "⚠️ contains data: PersistentVolumeClaim/data in shop", "Deployment/web in shop", "[Sync]")
		s.did()

		s.must(s.Submit("dana", s.view("dana").ID, nil))
		synctest.Wait()
		s.shows(s.modal("dana"), "Sync: Working on prod/courier-api…")
		s.settle()
		s.did("sync courier-api by dana Ready")
		s.shows(s.modal("dana"), "Started. Sync 3f2a91c. Follow progress in the thread<https://acme.slack.com/archives/C1/p1>.")
		if strings.Contains(s.modal("dana"), "[") {
			t.Error("it can be submitted again")
		}
		r := s.actions.records[0]
		if r.Place != (action.Place{Incident: "courier-api-1", Channel: s.deploys.ID(), Thread: s.root}) || r.Sync.Prune || r.Sync.DryRun || r.Sync.Resources != nil || r.Fingerprint != "print of 3f2a91c" {
			t.Errorf("%+v", r)
		}
	})
}

func TestTheOtherDialogs(t *testing.T) {
	for kind, want := range map[action.Kind][]string{
		action.DeleteHookJob: {"Delete failed hook Job: ", "Job/db-migrate in shop, PreSync hook, failed, UID 6f1c0a52", "The end of its log is saved to the thread before it is deleted.", "[Delete]"},
		action.Terminate:     {"Terminate operation: ", "Terminate the sync that started at 02:51", "[Terminate]"},
	} {
		t.Run(string(kind), func(t *testing.T) {
			perform(t, func(t *testing.T, s *stage) {
				s.click("dana", kind)
				s.shows(s.modal("dana"), want...)
				s.submit("dana", nil)
				s.did(string(kind) + " courier-api by dana Ready")
				if got := s.actions.records[0].Target.Name; kind == action.DeleteHookJob && got != "db-migrate" {
					t.Errorf("target %q", got)
				}
			})
		})
	}
}

func TestWhatWasTickedIsAskedFor(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.click("dana", action.Sync)
		s.submit("dana", map[string]map[string]any{
			dialog.InputPrune:     workspace.Chosen("checkboxes", "yes"),
			dialog.InputDryRun:    workspace.Chosen("checkboxes", "yes"),
			dialog.InputResources: workspace.Chosen("multi_static_select", s.offered("dana")[1]),
		})
		s.did("sync courier-api by dana Ready")
		got := s.actions.records[0].Sync
		want := evidence.Ref{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}
		if !got.Prune || !got.DryRun || len(got.Resources) != 1 || got.Resources[0] != want {
			t.Errorf("%+v", got)
		}
	})
}

// offered are the values of the resources that the modal offers.
func (s *stage) offered(who string) []string {
	s.t.Helper()
	var out []string
	for part := range strings.SplitSeq(string(s.view(who).Raw), `"value":"`) {
		if value, _, ok := strings.Cut(part, `"`); ok && len(strings.Fields(value)) == 2 && len(value) > 15 {
			out = append(out, value)
		}
	}
	return out
}

func TestAPlanThatChangedIsShownAnewAndNotDone(t *testing.T) {
	for name, values := range map[string]func(s *stage) map[string]map[string]any{
		"as a whole": func(*stage) map[string]map[string]any { return nil },
		"only one resource": func(s *stage) map[string]map[string]any {
			return map[string]map[string]any{dialog.InputResources: workspace.Chosen("multi_static_select", s.offered("dana")[0])}
		},
	} {
		t.Run(name, func(t *testing.T) {
			perform(t, func(t *testing.T, s *stage) {
				s.click("dana", action.Sync)
				s.actions.revision = "9c1e0d2"
				s.submit("dana", values(s))
				s.did()
				s.shows(s.modal("dana"), "Nothing was done. Below is the current plan. Confirm it again.", "Revision 9c1e0d2", "[Sync]")
				s.counted("sync", "changed")
				s.submit("dana", nil)
				s.did("sync courier-api by dana Ready")
				if got := s.actions.records[0].Fingerprint; got != "print of 9c1e0d2" {
					t.Errorf("confirmed %q", got)
				}
			})
		})
	}
}

func TestAPlanThatCannotBeDoneAnyMoreSaysWhy(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.click("dana", action.Sync)
		s.actions.refuses = "the dry run failed: quota exceeded"
		s.submit("dana", nil)
		s.did()
		got := s.modal("dana")
		s.shows(got, "This has changed since you opened it. Nothing was done.", "Not possible now: the dry run failed: quota exceeded.")
		if strings.Contains(got, "[Sync]") {
			t.Error("it can be submitted again")
		}
		s.counted("sync", "not-offered")
	})
}

func TestAPlanThatCannotBeDoneSaysWhyAndHasNoButton(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.actions.refuses = "a sync window forbids it until 06:00"
		s.click("dana", action.Sync)
		s.shows(s.modal("dana"), "Not possible now: a sync window forbids it until 06:00.")
		if s.Submit("dana", s.view("dana").ID, nil) == nil {
			t.Error("it can be submitted")
		}
	})
}

func TestWhoMayNotSeesWhoCouldAndCallsNobody(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.click("erin", action.Sync)
		s.shows(s.modal("erin"), "Nothing was done. You cannot sync applications of project default.", "People who can do this: @S0ONCALL, @"+s.dana.ID)
		s.counted("sync", "not-allowed")
		if n := len(s.deploys.Ephemerals("erin")); n != 0 {
			t.Errorf("%d messages beside the modal", n)
		}
	})
}

func TestATroubleIsToldInTheModal(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.actions.err = errors.New("rpc error: connection refused by 10.0.0.1")
		s.click("dana", action.Sync)
		got := s.modal("dana")
		s.shows(got, "Sync: Something went wrong (reference ")
		if strings.Contains(got, "10.0.0.1") {
			t.Error(got)
		}
		s.actions.panics = true
		s.click("dana", action.Terminate)
		s.shows(s.modal("dana"), "Internal error (reference ")
	})
}

func TestASlowPlanIsGivenUpAndSaidSo(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.actions.slow = time.Hour
		s.must(s.Click("dana", "deploys", s.root, "argo_why_act_sync"))
		time.Sleep(time.Minute)
		s.shows(s.modal("dana"), "No answer within 45s")
	})
}

func TestAModalThatCannotBeOpenedInTime(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.Fault(workspace.Fault{Method: "views.open", Delay: 5 * time.Second})
		s.click("dana", action.Sync)
		s.shows(s.told("dana"), "The dialog could not be opened in time. Nothing was done. Try again.")
		s.counted("sync", "late")
	})
}

func TestWhenAModalCannotBeFilledThePersonIsToldWithoutIt(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.actions.may = nil
		s.Fault(workspace.Fault{Method: "views.update", Hang: true, Times: -1})
		s.click("dana", action.Sync)
		s.shows(s.told("dana"), "You cannot sync applications")
	})
}

func TestSlowAnswersDoNotKeepAModalClosed(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.backend.hold = make(chan struct{})
		for range 20 {
			s.must(s.Command("erin", "deploys", "/argo", "why rating-api-two"))
		}
		time.Sleep(time.Second)
		s.must(s.Click("dana", "deploys", s.root, "argo_why_act_sync"))
		time.Sleep(time.Second)
		s.shows(s.modal("dana"), "Checking prod/courier-api…")
		close(s.backend.hold)
		s.settle()
	})
}

func TestAModalThatIsClosedMeanwhile(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		shut := func(during func()) {
			t.Helper()
			s.click("dana", action.Sync)
			v := s.view("dana")
			during()
			s.must(s.Submit("dana", v.ID, nil))
			time.Sleep(100 * time.Millisecond)
			s.must(s.CloseView("dana", v.ID))
			s.settle()
		}
		shut(func() { s.actions.revision = "9c1e0d2" })
		s.did()
		s.shows(s.told("dana"), "Nothing was done: The revision is now 9c1e0d2. Try again to see the current state.")
		shut(func() { s.actions.may = nil })
		s.shows(s.told("dana"), "You cannot sync applications")
		s.actions.may = []string{s.dana.ID}
		before := s.told("dana")
		shut(func() {})
		s.did("sync courier-api by dana Ready")
		if s.told("dana") != before {
			t.Error("the thread tells enough")
		}
	})
}

func TestASubmissionThatNobodyCanHaveMadeIsRefusedCountedAndTold(t *testing.T) {
	for name, c := range map[string]struct {
		edit    func(s *stage, p map[string]any)
		says    string
		action  string
		outcome string
	}{
		"edited metadata": {func(s *stage, p map[string]any) {
			edit(at(p, "view"), "private_metadata", "courier-api", "rating-api")
		}, "This button was not created by this bot", "unknown", "forged"},
		"the value of a button": {func(s *stage, p map[string]any) {
			at(p, "view")["private_metadata"] = s.key.In(s.deploys.ID()).Encode("argo_why_act_sync", button.Value{Do: "sync", App: s.app})
		}, "This button was not created by this bot", "unknown", "forged"},
		"a resource that was not offered": {func(s *stage, p map[string]any) {
			for _, block := range at(p, "view", "state", "values") {
				if menu := at(block, dialog.InputResources); menu != nil {
					menu["selected_options"] = []any{map[string]any{"value": "0 0123456789abcdef"}}
				}
			}
		}, "Your selection does not match the options that were offered. Nothing was done. Try again.", "sync", "forged"},
		"another workspace":  {func(_ *stage, p map[string]any) { at(p, "team")["id"] = "T0OTHER" }, "I only answer members of the workspace", "sync", "foreign"},
		"a guest":            {func(_ *stage, p map[string]any) { at(p, "user")["team_id"] = "T0OTHER" }, "I only answer members of the workspace", "sync", "foreign"},
		"somebody not there": {func(s *stage, p map[string]any) { at(p, "user")["id"] = s.outside }, "This button was not created by this bot for this message.", "unknown", "forged"},
	} {
		t.Run(name, func(t *testing.T) {
			perform(t, func(t *testing.T, s *stage) {
				s.click("dana", action.Sync)
				s.Tamper(func(p map[string]any) { c.edit(s, p) })
				s.submit("dana", nil)
				s.did()
				s.shows(s.modal("dana"), c.says)
				s.counted(c.action, c.outcome)
			})
		})
	}
}

func TestWhoLeftTheChannelMeanwhileMayNotConfirm(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.click("dana", action.Sync)
		s.deploys.Kick("dana")
		time.Sleep(time.Minute)
		s.submit("dana", nil)
		s.did()
		s.shows(s.modal("dana"), "Only members of this channel can do this, so nothing was done.")
	})
}

func TestASubmissionThatIsDeliveredToTwoReplicasIsDoneOnce(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		o := s.options
		o.Registry = nil
		other, err := slack.New(o)
		s.must(err)
		defer s.run(other)()
		s.await("both to connect", func() bool { return s.Sockets(s.bot) == 2 })
		s.click("dana", action.Sync)
		s.submit("dana", nil)
		for range 3 {
			if !s.Redeliver() {
				t.Fatal("nothing was delivered again")
			}
			s.settle()
		}
		s.did("sync courier-api by dana Ready")
		s.shows(s.modal("dana"), "Started. ")
	})
}

func TestASubmissionWhileTheBotStopsIsNotSwallowed(t *testing.T) {
	perform(t, func(t *testing.T, s *stage) {
		s.click("dana", action.Sync)
		s.backend.hold = make(chan struct{}) // something is under way, so that the socket stays
		s.must(s.Command("erin", "deploys", "/argo", "why rating-api-two"))
		synctest.Wait()
		s.stop()
		synctest.Wait()
		s.must(s.Submit("dana", s.view("dana").ID, nil))
		synctest.Wait()
		s.shows(s.modal("dana"), "The bot is busy or restarting. Press again in a moment.")
		close(s.backend.hold)
		<-s.stopped
		s.did()
	})
}
