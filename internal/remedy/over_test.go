package remedy_test

import (
	"context"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

// slowList is a journal with so many logs that they are read together only now and then.
type slowList struct{ action.Journal }

func (j slowList) List(ctx context.Context) ([]*action.Log, error) {
	time.Sleep(time.Second)
	return j.Journal.List(ctx)
}

// TestAnApprovalExpiresInTimeAmongThousandsOfLogs: it does not wait until all of them are read again.
func TestAnApprovalExpiresInTimeAmongThousandsOfLogs(t *testing.T) {
	play(t, leadsAgree, func(s *scene) {
		s.journalOf = func(j action.Journal) action.Journal { return slowList{j} }
		bot := s.start("a")
		s.pass(7 * time.Second)
		bot.pressed(dana, wish(action.HardRefresh))
		s.pass(15*time.Minute + 3*time.Second)
		s.endsAs(action.Expired, "No one approved it by 00:15 UTC.")
		bot.stop()
	})
}

// TestWhoSyncsElsewhereEndsWhatWaits: at once, and without that Argo CD compares anything with Git for it.
func TestWhoSyncsElsewhereEndsWhatWaits(t *testing.T) {
	for name, x := range map[string]struct {
		happens func(s *scene)
		kinds   []action.Kind
		result  string
	}{
		"it runs": {(*scene).othersSync, []action.Kind{action.Sync, action.DeleteHookJob}, "Someone started a sync of 3f2a91c at 00:01 UTC."},
		"it is requested": {func(s *scene) {
			s.app.Operation = &evidence.Operation{Sync: &evidence.SyncOperation{}}
			s.app.Operation.InitiatedBy.Username = "admin"
		}, []action.Kind{action.Sync, action.DeleteHookJob}, "admin requested a sync, which is about to start."},
		"it ran": {func(s *scene) {
			s.othersSync()
			s.app.Status.OperationState.Phase = evidence.OperationSucceeded
			s.app.Status.OperationState.Operation.InitiatedBy.Automated = true
		}, []action.Kind{action.Sync, action.DeleteHookJob, action.Terminate}, "Auto-sync started a sync of 3f2a91c at 00:01 UTC, which succeeded."},
	} {
		for _, kind := range x.kinds {
			t.Run(name+"/"+string(kind), func(t *testing.T) {
				waits(t, kind, func(s *scene, bot *replica) {
					s.pass(500 * time.Millisecond) // the dates of operations have no fractions
					s.change(func() { s.looks = 0; x.happens(s) })
					bot.Changed(prod)
					s.pass(2 * time.Second)
					s.endsAs(action.Withdrawn, x.result)
					if s.looks > 0 {
						t.Errorf("compared %d times", s.looks)
					}
				})
			})
		}
	}
}
