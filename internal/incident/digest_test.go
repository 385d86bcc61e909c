package incident

import (
	"errors"
	"testing"
	"time"
)

func digestDue(at time.Time) Digest { return Digest{At: at, Due: at, Failing: 1} }

// TestADigestIsNoFailure: neither a list nor a thread nor a metric has it.
func TestADigestIsNoFailure(t *testing.T) {
	s := newStory(t)
	if touched := s.store.AddDigest("C-shop", digestDue(morning), morning); len(touched) != 1 {
		t.Fatalf("touched %v", touched)
	}
	if again := s.store.AddDigest("C-shop", digestDue(morning), morning.Add(time.Minute)); len(again) != 0 {
		t.Errorf("a second one: %v", again)
	}
	if n := len(s.store.Failing()) + len(s.store.All()) + s.store.count(func(e *entry) bool { return e.Failure() }); n != 0 {
		t.Errorf("%d failures", n)
	}
	if all := s.store.Digests("C-shop"); len(all) != 1 || !all[0].Due.Equal(morning) {
		t.Errorf("digests %+v", all)
	}
}

// TestADigestIsOnRecordBeforeItIsPosted, and stays there across a restart.
func TestADigestIsOnRecordBeforeItIsPosted(t *testing.T) {
	keep(t, func(k *kept) {
		now := time.Now()
		k.memory.fails(errors.New("no journal"))
		k.syncer.PostDigest("C-shop", digestDue(now), now)
		time.Sleep(time.Minute)
		if n := k.memory.times(); n != 0 {
			t.Errorf("posted %d times without a journal", n)
		}
		k.memory.fails(nil)
		time.Sleep(time.Minute)
		if n := k.memory.times(); n != 1 {
			t.Errorf("posted %d times", n)
		}
		held, err := k.memory.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		again := NewStore(policy(), held)
		if touched := again.AddDigest("C-shop", digestDue(now), now); len(touched) != 0 || len(again.Digests("C-shop")) != 1 {
			t.Errorf("posted again after a restart: %v", touched)
		}
	})
}

// TestADigestThatCannotBePostedIsGivenUpAfterAnHour, and not before.
func TestADigestThatCannotBePostedIsGivenUpAfterAnHour(t *testing.T) {
	s := newStory(t)
	ids := s.store.AddDigest("C-shop", digestDue(morning), morning)
	if late := s.store.SkipLateDigests(morning.Add(time.Hour)); len(late) != 0 {
		t.Errorf("given up after an hour: %v", late)
	}
	if late := s.store.SkipLateDigests(morning.Add(time.Hour + time.Second)); len(late) != 1 || late[0] != ids[0] {
		t.Errorf("given up later: %v", late)
	}
	task, ok := s.store.toSave(ids[0])
	if !ok || !task.Digest.Skipped {
		t.Fatalf("on record: %+v", task.Incident)
	}
	s.store.saved(task)
	if channel, fresh := s.store.fresh(ids[0]); fresh {
		t.Errorf("still to be posted in %s", channel)
	}
	if late := s.store.SkipLateDigests(morning.Add(2 * time.Hour)); len(late) != 0 {
		t.Errorf("given up twice: %v", late)
	}
}

// TestAPostedDigestIsNotGivenUp.
func TestAPostedDigestIsNotGivenUp(t *testing.T) {
	s := newStory(t)
	ids := s.store.AddDigest("C-shop", digestDue(morning), morning)
	s.store.entries[ids[0]].Thread.TS = "1.1"
	if late := s.store.SkipLateDigests(morning.Add(2 * time.Hour)); len(late) != 0 {
		t.Errorf("given up: %v", late)
	}
}

// TestTheJournalKeepsTheFirstLinesOfADigest: an outage of everything does not make it large.
func TestTheJournalKeepsTheFirstLinesOfADigest(t *testing.T) {
	d := digestDue(morning)
	d.Failures = make([]DigestLine, 5_000)
	s := newStory(t)
	id := s.store.AddDigest("C-shop", d, morning)[0]
	if kept := s.store.entries[id].Digest; len(kept.Failures) != keepLines || kept.Left.Failures != 5_000-keepLines {
		t.Errorf("%d lines, %d left out", len(kept.Failures), kept.Left.Failures)
	}
}

// TestADigestInTheJournalCountsWhatItLeavesOut by what it is about.
func TestADigestInTheJournalCountsWhatItLeavesOut(t *testing.T) {
	var d Digest
	for n := range keepLines + 6 {
		line := DigestLine{App: named("pay")}
		if n%3 == 0 {
			line = DigestLine{Subject: "Git host"}
		}
		d.Failures = append(d.Failures, line)
	}
	if got := d.short(); len(got.Failures) != keepLines || got.Left.Failures != 4 || got.Left.Warnings != 2 {
		t.Errorf("%d kept, left %+v", len(got.Failures), got.Left)
	}
}
