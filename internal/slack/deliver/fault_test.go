package deliver_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/workspace"
)

func TestKilledBetweenAnyPostAndTheJournalNothingIsToldTwice(t *testing.T) {
	for lost := range 4 { // the answer of this post never reaches the journal
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			i := failing("web", reply(2, "first"), reply(3, "second"))
			s.Fault(workspace.Fault{Method: "chat.postMessage", Skip: lost + 1, Times: -1, Hang: true})
			if err := s.tell(t, i, false); err == nil && lost < 3 {
				t.Fatal("told although Slack was silent")
			}
			i = failing("web", reply(2, "first"), reply(3, "second"))
			s.ClearFaults()
			s.sender = s.newSender(t) // nothing of what it was told survived
			s.told(t, i, true)
			if n := seqs(t, thread(t, s.deploys)); n != "0 1 2 3" {
				t.Errorf("killed after %d posts: messages %s", lost+1, n)
			}
		})
	}
}

func TestALostAnswerIsLookedForBeforeItIsToldAgain(t *testing.T) {
	for at := range 4 {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			s.Fault(workspace.Fault{Method: "chat.postMessage", Skip: at, LoseAnswer: true})
			s.told(t, failing("web", reply(2, "first"), reply(3, "second")), false)
			if n := seqs(t, thread(t, s.deploys)); n != "0 1 2 3" {
				t.Errorf("answer %d lost: messages %s", at, n)
			}
		})
	}
}

func TestAPostThatSlackIsSlowWithIsNotRepeated(t *testing.T) {
	for at := range 4 {
		for _, late := range []time.Duration{12500 * time.Millisecond, 20 * time.Second, 35 * time.Second, time.Minute} {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				s.Fault(workspace.Fault{Method: "chat.postMessage", Skip: at, Late: late})
				s.told(t, failing("web", reply(2, "first"), reply(3, "second")), false)
				time.Sleep(2 * time.Minute) // whatever is under way still arrives
				if n := seqs(t, thread(t, s.deploys)); n != "0 1 2 3" {
					t.Errorf("post %d takes %v: messages %s", at, late, n)
				}
			})
		}
	}
}

// TestAPostThatSlackIsSlowWithIsNotRepeatedByTheNextProcess: it knows from the journal that one was under way when the former was killed.
func TestAPostThatSlackIsSlowWithIsNotRepeatedByTheNextProcess(t *testing.T) {
	for at := range 4 {
		for _, late := range []time.Duration{6 * time.Second, 25 * time.Second, 45 * time.Second, 70 * time.Second, 0} { // 0: it is lost
			for _, killed := range []time.Duration{time.Second, 5 * time.Second} {
				synctest.Test(t, func(t *testing.T) {
					s := newScene(t)
					fresh := func() *incident.Incident { return failing("web", reply(2, "first"), reply(3, "second")) }
					i := fresh()
					began := i.Seen
					writes := func(_ context.Context, id string, number int) error {
						i.Posting = &incident.Posting{Number: number, At: time.Now()}
						return nil
					}
					s.sender.Begin(nil, writes)
					s.Fault(workspace.Fault{Method: "chat.postMessage", Skip: at, Late: late, Hang: late == 0})
					ctx, kill := context.WithTimeout(t.Context(), time.Duration(at)*2*time.Second+killed)
					for ctx.Err() == nil {
						told, err := s.sender.Notify(ctx, i, why(i), false)
						i.Thread = told.Thread
						i.Outbox = slices.DeleteFunc(i.Outbox, func(r incident.Reply) bool { return slices.Contains(told.Numbers, r.Number) })
						if err != nil || told.All {
							time.Sleep(100 * time.Millisecond)
						}
					}
					kill()
					s.sender = s.newSender(t)
					next := fresh()
					next.Seen, next.Posting = began, i.Posting // nothing else reached the journal
					i = next
					s.sender.Begin(nil, writes)
					s.told(t, i, true)
					time.Sleep(2 * time.Minute)
					if n := seqs(t, thread(t, s.deploys)); n != "0 1 2 3" {
						t.Errorf("post %d takes %v, killed after %v: messages %s", at, late, killed, n)
					}
				})
			}
		}
	}
}

// TestNothingIsPostedThatCannotBeWrittenDown: after a crash nobody would know of it.
func TestNothingIsPostedThatCannotBeWrittenDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.sender.Begin(nil, func(context.Context, string, int) error { return errors.New("the journal is down") })
		_, err := s.sender.Notify(t.Context(), failing("web"), incident.NewRoot, false)
		var known *incident.NotifyError
		if !errors.As(err, &known) || !known.Certain || known.After <= 0 || len(s.deploys.Messages()) != 0 {
			t.Errorf("%d messages, error %v", len(s.deploys.Messages()), err)
		}
	})
}

