package remedy_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/remedy"
)

// TestWhatIsAskedForIsDone: every kind, by somebody who may.
func TestWhatIsAskedForIsDone(t *testing.T) {
	for kind, x := range map[action.Kind]struct {
		stuck  bool
		result string
		done   string
		told   string
	}{
		action.HardRefresh:   {result: "Argo CD rendered the manifests again and compared them with the cluster.", done: "refresh", told: "Done"},
		action.Mute:          {result: "Muted until 2000-01-01 01:00 UTC.", told: "Done"},
		action.Terminate:     {stuck: true, result: "The operation that started at 31 Dec 23:00 UTC has ended: Failed, Operation terminated.", done: "terminate", told: "Ready Done"},
		action.DeleteHookJob: {result: "Deleted Job/db-migrate through Kubernetes.", done: "delete", told: "Ready log Done"},
		action.Sync:          {result: "The sync of 3f2a91c succeeded.", done: "dry-run sync", told: "Ready Done"},
	} {
		t.Run(string(kind), func(t *testing.T) {
			play(t, oncallMay, func(s *scene) {
				if x.stuck {
					s.stuck()
				}
				bot := s.start("a")
				bot.pressed(dana, wish(kind))
				s.pass(time.Minute)
				r := s.endsAs(action.Done, x.result)
				if got := strings.Join(s.done, " "); got != x.done {
					t.Errorf("done: %s", got)
				}
				if got := s.thread.states(); got != x.told {
					t.Errorf("told: %s", got)
				}
				if r.By != dana || r.Started.IsZero() || r.Ended.IsZero() || r.Place.Channel != "C1" {
					t.Errorf("the record does not say enough: %+v", r)
				}
				e := s.events[r.ID]
				if !strings.Contains(e.Message, "dana (U1)") || !strings.Contains(e.Message, x.result) || e.Warning {
					t.Errorf("the event says: %+v", e)
				}
				if s.thread.looked == 0 || s.thread.shown == 0 {
					t.Error("the incident does not follow")
				}
				bot.stop()
			})
		})
	}
}

// TestWhoMayNotIsRefused: and nothing is written, nothing done.
func TestWhoMayNotIsRefused(t *testing.T) {
	for name, x := range map[string]struct {
		rules   []action.Grant
		kind    action.Kind
		by      action.Person
		prepare func(s *scene)
		want    action.Code
		says    string
	}{
		"not in the group":                 {rules: oncallMay, kind: action.Sync, by: erin, want: action.NotAllowed, says: "the policy does not allow you to sync in project payments"},
		"no rule":                          {kind: action.DeleteHookJob, by: dana, want: action.NotAllowed},
		"no ID":                            {rules: oncallMay, kind: action.Sync, by: action.Person{Name: "dana"}, want: action.NotAllowed},
		"the group cannot be read":         {rules: oncallMay, kind: action.Sync, by: dana, prepare: func(s *scene) { delete(s.members, "SONCALL") }, want: action.Unreadable, says: "SONCALL"},
		"the bot lacks the right":          {rules: everybodyMay, kind: action.Sync, by: dana, prepare: func(s *scene) { s.lacks[action.Sync] = "add p, argo-why, applications, sync" }, want: action.NoRight, says: "add p, argo-why"},
		"the right cannot be read":         {rules: everybodyMay, kind: action.Sync, by: dana, prepare: func(s *scene) { s.lacks[action.Sync] = "?" }, want: action.Unreadable, says: "Argo CD does not answer"},
		"an unknown instance":              {rules: everybodyMay, kind: "sync", by: dana, prepare: func(*scene) {}, want: action.NotOffered, says: `no Argo CD named "other"`},
		"Argo CD is down":                  {rules: everybodyMay, kind: action.HardRefresh, by: dana, prepare: func(s *scene) { s.unreadable = errors.New("connection refused") }, want: action.Unreadable, says: "nothing was done: connection refused"},
		"the application no longer exists": {rules: everybodyMay, kind: action.Sync, by: dana, prepare: func(s *scene) { s.gone = true }, want: action.NotOffered, says: "no longer exists"},
		"it is being deleted":              {rules: everybodyMay, kind: action.HardRefresh, by: dana, prepare: func(s *scene) { s.app.Metadata.DeletionTimestamp = evidence.Time{Time: time.Now()} }, want: action.NotOffered, says: "being deleted"},
		"a running Job":                    {rules: everybodyMay, kind: action.DeleteHookJob, by: dana, prepare: func(s *scene) { s.job.Active, s.job.Finished = 1, "" }, want: action.NotOffered, says: "still running"},
		"no hook":                          {rules: everybodyMay, kind: action.DeleteHookJob, by: dana, prepare: func(s *scene) { s.job.Hook = "" }, want: action.NotOffered, says: "no hook annotation"},
		"another application's Job":        {rules: everybodyMay, kind: action.DeleteHookJob, by: dana, prepare: func(s *scene) { s.job.TrackedBy = "other" }, want: action.NotOffered, says: "belongs to application other"},
		"no operation runs":                {rules: everybodyMay, kind: action.Terminate, by: dana, want: action.NotOffered, says: "no operation is running"},
		"a sync while one runs":            {rules: everybodyMay, kind: action.Sync, by: dana, prepare: func(s *scene) { s.stuck() }, want: action.NotOffered, says: "still running"},
		"an unknown kind":                  {rules: everybodyMay, kind: "reboot", by: dana, want: action.NotAllowed},
		"the journal is down":              {rules: everybodyMay, kind: action.Sync, by: dana, prepare: func(s *scene) { s.journal.down = errors.New("no journal") }, want: action.Unreadable, says: "no journal"},
		"what it needs is not allowed": {rules: []action.Grant{{Kinds: []action.Kind{action.DeleteHookJob}, Everybody: true}}, kind: action.DeleteHookJob, by: dana,
			prepare: func(s *scene) { s.stuck() }, want: action.NotAllowed, says: "terminate operations in project payments"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, x.rules, func(s *scene) {
				if x.prepare != nil {
					x.prepare(s)
				}
				bot := s.start("a")
				w := wish(x.kind)
				if x.kind == "sync" && name == "an unknown instance" {
					w.App.Instance = "other"
				}
				_, err := bot.press(x.by, w)
				if code(err) != x.want || !strings.Contains(err.Error(), x.says) {
					t.Errorf("refused with %v, want %s: %s", err, x.want, x.says)
				}
				s.pass(time.Minute)
				if len(s.done) > 0 || len(s.thread.said) > 0 || len(s.journal.logs) > 0 {
					t.Errorf("done %v, said %v", s.done, s.thread.said)
				}
				bot.stop()
			})
		})
	}
}

