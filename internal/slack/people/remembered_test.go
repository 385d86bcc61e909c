package people_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/workspace"
)

// asked is how often Slack was asked while something was done.
func (s *scene) asked(method string, do func()) int {
	before := s.Calls(method)
	do()
	return s.Calls(method) - before
}

func TestSlackIsAskedAboutAPersonOnceAMinute(t *testing.T) {
	meet(t, func(t *testing.T, s *scene) {
		frank, d := s.AddUser(workspace.User{Name: "frank"}).ID, s.directory(s.TeamID())
		look := func() {
			for range 3 {
				s.is(d, frank, people.Member)
				s.claims(d, frank, "T0OTHER", people.Stranger) // the claim is not remembered
				if kind, err := d.FreshKind(t.Context(), frank, ""); kind != people.Member || err != nil {
					t.Errorf("to act: %q, %v", kind, err)
				}
			}
		}
		if n := s.asked("users.info", look); n != 1 {
			t.Errorf("asked %d times in a minute", n)
		}
		time.Sleep(time.Minute)
		if n := s.asked("users.info", look); n != 1 {
			t.Errorf("asked %d times in the next", n)
		}
	})
}

// TestSomebodyWhoLeavesIsRefusedWithinAMinute: the workspace has the newer answer, the directory the older one.
func TestSomebodyWhoLeavesIsRefusedWithinAMinute(t *testing.T) {
	meet(t, func(_ *testing.T, s *scene) {
		frank, d := s.AddUser(workspace.User{Name: "frank"}), s.directory(s.TeamID())
		s.is(d, frank.ID, people.Member)
		frank.Deleted = true
		s.AddUser(frank) // in the place of who they were
		time.Sleep(time.Minute)
		s.is(d, frank.ID, people.Deactivated)
	})
}

// TestTroubleOfSlackIsSurvivedForAWhileByLookingOnly: 15 minutes, and an action needs an answer of the last one.
func TestTroubleOfSlackIsSurvivedForAWhileByLookingOnly(t *testing.T) {
	meet(t, func(t *testing.T, s *scene) {
		frank, d := s.AddUser(workspace.User{Name: "frank"}).ID, s.directory(s.TeamID())
		s.is(d, frank, people.Member)
		s.Fault(workspace.Fault{Method: "users.info", Status: 503, Times: -1})
		for _, step := range []struct {
			later     time.Duration
			look, act people.Kind
		}{
			{59 * time.Second, people.Member, people.Member},
			{time.Second, people.Member, ""},
			{13 * time.Minute, people.Member, ""},
			{time.Minute, "", ""},
		} {
			time.Sleep(step.later)
			s.is(d, frank, step.look)
			if kind, err := d.FreshKind(t.Context(), frank, ""); kind != step.act || (err == nil) != (step.act != "") {
				t.Errorf("%s later, to act: %q, %v", step.later, kind, err)
			}
		}
		s.ClearFaults()
		s.is(d, frank, people.Member)
	})
}

// TestTheListOfWorkspacesIsRemembered: for an hour for one that is in it; one that is not may join, so for a minute.
func TestTheListOfWorkspacesIsRemembered(t *testing.T) {
	meet(t, func(t *testing.T, s *scene) {
		s.silent = true
		d := s.directory(organization)
		for i, step := range []struct {
			later time.Duration
			team  string
			want  people.Kind
			calls int
		}{
			{0, "T0OTHER", people.Stranger, 1},
			{59 * time.Second, "T0OTHER", people.Stranger, 0},
			{time.Second, "T0OTHER", people.Stranger, 1},
			{time.Minute, second, people.Member, 0},
			{58 * time.Minute, second, people.Member, 0},
			{time.Minute, second, people.Member, 1},
		} {
			time.Sleep(step.later)
			who := s.AddUser(workspace.User{Name: fmt.Sprint("p", i), TeamID: step.team}).ID
			if got := s.asked("auth.teams.list", func() { s.is(d, who, step.want) }); got != step.calls {
				t.Errorf("step %d: the list was read %d times, want %d", i, got, step.calls)
			}
		}
	})
}

// TestTheListHasSeveralPages: and more of them than are read is no answer.
func TestTheListHasSeveralPages(t *testing.T) {
	for _, test := range []struct {
		workspaces int
		want       people.Kind
	}{{1500, people.Member}, {20_500, ""}} {
		var others []string
		for i := range test.workspaces {
			others = append(others, fmt.Sprintf("T0%06d", i))
		}
		meetIn(t, others, func(_ *testing.T, s *scene) {
			s.silent = true
			last := s.AddUser(workspace.User{Name: "frank", TeamID: others[len(others)-1]}).ID
			s.is(s.directory(organization), last, test.want)
		})
	}
}

// TestAnAnswerAboutTheOrganizationIsNeededOnlyWhereTheUserHasNone: most users name theirs.
func TestAnAnswerAboutTheOrganizationIsNeededOnlyWhereTheUserHasNone(t *testing.T) {
	meet(t, func(t *testing.T, s *scene) {
		ours, theirs := s.AddUser(workspace.User{Name: "ours"}).ID, s.AddUser(workspace.User{Name: "theirs", TeamID: "T0OTHER", Enterprise: "E0OTHER"}).ID
		d := s.directory(organization)
		if n := s.asked("auth.teams.list", func() {
			s.is(d, ours, people.Member)
			s.is(d, theirs, people.Stranger)
		}); n != 0 {
			t.Errorf("the list was read %d times", n)
		}
		alone := s.directory(s.TeamID())
		stranger := s.AddUser(workspace.User{Name: "stranger", TeamID: "T0NONE"}).ID
		if n := s.asked("auth.teams.list", func() { s.is(alone, stranger, people.Stranger) }); n != 0 {
			t.Errorf("for a single workspace the list was read %d times", n)
		}
	})
}