func TestAnAnswerThatSlackIsSlowWithIsNotRepeated(t *testing.T) {
	for _, late := range []time.Duration{12500 * time.Millisecond, 22 * time.Second, 35 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			s.Fault(workspace.Fault{Method: "chat.postMessage", Late: late})
			ctx, cancel := context.WithTimeout(t.Context(), 45*time.Second) // as long as an answer may take
			defer cancel()
			_, err := s.sender.Answer(ctx, s.deploys.ID(), "", render.Message{Text: "asked"})
			time.Sleep(2 * time.Minute)
			if n := len(s.deploys.All()); n != 1 || err != nil && late < 30*time.Second {
				t.Errorf("%v late: %d messages, %v", late, n, err)
			}
		})
	}
}

// TestWhatSlackRefusesEverywhereIsTriedOnce: it is one fact, however many threads wait.
func TestWhatSlackRefusesEverywhereIsTriedOnce(t *testing.T) {
	for refused, want := range map[string]int{"token_revoked": 1, "ekm_access_denied": 1, "is_archived": 16} {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			s.told(t, failing("known"), false)
			time.Sleep(time.Minute)
			before := s.Calls("chat.postMessage")
			s.Fault(workspace.Fault{Method: "chat.postMessage", Error: refused, Times: -1})
			for n := range 16 {
				for s.sender.Room("deploys", incident.NewRoot) > 0 && want > 1 {
					time.Sleep(time.Second)
				}
				if _, err := s.sender.Notify(t.Context(), failing(fmt.Sprint("app-", n)), incident.NewRoot, false); err == nil {
					t.Error("posted")
				}
			}
			if got := s.Calls("chat.postMessage") - before; got != want {
				t.Errorf("%s: tried %d times, want %d", refused, got, want)
			}
			s.ClearFaults()
			time.Sleep(5 * time.Minute)
			s.told(t, failing("app-0"), false)
		})
	}
}

// TestAMessageThatSlackCannotTakeIsTriedRarely: neither with its blocks nor as plain text.
func TestAMessageThatSlackCannotTakeIsTriedRarely(t *testing.T) {
	for _, refused := range []string{"msg_too_long", "no_text", "invalid_blocks"} {
		synctest.Test(t, func(t *testing.T) {
			s := newScene(t)
			s.Fault(workspace.Fault{Method: "chat.postMessage", Error: refused, Times: -1})
			_, err := s.sender.Notify(t.Context(), failing("web"), incident.NewRoot, false)
			var known *incident.NotifyError
			if !errors.As(err, &known) || !known.Permanent || known.Remedy == "" {
				t.Errorf("%s: %v", refused, err)
			}
		})
	}
}

// TestARootThatMayNotBeEditedIsNotLeftAsItIs: it would say for ever that it fails.
func TestARootThatMayNotBeEditedIsNotLeftAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.told(t, i, false)
		i.Phase, i.RecoveredAt = incident.Recovered, time.Now()
		s.Fault(workspace.Fault{Method: "chat.update", Error: "cant_update_message"})
		told, err := s.sender.Notify(t.Context(), i, incident.Correction, false)
		var known *incident.NotifyError
		if !errors.As(err, &known) || !known.Permanent || told.All {
			t.Fatalf("told %v, error %v", told.All, err)
		}
		s.told(t, i, false)
		if root := s.deploys.Messages()[0]; !strings.Contains(root.Text, "recovered") {
			t.Errorf("it says %s", root.Text)
		}
	})
}

func TestARetryAfterThatComesLateIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", Late: 15 * time.Second, Status: 429, RetryAfter: 30 * time.Second})
		s.told(t, failing("web"), false)
		calls := s.Log("chat.postMessage")
		if wait := calls[1].At.Sub(calls[0].At); wait < 45*time.Second || wait > 47*time.Second {
			t.Errorf("came back after %s", wait)
		}
	})
}

func TestFaultsOfSlackPass(t *testing.T) {
	for name, fault := range map[string]workspace.Fault{
		"429":                  {Status: 429, RetryAfter: 20 * time.Second, Times: 3},
		"503":                  {Status: 503},
		"broken connection":    {Drop: true},
		"internal_error":       {Error: "internal_error"},
		"silence":              {Hang: true},
		"429 without a moment": {Status: 429},
		"slow":                 {Delay: 8 * time.Second, Times: 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				fault.Method = "chat.postMessage"
				s.Fault(fault)
				s.told(t, failing("web", reply(2, "first")), false)
				if n := seqs(t, thread(t, s.deploys)); n != "0 1 2" {
					t.Errorf("messages %s", n)
				}
			})
		})
	}
}