// TestWhatChangedSinceItWasShownIsShownAnew: nothing happens, and the new plan comes along.
func TestWhatChangedSinceItWasShownIsShownAnew(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		bot := s.start("a")
		a := bot.shown(dana, wish(action.Sync))
		s.change(func() { s.app.Status.Sync.Revision = newer })
		_, err := bot.Request(s.Context(), a)
		var refusal *action.Refusal
		if !errors.As(err, &refusal) || refusal.Code != action.PlanChanged || refusal.Plan.Revision != newer {
			t.Errorf("refused with %+v", err)
		}
		a.Fingerprint, a.Click = "", "other"
		if _, err := bot.Request(s.Context(), a); code(err) != action.PlanChanged {
			t.Errorf("a sync that nobody was shown: %v", err)
		}
		s.pass(time.Minute)
		if len(s.done) > 0 {
			t.Errorf("done: %v", s.done)
		}
		bot.stop()
	})
}

// TestWhatChangesAfterItWasTakenIsNotDone: between the click and the begin, and during the dry run.
func TestWhatChangesAfterItWasTakenIsNotDone(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		bot := s.start("a")
		a := bot.shown(dana, wish(action.Sync))
		looks := 0
		var count func()
		count = func() {
			if looks++; looks == 2 { // the first is that of Ask
				s.app.Status.Sync.Revision = newer
			}
			s.meanwhile["look"] = count
		}
		s.meanwhile["look"] = count
		if _, err := bot.Request(s.Context(), a); err != nil {
			t.Fatal(err)
		}
		s.pass(time.Minute)
		s.endsAs(action.Changed, "Git moved on from 3f2a91c to 9c1d2e3, which changes what is synced.")
		if len(s.done) > 0 {
			t.Errorf("done: %v", s.done)
		}
		bot.stop()
	})
}

// TestAClickCountsOnce: delivered again, to the same process and to another one, also when all is over.
func TestAClickCountsOnce(t *testing.T) {
	for _, kind := range action.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			play(t, everybodyMay, func(s *scene) {
				if kind == action.Terminate {
					s.stuck()
				}
				one, two := s.start("a"), s.start("b")
				a := one.shown(dana, wish(kind))
				if _, err := one.Request(s.Context(), a); err != nil {
					t.Fatal(err)
				}
				for _, bot := range []*replica{one, two} {
					if r, err := bot.Request(s.Context(), a); code(err) != action.AlreadyRequested || r == nil {
						t.Errorf("again: %v", err)
					}
				}
				s.pass(time.Minute)
				if r, err := two.Request(s.Context(), a); code(err) != action.AlreadyRequested || r.State != action.Done {
					t.Errorf("after the end: %v", err)
				}
				s.endsAs(action.Done, "")
				for _, what := range s.done {
					if s.did(what) != 1 {
						t.Errorf("%s was done %d times", what, s.did(what))
					}
				}
				one.stop()
				two.stop()
			})
		})
	}
}

