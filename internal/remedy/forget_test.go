package remedy_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// undeletable is a journal whose role was made for a former version. It counts the attempts.
type undeletable struct {
	action.Journal
	tries *int
}

func (j undeletable) Delete(context.Context, *action.Log) error {
	*j.tries++
	return errors.New("cannot delete actionlogs")
}

// old has the journal hold logs of applications that nobody has done anything about for a hundred days.
func (s *scene) old(n int) {
	s.Helper()
	for i := range n {
		r := &action.Record{ID: fmt.Sprint("a-", i), State: action.Done, At: time.Now().Add(-100 * 24 * time.Hour), Request: wish(action.HardRefresh)}
		r.App.Name = fmt.Sprintf("gone-%02d", i)
		if err := s.journal.Put(s.Context(), &action.Log{App: r.App, Records: []*action.Record{r}}); err != nil {
			s.Fatal(err)
		}
	}
}

// TestLogsOfApplicationsThatNobodyTouchesAreForgotten, and with them those of applications that are gone.
func TestLogsOfApplicationsThatNobodyTouchesAreForgotten(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		s.old(25)
		bot := s.start("a")
		bot.pressed(dana, wish(action.HardRefresh))
		s.pass(time.Minute)
		bot.stop()
		logs, err := s.journal.List(t.Context())
		var names []string
		for _, l := range logs {
			names = append(names, l.App.Name)
		}
		if err != nil || len(names) != 1 || names[0] != prod.Name {
			t.Errorf("left are the logs of %v, %v", names, err)
		}
	})
}

// TestALogThatCannotBeDeletedHoldsUpNothing: it is not tried every two seconds.
func TestALogThatCannotBeDeletedHoldsUpNothing(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		tries := 0
		s.journalOf = func(j action.Journal) action.Journal { return undeletable{j, &tries} }
		s.old(25)
		bot := s.start("a")
		s.pass(30 * time.Minute)
		if tries != 1 {
			t.Errorf("tried %d times in half an hour", tries)
		}
		bot.pressed(dana, wish(action.HardRefresh))
		s.pass(time.Minute)
		s.endsAs(action.Done, "")
		bot.stop()
	})
}
