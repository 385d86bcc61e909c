package incident

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// memory is a Journal and a Notifier in memory, and what goes wrong with them.
type memory struct {
	mu   sync.Mutex
	held map[string]*Incident
	down error
	// conflicts are how many of the next writes somebody else is faster with.
	conflicts int
	said      []*Incident
	refuse    func() error
	// writing is how long the journal takes.
	writing time.Duration
	// slow is how long Slack takes, full for how long it has no room for what is due for a reason.
	slow time.Duration
	full map[Due]time.Duration
	// reasons are why it was told, and of which application; doubts whether it was to look first.
	reasons []string
	doubts  []bool
	gone    bool // somebody deletes all threads
}

func (m *memory) List(context.Context) ([]*Incident, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []*Incident
	for _, i := range m.held {
		all = append(all, i.Clone())
	}
	return all, nil
}

func (m *memory) Get(_ context.Context, id string) (*Incident, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i, ok := m.held[id]; ok {
		return i.Clone(), nil
	}
	return nil, ErrNotFound
}

func (m *memory) Put(_ context.Context, i *Incident) error {
	time.Sleep(m.writing)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.conflicts > 0 {
		m.conflicts--
		return ErrConflict
	}
	if m.down != nil {
		return m.down
	}
	i.Version += "+"
	m.held[i.ID] = i.Clone()
	return nil
}

func (m *memory) Delete(_ context.Context, i *Incident) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.held, i.ID)
	return m.down
}

func (m *memory) Begin(map[string]string, func(context.Context, string, int) error) {}

func (m *memory) Room(_ string, why Due) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.full[why]
}

func (m *memory) Notify(_ context.Context, i *Incident, why Due, uncertain bool) (Told, error) {
	time.Sleep(m.slow)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.said, m.doubts = append(m.said, i), append(m.doubts, uncertain)
	m.reasons = append(m.reasons, fmt.Sprint(why, " ", subject(i)))
	if m.gone {
		return Told{Thread: Thread{Channel: i.Channel}, Gone: true}, nil
	}
	if m.refuse != nil {
		return Told{Thread: i.Thread}, m.refuse()
	}
	told := Told{Thread: Thread{Channel: i.Channel, TS: "ts-" + i.ID, DetailsTS: "details-" + i.ID, RootDigest: string(i.Phase) + i.Cause.Key, DetailsDigest: i.Cause.Key}, All: true}
	for _, r := range i.Outbox {
		told.Numbers = append(told.Numbers, r.Number)
	}
	return told, nil
}

func (m *memory) fails(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.down = err
}

// fills has Slack no room for these reasons, for so long.
func (m *memory) fills(d time.Duration, reasons ...Due) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.full = map[Due]time.Duration{}
	for _, why := range reasons {
		m.full[why] = d
	}
}

func (m *memory) times() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.said)
}

// kept is a story whose incidents a Syncer saves and tells, in virtual time.
type kept struct {
	*story
	*memory
	syncer *Syncer
	stop   func()
}

func keep(t *testing.T, play func(k *kept)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		k := &kept{story: newStory(t), memory: &memory{held: map[string]*Incident{}}}
		k.syncer = NewSyncer(k.store, k.memory, k.memory, slog.New(slog.DiscardHandler), Metrics{})
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() {
			if err := k.syncer.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		k.stop = func() { cancel(); running.Wait() }
		play(k)
		k.stop()
	})
}

// see passes on what changes.
func (k *kept) see(after time.Duration, seen Seen, want Reason) {
	k.t.Helper()
	k.syncer.Touch(k.story.see(after, seen, want).Touched...)
	synctest.Wait()
}

func (k *kept) open() {
	k.see(0, fails("pay", hookFailed, refused), Waiting)
	k.see(time.Minute, fails("pay", hookFailed, refused), Opened)
}

func (k *kept) wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// TestOnlyWhatIsOnRecordIsTold: else a bot that is killed would not know what it has said.
func TestOnlyWhatIsOnRecordIsTold(t *testing.T) {
	keep(t, func(k *kept) {
		k.refuse = func() error { return errors.New("no answer") }
		k.open()
		k.fails(errors.New("no journal"))
		k.see(2*time.Minute, fails("pay", "health/crash-loop", "panic"), SeenMeanwhile)
		k.see(3*time.Minute, fails("pay", "health/crash-loop", "panic"), CauseChanged)
		k.wait(time.Minute)
		for _, i := range k.said {
			if i.Cause.Rule != hookFailed || len(i.Outbox) > 0 {
				k.t.Fatalf("told of %s, which nothing remembers", i.Cause.Rule)
			}
		}
		k.refuse = nil
		k.fails(nil)
		k.wait(time.Minute)
		replies := 0
		for _, i := range k.said {
			replies += len(i.Outbox)
		}
		if i := k.said[len(k.said)-1]; i.Cause.Rule != "health/crash-loop" || replies != 1 || !k.syncer.Idle() {
			k.t.Errorf("told last: %s, with %d replies in all", i.Cause.Rule, replies)
		}
	})
}