// TestTwoPeopleAtOnce: on two replicas, in the same moment. One is done, the other hears of it.
func TestTwoPeopleAtOnce(t *testing.T) {
	for _, kind := range action.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			play(t, everybodyMay, func(s *scene) {
				if kind == action.Terminate {
					s.stuck()
				}
				one, two := s.open("a"), s.open("b")
				asks := []action.ConfirmedRequest{one.shown(dana, wish(kind)), two.shown(erin, wish(kind))}
				answers := make(chan error)
				for i, bot := range []*replica{one, two} {
					go func() {
						_, err := bot.Request(s.Context(), asks[i])
						answers <- err
					}()
				}
				taken := 0
				for range asks {
					switch err := <-answers; {
					case err == nil:
						taken++
					case code(err) != action.Busy:
						t.Errorf("the second hears: %v", err)
					}
				}
				one.run()
				two.run()
				s.pass(time.Minute)
				if taken != 1 {
					t.Errorf("%d were taken", taken)
				}
				s.endsAs(action.Done, "")
				for _, what := range s.done {
					if s.did(what) != 1 {
						t.Errorf("%s was done %d times", what, s.did(what))
					}
				}
				one.stop()
				two.stop()
			})
		})
	}
}

// TestASyncAndADeletionExcludeEachOther: but refreshing and muting harm neither, and a sync that hangs can be terminated.
func TestASyncAndADeletionExcludeEachOther(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		bot := s.start("a")
		s.lasts = 20 * time.Minute
		bot.pressed(dana, wish(action.Sync))
		s.pass(4 * time.Second) // in the dry run
		for kind, want2 := range map[action.Kind]action.Code{action.Sync: action.Busy, action.DeleteHookJob: action.Busy} {
			if _, err := bot.press(erin, wish(kind)); code(err) != want2 {
				t.Errorf("%s: %v", kind, err)
			}
		}
		for _, kind := range []action.Kind{action.HardRefresh, action.Mute} {
			bot.pressed(erin, wish(kind))
		}
		s.pass(time.Minute)
		bot.pressed(erin, wish(action.Terminate))
		s.pass(time.Minute)
		all, err := bot.Audit(s.Context(), nil)
		if err != nil || len(all) != 4 {
			t.Fatalf("%d records, %v", len(all), err)
		}
		for _, r := range all {
			state := action.Done
			if r.Kind == action.Sync {
				state = action.Failed
			}
			if r.State != state {
				t.Errorf("%s is %s: %s", r.Kind, r.State, r.Result)
			}
		}
		bot.stop()
	})
}

// TestOneClickOnTwoReplicasAtOnce: Slack may deliver it to both in the same moment.
func TestOneClickOnTwoReplicasAtOnce(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		one, two := s.open("a"), s.open("b")
		a := one.shown(dana, wish(action.Sync))
		// Both have found nothing on record when the first writes.
		two.before = func(string, int) {
			two.before = nil
			if _, err := one.Request(s.Context(), a); err != nil {
				t.Errorf("the first: %v", err)
			}
		}
		if r, err := two.Request(s.Context(), a); code(err) != action.AlreadyRequested || r == nil || r.ID != s.only().ID {
			t.Errorf("the second: %v", err)
		}
	})
}

// TestTwoReplicasTellOnce: neither posts what the other is about to.
func TestTwoReplicasTellOnce(t *testing.T) {
	play(t, leadsAgree, func(s *scene) {
		one, two := s.start("a"), s.start("b")
		s.pass(time.Second)
		one.pressed(dana, wish(action.Sync))
		s.pass(10 * time.Second)
		if _, err := two.decide(erin, false, "no"); err != nil {
			t.Fatal(err)
		}
		s.pass(10 * time.Second)
		s.endsAs(action.Denied, "no")
		one.stop()
		two.stop()
	})
}

// TestARuleThatAsksForApprovalByNowIsHeeded: the configuration changed after it was taken down, and before it was done.
func TestARuleThatAsksForApprovalByNowIsHeeded(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		s.open("a").pressed(dana, wish(action.Sync))
		s.rules = leadsAgree
		bot := s.start("b")
		s.pass(time.Minute)
		s.endsAs(action.Failed, "The policy now requires an approval, so nothing was done.")
		if len(s.done) > 0 {
			t.Errorf("done: %v", s.done)
		}
		bot.stop()
	})
}

