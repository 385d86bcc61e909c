package incident

import (
	"fmt"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// two are the stores of two processes, which know the same of the incident of pay.
func two(t *testing.T) (ours, theirs *story) {
	t.Helper()
	ours = opened(t)
	return ours, &story{t, NewStore(policy(), []*Incident{ours.store.Of(named("pay"))})}
}

// overtakenBy has our store learn that the other one was faster.
func (s *story) overtakenBy(other *story) {
	s.t.Helper()
	i := other.store.Of(named("pay"))
	i.Version += "+"
	s.store.overtaken(i.ID, i)
}

// due are the replies of the incident of pay that are due: "3 act-1/2" or "3 cause-changed".
func (s *story) due() (out []string) {
	s.t.Helper()
	for _, r := range s.store.Of(named("pay")).Outbox {
		what := string(r.Reason)
		if r.Note != nil {
			what = fmt.Sprintf("%s/%d", r.Action.ID, r.Note.Number)
		}
		out = append(out, fmt.Sprintf("%d %s", r.Number, what))
	}
	return out
}

func (s *story) wantDue(want ...string) {
	s.t.Helper()
	if got := s.due(); fmt.Sprint(got) != fmt.Sprint(want) {
		s.t.Errorf("due: %q, want %q", got, want)
	}
}

func TestWhatAnotherProcessWroteOfActionsIsKept(t *testing.T) {
	ours, theirs := two(t)
	r := ours.asked("act-1")
	ours.store.Show(r, morning)
	done := *r
	done.State = action.Done
	log := action.Note{Number: 1, State: action.Done, Log: "the log"}
	theirs.store.Note(&done, log, morning)
	theirs.store.Show(theirs.asked("act-2"), morning)
	ours.overtakenBy(theirs)
	i := ours.store.Of(named("pay"))
	if len(i.Actions) != 2 || i.Actions[0].State != action.Done || i.Actions[1].ID != "act-2" {
		t.Errorf("actions %+v", i.Actions)
	}
	ours.wantDue("2 act-1/1")
	if touched, _ := ours.store.Note(&done, log, morning); len(touched) > 0 {
		t.Error("told a second time")
	}
	ours.overtakenBy(theirs) // again: the next write was late, too
	ours.wantDue("2 act-1/1")
	theirs.told()
	ours.overtakenBy(theirs)
	ours.wantDue()
	if !ours.stands(&done, log) {
		t.Error("what they told is not told")
	}
}

// TestReplyOfOursDoesNotPassForOneOfTheirs: replies are found in the thread by their numbers.
func TestReplyOfOursDoesNotPassForOneOfTheirs(t *testing.T) {
	ours, theirs := two(t)
	a, b := ours.asked("act-1"), theirs.asked("act-2")
	ours.store.Note(a, note(1, "x"), morning)
	ours.see(5*time.Minute, fails("pay", "health/crash-loop", "panic"), SeenMeanwhile)
	ours.see(6*time.Minute, fails("pay", "health/crash-loop", "panic"), CauseChanged)
	for n := range 3 {
		theirs.store.Note(b, note(n+1, "y"), morning)
	}
	ours.overtakenBy(theirs)
	ours.wantDue("2 act-2/1", "3 act-2/2", "4 act-2/3", "5 act-1/1", "6 cause-changed")
	ours.overtakenBy(theirs)
	ours.wantDue("2 act-2/1", "3 act-2/2", "4 act-2/3", "5 act-1/1", "6 cause-changed")
	ours.store.Note(a, note(2, "x"), morning)
	if due := ours.due(); due[len(due)-1] != "7 act-1/2" {
		t.Errorf("due: %q", due)
	}
	if ours.stands(a, note(1, "x")) {
		t.Error("ours passes for told")
	}
	ours.told()
	if !ours.stands(a, note(1, "x")) || !ours.stands(b, note(3, "y")) {
		t.Error("not told")
	}
}

// TestOwnWriteWhoseAnswerWasLostChangesNothing: it looks as if somebody else had been faster.
func TestOwnWriteWhoseAnswerWasLostChangesNothing(t *testing.T) {
	s := opened(t)
	r := s.asked("act-1")
	s.store.Note(r, note(1, "x"), morning)
	written := s.store.Of(named("pay"))
	s.store.Note(r, note(2, "y"), morning)
	s.see(5*time.Minute, fails("pay", "health/crash-loop", "panic"), SeenMeanwhile)
	s.see(6*time.Minute, fails("pay", "health/crash-loop", "panic"), CauseChanged)
	s.store.overtaken(written.ID, written)
	s.wantDue("2 act-1/1", "3 act-1/2", "4 cause-changed")
}

// TestChangeThatBothSawIsToldOnce: about the application both say the same, each in its reply of that number.
func TestChangeThatBothSawIsToldOnce(t *testing.T) {
	ours, theirs := two(t)
	for _, s := range []*story{ours, theirs} {
		s.see(5*time.Minute, fails("pay", "health/crash-loop", "panic"), SeenMeanwhile)
		s.see(6*time.Minute, fails("pay", "health/crash-loop", "panic"), CauseChanged)
	}
	theirs.store.Note(theirs.asked("act-1"), note(1, "x"), morning)
	ours.overtakenBy(theirs)
	ours.wantDue("2 cause-changed", "3 act-1/1")
}
