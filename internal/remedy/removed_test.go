package remedy_test

import (
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// TestWhatIsAboutAnArgoCDThatIsNoLongerConfiguredEnds: nobody can approve, do or check it any more.
func TestWhatIsAboutAnArgoCDThatIsNoLongerConfiguredEnds(t *testing.T) {
	for name, x := range map[string]struct {
		record *action.Record
		state  action.State
		result string
	}{
		"it waits for approval": {
			&action.Record{State: action.Waiting, Request: wish(action.Sync)}, action.Withdrawn, "Instance prod was removed from the configuration.",
		},
		"it waits for approval, and needs no plan": {
			&action.Record{State: action.Waiting, Request: wish(action.HardRefresh)}, action.Withdrawn, "Instance prod was removed from the configuration.",
		},
		"it is about to be done": {
			&action.Record{State: action.Ready, Request: wish(action.Sync)}, action.Failed, "Instance prod was removed from the configuration, so nothing was done.",
		},
		"it was being done": {
			&action.Record{State: action.Running, Step: action.StepSync, Request: wish(action.Sync)}, action.Interrupted,
			"Instance prod was removed from the configuration, so the outcome is unknown. Check Argo CD.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, everybodyMay, func(s *scene) {
				s.removed = true
				r := x.record
				r.ID, r.At, r.By = "a-1", time.Now(), dana
				if r.State == action.Waiting {
					r.Approval = &action.Approval{Expires: time.Now().Add(24 * time.Hour)}
				}
				if err := s.journal.Put(s.Context(), &action.Log{App: prod, Records: []*action.Record{r}}); err != nil {
					t.Fatal(err)
				}
				bot := s.start("a")
				s.pass(30 * time.Second)
				bot.stop()
				if got := s.only(); got.State != x.state || got.Result != x.result {
					t.Errorf("%s: %s\nwant %s: %s", got.State, got.Result, x.state, x.result)
				}
			})
		})
	}
}
