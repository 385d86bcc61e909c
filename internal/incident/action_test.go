package incident

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// asked is an action that dana asked for in the thread of the incident of pay.
func (s *story) asked(id string) *action.Record {
	s.t.Helper()
	i := s.store.Of(named("pay"))
	return &action.Record{
		ID: id, Request: action.Request{Kind: action.Sync, App: named("pay")}, By: dana, At: morning.Add(2 * time.Minute), State: action.Running,
		Place: action.Place{Incident: i.ID, Channel: i.Thread.Channel, Thread: i.Thread.TS}, Holder: "bot-1", Lease: morning.Add(3 * time.Minute),
	}
}

func note(number int, text string) action.Note {
	return action.Note{Number: number, State: action.Done, At: morning.Add(time.Duration(number) * time.Minute), Text: text}
}

func TestIncidentListsItsActions(t *testing.T) {
	s := opened(t)
	r := s.asked("act-1")
	if touched := s.store.Show(r, morning); len(touched) != 1 {
		t.Fatalf("touched %v", touched)
	}
	r.Lease, r.LastNote, r.Notes = morning.Add(time.Hour), 3, []action.Note{note(3, "x")}
	if touched := s.store.Show(r, morning); len(touched) != 0 {
		t.Errorf("touched %v by what nobody sees", touched)
	}
	done := *r
	done.State, done.Result = action.Done, "synced 3f2a91c"
	if touched := s.store.Show(&done, morning); len(touched) != 1 {
		t.Errorf("touched %v", touched)
	}
	if touched := s.store.Show(r, morning); len(touched) != 0 {
		t.Error("what is over began again")
	}
	got := s.store.Of(named("pay")).Actions
	if len(got) != 1 || got[0].Result != "synced 3f2a91c" || got[0].Notes != nil || got[0].Holder != "" {
		t.Errorf("actions %+v", got)
	}
	r.Place.Incident = "of-nobody"
	if touched := s.store.Show(r, morning); len(touched) != 0 {
		t.Errorf("touched %v", touched)
	}
}

// TestActionAskedForUnderAnAnswerIsShownInTheOpenIncident: there it is told, and whoever reads the incident must know of it.
func TestActionAskedForUnderAnAnswerIsShownInTheOpenIncident(t *testing.T) {
	s := opened(t)
	r := s.asked("act-1")
	r.Place = action.Place{Channel: "C-other", Thread: "1.000"}
	done := *r
	done.State = action.Done
	if touched := s.store.Show(&done, morning); len(touched) != 0 {
		t.Errorf("touched %v by what was over before", touched)
	}
	if touched := s.store.Show(r, morning); len(touched) != 1 || !s.store.Of(named("pay")).acting() {
		t.Errorf("touched %v", touched)
	}
	s.told()
	s.see(5*time.Minute, well("pay"), Holding)
	s.see(6*time.Minute, well("pay"), RecoveredNow)
	s.told()
	s.store = NewStore(policy(), s.store.All())
	if touched, ok := s.store.Note(&done, note(2, "synced"), morning); ok || len(touched) != 1 {
		t.Errorf("told in the incident (%v), touched %v", ok, touched)
	}
	i := s.store.All()[0]
	if len(i.Actions) != 1 || i.Actions[0].State != action.Done || len(i.Outbox) != 0 {
		t.Errorf("actions %+v, due %v", i.Actions, i.Outbox)
	}
}

func TestOnlyTheLastActionsAreListedAndAllThatAreNotOver(t *testing.T) {
	s := opened(t)
	for n := range 15 {
		r := s.asked(fmt.Sprintf("act-%02d", n))
		r.At = r.At.Add(time.Duration(n) * time.Second)
		if n > 0 {
			r.State = action.Done
		}
		s.store.Show(r, morning)
	}
	got := s.store.Of(named("pay")).Actions
	if len(got) != 10 || got[0].ID != "act-00" || got[1].ID != "act-06" || got[9].ID != "act-14" {
		t.Errorf("%d actions, from %s, %s to %s", len(got), got[0].ID, got[1].ID, got[len(got)-1].ID)
	}
}

// stands reports whether a note is told, and that its incident is known.
func (s *story) stands(r *action.Record, n action.Note) bool {
	s.t.Helper()
	told, known, _ := s.store.Told(r, n)
	if !known {
		s.t.Errorf("the incident of %s is not known", r.ID)
	}
	return told
}

func TestNoteIsToldOnceAlsoAfterARestart(t *testing.T) {
	s := opened(t)
	r := s.asked("act-1")
	if touched, ok := s.store.Note(r, note(1, "asked"), morning); !ok || len(touched) != 1 {
		t.Fatalf("%v %v", ok, touched)
	}
	if touched, _ := s.store.Note(r, note(1, "asked"), morning); len(touched) > 0 {
		t.Errorf("touched %v", touched)
	}
	if s.stands(r, note(1, "asked")) {
		t.Error("told before anybody told it")
	}
	s.told()
	if !s.stands(r, note(1, "asked")) || s.stands(r, note(2, "done")) {
		t.Error("not told, or more than that")
	}
	s.store.Note(r, note(2, "done"), morning)
	s.store = NewStore(policy(), s.store.All())
	if touched, ok := s.store.Note(r, note(2, "done"), morning); !ok || len(touched) > 0 {
		t.Errorf("after a restart: %v %v", touched, ok)
	}
	out := s.store.Of(named("pay")).Outbox
	if len(out) != 1 || out[0].Reason != Acted || out[0].Note.Text != "done" || out[0].Action.ID != "act-1" {
		t.Errorf("due: %+v", out)
	}
	r.Place.Incident = "of-nobody"
	if _, ok := s.store.Note(r, note(3, "x"), morning); ok {
		t.Error("told in a thread that is none")
	}
}