// TestWhatARestartFinds: each step leaves its traces, and what they say is told. Nothing is done again.
func TestWhatARestartFinds(t *testing.T) {
	for name, x := range map[string]struct {
		kind   action.Kind
		step   action.Step
		stuck  bool
		found  func(s *scene, id string)
		state  action.State
		result string
	}{
		"the Job is there":                 {kind: action.DeleteHookJob, step: action.StepDelete, state: action.Interrupted, result: "The bot stopped partway through. Job/db-migrate was not deleted. Request it again."},
		"the Job is gone":                  {kind: action.DeleteHookJob, step: action.StepDelete, found: func(s *scene, _ string) { s.job = nil }, state: action.Done, result: "Job/db-migrate was deleted (checked after a restart)."},
		"the Job is another one":           {kind: action.DeleteHookJob, step: action.StepDelete, found: func(s *scene, _ string) { s.job.UID = "job-2" }, state: action.Done, result: "Job/db-migrate was deleted (checked after a restart)."},
		"the Job is on its way":            {kind: action.DeleteHookJob, step: action.StepDelete, found: func(s *scene, _ string) { s.job.Deleting = true }, state: action.Done, result: "Job/db-migrate is being deleted (checked after a restart)."},
		"the operation still runs":         {kind: action.Terminate, step: action.StepTerminate, stuck: true, state: action.Interrupted, result: "The operation that started at 31 Dec 23:00 UTC is still running. Request it again."},
		"the operation has ended":          {kind: action.Terminate, step: action.StepTerminate, stuck: true, found: func(s *scene, _ string) { s.app.Status.OperationState.Phase = evidence.OperationFailed }, state: action.Done, result: "has ended (checked after a restart)"},
		"the application no longer exists": {kind: action.Terminate, step: action.StepTerminate, stuck: true, found: func(s *scene, _ string) { s.gone = true }, state: action.Done, result: "The application and its operation no longer exist."},
		"the dry run was not begun":        {kind: action.Sync, step: action.StepDryRun, state: action.Interrupted, result: "The sync of 3f2a91c did not start. Request it again."},
		"the sync was only tried":          {kind: action.Sync, step: action.StepSync, found: func(s *scene, id string) { s.began(id, true) }, state: action.Interrupted, result: "The sync of 3f2a91c did not start. Request it again."},
		"the sync goes on":                 {kind: action.Sync, step: action.StepSync, found: func(s *scene, id string) { s.began(id, false) }, state: action.Done, result: "The sync of 3f2a91c succeeded."},
		"the sync has failed":              {kind: action.Sync, step: action.StepFollow, found: func(s *scene, id string) { s.syncFails = "exit 1"; s.began(id, false) }, state: action.Failed, result: "The sync of 3f2a91c failed. Job/db-migrate: exit 1."},
		"another sync since":               {kind: action.Sync, step: action.StepFollow, found: func(s *scene, _ string) { s.othersSync() }, state: action.Interrupted, result: "so the result is unknown"},
		"another sync, ours perhaps":       {kind: action.Sync, step: action.StepSync, found: func(s *scene, _ string) { s.othersSync() }, state: action.Interrupted, result: "The bot stopped just before it started the sync, and Argo CD now shows another operation, so it is unclear whether the sync started."},
		"nothing can be read":              {kind: action.Sync, step: action.StepSync, found: func(s *scene, _ string) { s.unreadable = errors.New("connection refused") }, state: action.Interrupted, result: "the outcome could not be checked: the application could not be read: connection refused."},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, everybodyMay, func(s *scene) {
				if x.stuck {
					s.stuck()
				}
				id := s.open("a").pressed(dana, wish(x.kind)).ID
				s.pass(5 * time.Second)
				s.leftAt(x.step)
				if x.found != nil {
					s.change(func() { x.found(s, id) })
				}
				bot := s.start("b")
				s.pass(30 * time.Second)
				if r := s.only(); r.State != action.Running || len(s.done) > 0 {
					t.Fatalf("touched before the lease has ended: %s, done %v", r.State, s.done)
				}
				s.pass(7 * time.Minute)
				s.endsAs(x.state, x.result)
				if len(s.done) > 0 {
					t.Errorf("done: %v", s.done)
				}
				bot.stop()
			})
		})
	}
}

// leftAt makes of the one record what a process leaves that dies in a step.
func (s *scene) leftAt(step action.Step) {
	l, err := s.journal.Get(s.Context(), prod)
	if err != nil {
		s.Fatal(err)
	}
	r := l.Records[0]
	r.State, r.Step, r.Started, r.Holder, r.Lease = action.Running, step, time.Now(), "dead", time.Now().Add(30*time.Second)
	if err := s.journal.Put(s.Context(), l); err != nil {
		s.Fatal(err)
	}
}

// began begins an operation that carries the ID of a record.
func (c *cluster) began(id string, dryRun bool) {
	c.begin(evidence.Operation{Sync: &evidence.SyncOperation{Revision: confirmed, DryRun: dryRun}, Info: []evidence.OperationInfo{{Name: remedy.InfoRequest, Value: id}}})
}