func TestWhileSlackIsDownTheErrorIsNotPermanentAndLaterItIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		i := failing("web")
		s.Fault(workspace.Fault{Status: 503, Times: -1})
		err := s.tell(t, i, false)
		var told *incident.NotifyError
		if !errors.As(err, &told) || told.Permanent {
			t.Fatalf("got %v", err)
		}
		s.ClearFaults()
		s.told(t, i, true)
		if n := seqs(t, thread(t, s.deploys)); n != "0 1" {
			t.Errorf("messages %s", n)
		}
	})
}

func TestNoPostBeforeTheMomentThatSlackNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", Status: 429, RetryAfter: 30 * time.Second})
		start := time.Now()
		s.told(t, failing("web"), false)
		calls := s.Log("chat.postMessage")
		if wait := calls[1].At.Sub(start); wait < 30*time.Second || wait > 32*time.Second {
			t.Errorf("came back after %s", wait)
		}
	})
}

func TestARetryAfterBeyondTheDeadlineIsHandedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", Status: 429, RetryAfter: time.Hour})
		start := time.Now()
		err := s.tell(t, failing("web"), false)
		var told *incident.NotifyError
		if !errors.As(err, &told) || told.Code != "ratelimited" || !told.Certain || told.Permanent || told.After < 59*time.Minute {
			t.Errorf("got %+v", told)
		}
		if time.Since(start) > time.Second {
			t.Errorf("waited %s in vain", time.Since(start))
		}
	})
}

func TestWhatAPersonMustRepairIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		harm   func(s *scene)
		code   string
		remedy string
	}{
		"archived": {func(s *scene) { s.deploys.Archive() }, "is_archived", "unarchive the channel"},
		"not invited": {func(s *scene) {
			s.SetScopes(s.app, "chat:write", "channels:read", "groups:read")
			s.deploys.Kick("argo")
		}, "not_in_channel", "/invite"},
		"token":      {func(s *scene) { s.Revoke(s.app) }, "token_revoked", "reinstall the app"},
		"scope":      {func(s *scene) { s.SetScopes(s.app, "channels:read", "groups:read") }, "missing_scope", "add the scope"},
		"no channel": {func(s *scene) {}, "channel_not_found", "check the channel in the configuration"},
		"read-only": {func(s *scene) {
			s.Fault(workspace.Fault{Method: "chat.postMessage", Error: "restricted_action_read_only_channel"})
		}, "restricted_action_read_only_channel", "ask an administrator to allow the app"},
		"never met":    {func(s *scene) { s.Fault(workspace.Fault{Method: "chat.postMessage", Error: "moon_is_full"}) }, "moon_is_full", "docs.slack.dev"},
		"no bot there": {func(s *scene) { s.Fault(workspace.Fault{Method: "chat.postMessage", Error: "restricted_action"}) }, "restricted_action", "ask an administrator"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				i := failing("web")
				if name == "no channel" {
					i.Channel = "#nowhere"
				}
				c.harm(s)
				err := s.tell(t, i, false)
				var told *incident.NotifyError
				if !errors.As(err, &told) || told.Code != c.code || !told.Permanent || !told.Certain || !strings.Contains(told.Remedy, c.remedy) {
					t.Fatalf("got %+v", err)
				}
				if n := s.count(t, "argo_why_slack_permanent_errors_total"); n != 1 {
					t.Errorf("counted %v times", n)
				}
			})
		})
	}
}

func TestARefusedMessageIsToldAsPlainText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.Fault(workspace.Fault{Method: "chat.postMessage", Error: "invalid_blocks"})
		s.told(t, failing("web"), false)
		got := thread(t, s.deploys)
		if len(got) != 2 || got[0].Blocks != nil || !strings.Contains(got[0].Text, "PreSync hook failed") {
			t.Errorf("shows %+v", got[0])
		}
		if n := s.count(t, "argo_why_slack_plain_messages_total"); n != 1 {
			t.Errorf("counted %v times", n)
		}
	})
}

func TestNothingIsToldToAnotherWorkspace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		s.team = "T0ELSEWHERE"
		s.sender = s.newSender(t)
		err := s.tell(t, failing("web"), false)
		var told *incident.NotifyError
		if !errors.As(err, &told) || told.Code != "wrong_team" || !told.Permanent || !strings.Contains(told.Remedy, "slack.team") {
			t.Fatalf("got %+v", err)
		}
		if posted := s.deploys.All(); len(posted) != 0 {
			t.Errorf("posted %d messages", len(posted))
		}
		s.team = s.TeamID()
		s.sender = s.newSender(t)
		if err := s.tell(t, failing("web"), false); err != nil || len(s.deploys.All()) == 0 {
			t.Errorf("at home: %v, %d messages", err, len(s.deploys.All()))
		}
	})
}