// TestEndOfAnActionThatIsToldAfterARestartIsShown: the bot was killed when the action was over, and nobody had shown that.
func TestEndOfAnActionThatIsToldAfterARestartIsShown(t *testing.T) {
	s := opened(t)
	r := s.asked("act-1")
	s.store.Show(r, morning)
	first := action.Note{Number: 1, State: action.Running, At: morning, Text: "syncing"}
	s.store.Note(r, first, morning)
	s.store = NewStore(policy(), s.store.All())
	done := *r
	done.State, done.Result = action.Done, "synced"
	if touched, ok := s.store.Note(&done, first, morning); !ok || len(touched) != 1 {
		t.Errorf("%v, touched %v: its former note knows that it is over", ok, touched)
	}
	s.store.Note(&done, note(2, "synced"), morning)
	i := s.store.Of(named("pay"))
	if len(i.Actions) != 1 || i.Actions[0].State != action.Done || i.acting() {
		t.Errorf("shows %+v", i.Actions)
	}
	if len(i.Outbox) != 2 {
		t.Errorf("%d replies", len(i.Outbox))
	}
}

func TestNoteIsToldInTheThreadOfWhatIsOverOrJoined(t *testing.T) {
	s := opened(t)
	r := s.asked("act-1")
	s.see(5*time.Minute, well("pay"), Holding)
	s.see(6*time.Minute, well("pay"), RecoveredNow)
	s.told()
	s.store.Note(r, note(1, "done"), morning)
	s.told()
	if !s.stands(r, note(1, "done")) {
		t.Error("not told after the recovery")
	}

	s = newStory(t)
	s.see(0, failsOfGit("pay"), Waiting)
	s.see(time.Minute, failsOfGit("pay"), Opened)
	s.told()
	r = s.asked("act-2")
	for _, app := range []string{"b", "c"} {
		s.see(2*time.Minute, failsOfGit(app), Waiting)
	}
	s.see(3*time.Minute, failsOfGit("b"), Grouped)
	s.told()
	s.store.Note(r, note(1, "done"), morning)
	s.told()
	if !s.stands(r, note(1, "done")) {
		t.Error("not told in the thread that joined an outage")
	}
}

func TestWhoTellsANoteWaitsUntilItStandsInTheThread(t *testing.T) {
	keep(t, func(k *kept) {
		k.open()
		k.slow = 10 * time.Second
		r := k.asked("act-1")
		began := time.Now()
		if err := k.syncer.Note(k.t.Context(), r, note(1, "done")); err != nil || time.Since(began) != 10*time.Second {
			k.t.Errorf("after %v: %v", time.Since(began), err)
		}
		last := k.said[len(k.said)-1]
		if len(last.Outbox) != 1 || last.Outbox[0].Note.Text != "done" {
			k.t.Errorf("told %+v", last.Outbox)
		}
		began = time.Now()
		if err := k.syncer.Note(k.t.Context(), r, note(1, "done")); err != nil || time.Since(began) != 0 {
			k.t.Errorf("what was told already took %v: %v", time.Since(began), err)
		}
	})
}

func TestWaitingForATellingEnds(t *testing.T) {
	keep(t, func(k *kept) {
		k.open()
		k.refuse = func() error { return errors.New("no answer") }
		r := k.asked("act-1")
		ctx, cancel := context.WithTimeout(k.t.Context(), time.Minute)
		defer cancel()
		if err := k.syncer.Note(ctx, r, note(1, "done")); !errors.Is(err, context.DeadlineExceeded) {
			k.t.Errorf("Slack is silent: %v", err)
		}
		r.Place.Incident = "of-nobody"
		if err := k.syncer.Note(k.t.Context(), r, note(2, "done")); !errors.Is(err, ErrNotFound) {
			k.t.Errorf("no such incident: %v", err)
		}
		ended := make(chan error)
		r = k.asked("act-2")
		go func() { ended <- k.syncer.Note(k.t.Context(), r, note(1, "done")) }()
		synctest.Wait()
		k.see(10*time.Minute, Seen{App: named("pay"), Gone: true}, Deleted)
		k.syncer.Expire(morning.Add(365 * 24 * time.Hour))
		if err := <-ended; !errors.Is(err, ErrNotFound) {
			k.t.Errorf("the incident was forgotten: %v", err)
		}
		k.refuse = nil
	})
}

// TestActionsAreInTheJournal: what the thread shows of them is what `kubectl get incident -o yaml` shows.
func TestActionsAreInTheJournal(t *testing.T) {
	keep(t, func(k *kept) {
		k.open()
		k.syncer.Show(k.asked("act-1"))
		if !k.syncer.Mute(named("pay"), dana, time.Now().Add(time.Hour)) {
			k.t.Error("not muted")
		}
		synctest.Wait()
		i := k.held[k.store.Of(named("pay")).ID]
		if len(i.Actions) != 1 || i.Muted == nil {
			k.t.Errorf("actions %v, muted %v", i.Actions, i.Muted)
		}
	})
}
