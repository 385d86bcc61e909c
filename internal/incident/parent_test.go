package incident

import (
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// failsWith is an app of apps that fails because a child does.
func failsWith(app, child string) Seen {
	s := fails(app, "health/child-app", "child "+child)
	s.Report.Findings[0].Resource = evidence.Ref{Group: "argoproj.io", Kind: "Application", Namespace: "argocd", Name: child}
	return s
}

func (s *story) parentsOfPay(want ...App) {
	s.t.Helper()
	if i := s.store.Of(named("pay")); i == nil || !slices.Equal(i.Parents, want) {
		s.t.Fatalf("pay is told in %+v, want parents %v", i, want)
	}
}

// TestParentIsToldWithItsChild, whichever of them was seen first, and over more than one level.
func TestParentIsToldWithItsChild(t *testing.T) {
	s := newStory(t)
	s.see(0, failsWith("root", "team"), Waiting)
	s.see(time.Second, failsWith("team", "pay"), Waiting)
	if out := s.see(2*time.Second, fails("pay", hookFailed, refused), Waiting); out.ID == "" {
		t.Error("the child has no incident")
	}
	if out := s.see(time.Minute+time.Second, failsWith("team", "pay"), Grouped); out.Again != time.Minute {
		t.Errorf("look again after %v", out.Again)
	}
	s.see(time.Minute+2*time.Second, fails("pay", hookFailed, refused), Opened)
	s.see(time.Minute+3*time.Second, failsWith("root", "team"), Grouped)
	s.see(2*time.Minute, failsWith("root", "team"), Nothing)
	s.parentsOfPay(named("root"), named("team"))
	if all := s.store.All(); len(all) != 1 || s.store.Of(named("root")).ID != all[0].ID || !s.store.Live(named("root")) {
		t.Errorf("incidents %+v", all)
	}

	s.told()
	s.store = NewStore(policy(), s.store.All()) // after a restart
	s.see(3*time.Minute, failsWith("root", "team"), Nothing)
	s.see(4*time.Minute, well("root"), Nothing)
	s.parentsOfPay(named("team"))
	s.see(5*time.Minute, fails("team", hookFailed, refused), Waiting) // of its own
	s.parentsOfPay()
	s.see(6*time.Minute, fails("team", hookFailed, refused), Opened)
}

// TestParentThatPeopleKnowOfJoinsItsChild: its thread says where it goes on.
func TestParentThatPeopleKnowOfJoinsItsChild(t *testing.T) {
	s := newStory(t)
	s.see(0, failsWith("root", "pay"), Waiting)
	s.see(time.Minute, failsWith("root", "pay"), Opened)
	s.told()
	s.see(2*time.Minute, fails("pay", "drift/manual-edit", "x"), Waiting)
	s.see(3*time.Minute, failsWith("root", "pay"), Nothing) // nobody knows of the child's yet
	out := s.see(17*time.Minute, fails("pay", "drift/manual-edit", "x"), Opened)
	if len(out.Touched) != 2 {
		t.Errorf("touched %v", out.Touched)
	}
	s.parentsOfPay(named("root"))
	s.told()
	child := s.store.Of(named("pay"))
	for _, i := range s.store.All() {
		if i.ID != child.ID && (i.Phase != Joined || i.JoinedTo != child.ID || i.JoinedLink != child.Thread.Permalink) {
			t.Errorf("%s is %s and goes on at %q", i.ID, i.Phase, i.JoinedLink)
		}
	}
	s.see(20*time.Minute, well("pay"), Holding)
	s.see(21*time.Minute, well("pay"), RecoveredNow)
	s.see(21*time.Minute, failsWith("root", "pay"), Waiting) // it has to say so itself now
	s.see(22*time.Minute, failsWith("root", "pay"), Opened)
}

// TestParentAlone: a child without an incident, one that is told elsewhere, and one whose failure has passed.
func TestParentAlone(t *testing.T) {
	s := newStory(t)
	other := fails("pay", hookFailed, refused)
	other.Report.Context.Project = "another"
	s.see(0, other, Waiting)
	s.see(time.Minute, other, Opened)
	s.see(time.Minute, failsWith("root", "pay"), Waiting)
	s.see(2*time.Minute, failsWith("root", "pay"), Opened)
	s.parentsOfPay()

	s = newStory(t)
	s.see(0, fails("pay", hookFailed, refused), Waiting)
	s.see(time.Second, failsWith("root", "pay"), Grouped)
	s.see(30*time.Second, well("pay"), Passed)
	s.see(time.Minute, failsWith("root", "pay"), Waiting)
	s.see(2*time.Minute, failsWith("root", "pay"), Opened)

	s = newStory(t)
	s.see(0, failsWith("root", "root"), Waiting) // it is deleted itself
	s.see(time.Minute, failsWith("root", "root"), Opened)
}

// TestParentThatArgoCDDatesWaitsForItsChild: at a start both are read, in any order.
func TestParentThatArgoCDDatesWaitsForItsChild(t *testing.T) {
	s := newStory(t)
	root := failsWith("root", "pay")
	root.Report.Context.Since = morning.Add(-time.Hour)
	if out := s.see(0, root, Waiting); out.Again != 3*time.Second {
		t.Errorf("look again after %v", out.Again)
	}
	pay := fails("pay", hookFailed, refused)
	pay.Report.Context.Since = morning.Add(-time.Hour)
	s.see(time.Second, pay, Opened)
	s.parentsOfPay(named("root"))
	if all := s.store.All(); len(all) != 1 {
		t.Errorf("incidents %+v", all)
	}
}

func TestParentOfTheLastTimeIsNotNamedAgain(t *testing.T) {
	s := newStory(t)
	for _, app := range []string{"a", "b", "c"} {
		s.see(0, failsOfGit(app), Waiting)
	}
	s.see(time.Minute, failsOfGit("a"), Grouped)
	s.told()
	s.see(2*time.Minute, failsWith("root", "a"), Grouped)
	if i := s.store.Of(named("a")); len(i.Parents) != 1 {
		t.Fatalf("parents %v", i.Parents)
	}
	for _, app := range []string{"a", "b", "c"} {
		s.store.Observe(well(app), morning.Add(10*time.Minute))
	}
	s.see(12*time.Minute, well("a"), RecoveredNow)
	s.see(13*time.Minute, well("root"), Nothing)
	for _, app := range []string{"a", "b", "c"} {
		s.see(30*time.Minute, failsOfGit(app), Waiting)
	}
	s.see(32*time.Minute, failsOfGit("a"), Grouped)
	if i := s.store.Of(named("a")); len(i.Parents) != 0 {
		t.Errorf("%v is said to fail, and is well", i.Parents)
	}
}

// TestParentGoesWithItsChildIntoAnOutage: nobody is ever told of the child alone.
func TestParentGoesWithItsChildIntoAnOutage(t *testing.T) {
	s := newStory(t)
	s.see(0, failsWith("root", "c"), Waiting)
	s.see(time.Minute, failsWith("root", "c"), Opened)
	s.told()
	for _, app := range []string{"a", "b", "c"} {
		s.see(2*time.Minute, failsOfGit(app), Waiting)
	}
	s.see(3*time.Minute, failsOfGit("c"), Grouped)
	s.told()
	s.see(4*time.Minute, failsWith("root", "c"), Nothing)
	s.told()
	if i := s.store.Of(named("root")); i == nil || !i.Outage() {
		t.Errorf("root is told in %+v", i)
	}
	for _, i := range s.store.All() {
		if i.Phase == Joined && i.JoinedLink == "" {
			t.Errorf("%s joined %s, and does not say where it goes on", i.ID, i.JoinedTo)
		}
	}
}

func TestParentThatIsWellByNowDoesNotJoinItsChild(t *testing.T) {
	s := newStory(t)
	s.see(0, failsWith("root", "pay"), Waiting)
	s.see(time.Minute, failsWith("root", "pay"), Opened)
	s.told()
	s.see(2*time.Minute, fails("pay", hookFailed, refused), Waiting)
	s.see(3*time.Minute-time.Second, well("root"), Holding)
	s.see(3*time.Minute, fails("pay", hookFailed, refused), Opened)
	s.parentsOfPay()
	s.see(4*time.Minute, well("root"), RecoveredNow)
}
