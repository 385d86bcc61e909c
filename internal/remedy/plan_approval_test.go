package remedy_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
)

// Who confirms a plan sees before that whether somebody else has to agree: also to the one that took the place of another.
func TestAPlanSaysWhoHasToApproveIt(t *testing.T) {
	play(t, leadsAgree, func(s *scene) {
		bot := s.open("a")
		plan, err := bot.Plan(s.Context(), dana, wish(action.Sync))
		if err != nil || plan.Approval == nil || !slices.Equal(plan.Approval.Groups, []string{"SLEADS"}) {
			t.Fatalf("%+v %v", plan, err)
		}
		ask := bot.shown(dana, wish(action.Sync))
		ask.Fingerprint = "another"
		_, err = bot.Request(s.Context(), ask)
		var refusal *action.Refusal
		if !errors.As(err, &refusal) || refusal.Code != action.PlanChanged || refusal.Plan == nil || refusal.Plan.Approval == nil {
			t.Errorf("%v", err)
		}
	})
	play(t, everybodyMay, func(s *scene) {
		if plan, err := s.open("a").Plan(s.Context(), dana, wish(action.Sync)); err != nil || plan.Approval != nil {
			t.Errorf("%+v %v", plan, err)
		}
	})
}
