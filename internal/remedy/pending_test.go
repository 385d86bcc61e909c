package remedy_test

import (
	"errors"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// TestNobodyApprovesWhatTheyHaveNotSeen: a decision names the plan that its approver read.
func TestNobodyApprovesWhatTheyHaveNotSeen(t *testing.T) {
	waits(t, action.Sync, func(s *scene, bot *replica) {
		r := s.only()
		for _, seen := range []string{"", "another"} {
			_, err := bot.Decide(s.Context(), action.Decision{App: prod, Record: r.ID, By: erin, Approve: true, Fingerprint: seen})
			var refusal *action.Refusal
			if !errors.As(err, &refusal) || refusal.Code != action.PlanChanged || refusal.Plan == nil {
				t.Errorf("%q: %v", seen, err)
			}
		}
		s.pass(time.Minute)
		if r := s.only(); r.State != action.Waiting || len(s.done) > 0 {
			t.Errorf("%s, done %v", r.State, s.done)
		}
	})
}

// TestTheApproverIsShownWhatWasRequested: the plan as it is now, and what its requester saw of it.
func TestTheApproverIsShownWhatWasRequested(t *testing.T) {
	for _, kind := range action.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			waits(t, kind, func(s *scene, bot *replica) {
				r, plan, err := bot.Pending(s.Context(), erin, prod, s.only().ID)
				if err != nil || plan.Fingerprint != r.Fingerprint || r.Shown == nil {
					t.Fatalf("%+v %+v %v", r, plan, err)
				}
				if want := s.app.Spec.Destination; r.Shown.Destination != want || plan.Destination != want {
					t.Errorf("goes to %+v, %+v", r.Shown.Destination, plan.Destination)
				}
				if kind == action.Sync && (len(plan.Changes) == 0 || len(r.Shown.Changes) != len(plan.Changes) || len(r.Since(plan)) > 0) {
					t.Errorf("%+v, since then %q", r.Shown, r.Since(plan))
				}
				for _, x := range []struct {
					by   action.Person
					want action.Code
				}{{dana, action.OwnRequest}, {action.Person{ID: "U9"}, action.NotApprover}} {
					if _, plan, err := bot.Pending(s.Context(), x.by, prod, r.ID); code(err) != x.want || plan != nil {
						t.Errorf("%s: %+v %v", x.by.ID, plan, err)
					}
				}
			})
		})
	}
}
