package remedy_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// TestADamagedLogOfAnotherApplicationStopsNothing: what was asked for, before it and after it, is done, and stands in the audit.
func TestADamagedLogOfAnotherApplicationStopsNothing(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		s.journal.damaged = errors.New("ledger-1 is not what argo-why wrote")
		s.open("a").pressed(dana, wish(action.HardRefresh))
		bot := s.start("b")
		s.pass(time.Minute)
		s.endsAs(action.Done, "Argo CD rendered the manifests again and compared them with the cluster.")
		if all, err := bot.Audit(s.Context(), nil); err != nil || len(all) != 1 {
			t.Errorf("the audit has %d records, %v", len(all), err)
		}
		bot.stop()
	})
}

// listless is a journal whose logs can be read one by one, and not all together.
type listless struct{ action.Journal }

func (listless) List(context.Context) ([]*action.Log, error) {
	return nil, errors.New("too many")
}

// TestWhatIsAskedForIsDoneThoughTheLogsCannotBeListed: a hint is not lost with the list, nor with a journal that is away.
func TestWhatIsAskedForIsDoneThoughTheLogsCannotBeListed(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		s.journalOf = func(j action.Journal) action.Journal { return listless{j} }
		bot := s.open("a")
		bot.pressed(dana, wish(action.HardRefresh))
		bot.cutOff.Store(true)
		bot.run()
		s.pass(20 * time.Second)
		bot.cutOff.Store(false)
		s.pass(20 * time.Second)
		s.endsAs(action.Done, "Argo CD rendered the manifests again and compared them with the cluster.")
		bot.stop()
	})
}

// crammed is a journal that can be read and takes nothing more: a quota, a disk.
type crammed struct {
	action.Journal
	writes *atomic.Int64
}

func (j crammed) Put(context.Context, *action.Log) error {
	j.writes.Add(1)
	return errors.New("etcdserver: mvcc: database space exceeded")
}

// TestAJournalThatIsFullIsLeftAloneForAWhile: whatever is due, a note or an end, is not tried without a pause.
func TestAJournalThatIsFullIsLeftAloneForAWhile(t *testing.T) {
	for what, wait := range map[string]time.Duration{"a note": 0, "an end": time.Hour} {
		t.Run(what, func(t *testing.T) {
			play(t, leadsAgree, func(s *scene) {
				s.open("a").pressed(dana, wish(action.HardRefresh))
				s.pass(wait)
				var writes atomic.Int64
				s.journalOf = func(j action.Journal) action.Journal { return crammed{j, &writes} }
				bot := s.start("b")
				s.pass(time.Minute)
				if n := writes.Load(); n < 2 || n > 60 {
					t.Errorf("%d writes in a minute", n)
				}
				bot.stop()
			})
		})
	}
}