// TestErrorsThatReadDifferentlyEachTimeWaitLikeOthers: one of a connection names its port.
func TestErrorsThatReadDifferentlyEachTimeWaitLikeOthers(t *testing.T) {
	keep(t, func(k *kept) {
		port := 50000
		k.refuse = func() error {
			port++
			return fmt.Errorf("read tcp 10.0.0.1:%d->3.3.3.3:443: connection reset by peer", port)
		}
		k.open()
		k.wait(time.Minute)
		if n := k.times(); n < 5 || n > 10 {
			k.t.Errorf("%d attempts in a minute, want a handful: each waits twice as long as the one before", n)
		}
	})
}

// TestWhatIsToldLastIsOnRecord: a bot that was asked to stop need not look for its own messages at the next start.
func TestWhatIsToldLastIsOnRecord(t *testing.T) {
	keep(t, func(k *kept) {
		k.slow = 5 * time.Second
		k.open()
		k.stop()
		for id, i := range k.held {
			if i.Thread.TS == "" || i.Thread.RootDigest == "" {
				k.t.Errorf("the journal does not know the thread of %s", id)
			}
		}
		if len(k.held) != 1 || k.times() != 1 {
			k.t.Errorf("%d on record, told %d times", len(k.held), k.times())
		}
	})
}

// TestWhatStandsInTheThreadIsOnRecordOnlyWhileItIsTrue: killed between an update and its note, the bot would take the
// message for what it was before.
func TestWhatStandsInTheThreadIsOnRecordOnlyWhileItIsTrue(t *testing.T) {
	keep(t, func(k *kept) {
		k.open()
		id := k.store.Of(named("pay")).ID
		if k.held[id].Thread.RootDigest == "" {
			k.t.Error("after the message was posted nobody knows what it shows")
		}
		k.slow = time.Minute
		k.see(2*time.Minute, fails("pay", "health/crash-loop", "panic"), SeenMeanwhile)
		k.see(3*time.Minute, fails("pay", "health/crash-loop", "panic"), CauseChanged)
		if th := k.held[id].Thread; th.RootDigest != "" || th.DetailsDigest != "" || th.TS == "" {
			k.t.Errorf("while it is changed the journal says it shows %+v", th)
		}
	})
}

// TestIncidentThatIsBeingToldIsNotForgotten: it joins an outage in the moment in which its thread is posted.
func TestIncidentThatIsBeingToldIsNotForgotten(t *testing.T) {
	keep(t, func(k *kept) {
		k.slow = 10 * time.Second
		k.see(0, failsOfGit("a"), Waiting)
		k.see(time.Minute, failsOfGit("a"), Opened)
		for _, app := range []string{"b", "c"} {
			k.see(time.Minute, failsOfGit(app), Waiting)
		}
		k.see(2*time.Minute, failsOfGit("b"), Grouped)
		k.wait(time.Hour)
		var phases []Phase
		for _, i := range k.held {
			phases = append(phases, i.Phase)
		}
		if len(phases) != 2 {
			k.t.Errorf("on record: %v, want the outage, and the thread that joined it", phases)
		}
	})
}

// TestAConflictAtTheEndKeepsNothingFromBeingSaved: what is not on record then is lost.
func TestAConflictAtTheEndKeepsNothingFromBeingSaved(t *testing.T) {
	keep(t, func(k *kept) {
		k.fails(errors.New("the journal is down"))
		for _, app := range []string{"pay", "web", "api"} {
			k.see(0, fails(app, hookFailed, refused), Waiting)
			k.see(time.Minute, fails(app, hookFailed, refused), Opened)
		}
		k.see(0, fails("waits", hookFailed, refused), Waiting)
		k.mu.Lock()
		k.down, k.conflicts = nil, 2
		k.mu.Unlock()
		k.stop()
		phases := map[Phase]int{}
		all, _ := k.List(t.Context())
		for _, i := range all {
			phases[i.Phase]++
		}
		if phases[Open] != 3 || phases[Pending] != 1 {
			t.Errorf("on record: %v", phases)
		}
	})
}
