package remedy_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// TestADefectEndsOneActionAndNotTheBot: wherever it shows, what is asked for next is done.
func TestADefectEndsOneActionAndNotTheBot(t *testing.T) {
	for where, state := range map[string]action.State{"sync": action.Interrupted, "application": action.Interrupted, "tell": action.Done} {
		t.Run(where, func(t *testing.T) {
			var out bytes.Buffer
			play(t, everybodyMay, func(s *scene) {
				s.options.Log = slog.New(slog.NewTextHandler(&out, nil))
				bot := s.start("a")
				a := bot.shown(dana, wish(action.Sync))
				defect := func() { panic("a defect") }
				if where == "tell" {
					bot.before = func(what string, _ int) {
						if what == "tell" && s.did("sync") > 0 {
							bot.before = nil
							defect()
						}
					}
				}
				if _, err := bot.Request(s.Context(), a); err != nil {
					t.Fatal(err)
				}
				s.change(func() { s.meanwhile[where] = defect })
				s.pass(time.Minute)
				r := s.endsAs(state, "")
				if state == action.Interrupted && (!strings.Contains(r.Result, "An internal error stopped the bot") || !s.events[r.ID].Warning) {
					t.Errorf("%s; the event: %+v", r.Result, s.events[r.ID])
				}
				s.pass(time.Minute)
				before := s.did("refresh")
				bot.pressed(dana, wish(action.HardRefresh))
				s.pass(10 * time.Second)
				if s.did("refresh") != before+1 {
					t.Error("the next is not done")
				}
				bot.stop()
			})
			if log := out.String(); !strings.Contains(log, `panic="a defect"`) || !strings.Contains(log, "rescue_test") {
				t.Errorf("logged: %s", log)
			}
		})
	}
}

// TestADefectInAComparisonLeavesTheRequestWaiting, and it is compared again.
func TestADefectInAComparisonLeavesTheRequestWaiting(t *testing.T) {
	waits(t, action.Sync, func(s *scene, bot *replica) {
		s.change(func() { s.meanwhile["look"] = func() { panic("a defect") } })
		s.pass(2 * time.Minute)
		if s.meanwhile["look"] != nil || s.only().State != action.Waiting {
			t.Fatalf("it is %s", s.only().State)
		}
		s.change(func() { s.app.Status.Sync.Revision = newer })
		s.pass(2 * time.Minute)
		s.endsAs(action.Withdrawn, "Git moved on from 3f2a91c to 9c1d2e3")
	})
}
