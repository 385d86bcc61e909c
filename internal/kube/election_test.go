package kube

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// scriptedLock is a Lease whose writes take a while.
type scriptedLock struct {
	resourcelock.Interface
	takes  time.Duration
	err    error
	writes int
	holder string
}

func (l *scriptedLock) Update(context.Context, resourcelock.LeaderElectionRecord) error {
	time.Sleep(l.takes)
	l.writes++
	return l.err
}

// Get is what follows a conflict: after it there is none.
func (l *scriptedLock) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	l.err = nil
	return &resourcelock.LeaderElectionRecord{HolderIdentity: l.holder}, nil, nil
}

func (*scriptedLock) Identity() string { return "a" }

// TestTheFenceCountsFromTheRequest: others count from when they see the Lease renewed, which can be long before the answer comes.
func TestTheFenceCountsFromTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lease := &scriptedLock{takes: 2 * time.Second}
		l := &fencedLock{Interface: lease, failed: func(error) {}}
		l.begin(func() {})
		ours := resourcelock.LeaderElectionRecord{HolderIdentity: "a"}
		begun := time.Now()
		if l.holds(begun) {
			t.Error("it holds a Lease that nobody asked for")
		}
		if err := l.Update(t.Context(), ours); err != nil {
			t.Fatal(err)
		}
		if end := begun.Add(leaseDuration - fenceBefore); !l.holds(end.Add(-1)) || l.holds(end) {
			t.Error("it does not count from the request")
		}
		lease.err = errors.New("connection reset by peer") // perhaps it came through, and perhaps not
		if err := l.Update(t.Context(), ours); err == nil || l.holds(begun.Add(leaseDuration-fenceBefore)) {
			t.Error("a renewal that failed counts")
		}
	})
}

// TestALapsedLeaseBeginsANewTerm: also where nobody else took it, as somebody may have.
func TestALapsedLeaseBeginsANewTerm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := false
		l := &fencedLock{Interface: &scriptedLock{}, failed: func(error) {}}
		l.begin(func() { stopped = true })
		ours := resourcelock.LeaderElectionRecord{HolderIdentity: "a"}
		if err := l.Update(t.Context(), ours); err != nil {
			t.Fatal(err)
		}
		time.Sleep(leaseDuration)
		if err := l.Update(t.Context(), ours); !errors.Is(err, errLapsed) || !stopped {
			t.Errorf("it goes on as if it had not slept: %v", err)
		}
		l.begin(func() {})
		if err := l.Update(t.Context(), ours); err != nil || !l.holds(time.Now()) {
			t.Errorf("it cannot lead again: %v", err)
		}
		if err := l.Update(t.Context(), resourcelock.LeaderElectionRecord{}); err != nil || l.holds(time.Now()) {
			t.Errorf("it leads although it gave the Lease back: %v", err)
		}
	})
}

// TestATermThatEndedBeforeItBegan: client-go may say late that this process leads.
func TestATermThatEndedBeforeItBegan(t *testing.T) {
	var late term
	if !late.end() || late.start() {
		t.Error("it begins to lead when the Lease may be somebody else's")
	}
	var led term
	if !led.start() || led.end() {
		t.Error("nobody waits for what it has begun")
	}
}

// TestAFreeLeaseIsTakenInTurn: and by nobody while something blocks it. Who holds it renews it without asking.
func TestAFreeLeaseIsTakenInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		blocked := errors.New("argo-why-x leads all Argo CDs still")
		const patience = 3 * time.Second
		l := &fencedLock{
			Interface: &scriptedLock{}, failed: func(error) {},
			turn: func(free time.Duration) bool { return free >= patience }, blocked: func(context.Context) error { return blocked },
		}
		l.begin(func() {})
		ours := resourcelock.LeaderElectionRecord{HolderIdentity: "a"}
		for range 3 {
			if err := l.Update(t.Context(), ours); !errors.Is(err, errNotOurTurn) {
				t.Fatalf("it takes the Lease out of turn: %v", err)
			}
			time.Sleep(time.Second)
		}
		if err := l.Update(t.Context(), ours); !errors.Is(err, blocked) || l.holds(time.Now()) {
			t.Fatalf("it takes a Lease that is blocked: %v", err)
		}
		l.saw(&resourcelock.LeaderElectionRecord{HolderIdentity: "b", RenewTime: metav1.Now()}) // who gave it back since
		if err := l.Update(t.Context(), ours); !errors.Is(err, errNotOurTurn) {
			t.Fatalf("it counts the time before somebody else held it: %v", err)
		}
		l.turn, l.blocked = nil, nil
		if err := l.Update(t.Context(), ours); err != nil {
			t.Fatal(err)
		}
		l.turn = func(time.Duration) bool { return false }
		if err := l.Update(t.Context(), ours); err != nil {
			t.Errorf("it does not renew what it holds: %v", err)
		}
	})
}

// TestALeaseIsGivenBackAlthoughARenewalWasBrokenOff: the API server may have taken it, so that the version is another one. One that somebody
// else has by now stays theirs.
func TestALeaseIsGivenBackAlthoughARenewalWasBrokenOff(t *testing.T) {
	conflict := apierrors.NewConflict(leases.GroupResource(), "argo-why", errors.New("the object has been modified"))
	for holder, writes := range map[string]int{"a": 2, "b": 1} {
		lease := &scriptedLock{err: conflict, holder: holder}
		l := &fencedLock{Interface: lease, failed: func(error) {}}
		l.begin(func() {})
		if err := l.Update(t.Context(), resourcelock.LeaderElectionRecord{}); err != nil || lease.writes != writes {
			t.Errorf("held by %s: %d writes, %v", holder, lease.writes, err)
		}
	}
}
