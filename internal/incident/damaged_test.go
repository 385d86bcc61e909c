package incident

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"
)

// damage is what a journal says of an entry of which these bytes are left.
func damage(i *Incident, document []byte) Damaged {
	return Damaged{{ID: i.ID, Rest: Salvage(document), Err: errors.New(i.ID + " is damaged")}}
}

func document(t *testing.T, i *Incident) []byte {
	t.Helper()
	raw, err := json.Marshal(i)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestWhatADamagedEntryWasAboutIsNotPostedAgain: it goes on in the same thread, wherever the damage is behind what says whose it was.
func TestWhatADamagedEntryWasAboutIsNotPostedAgain(t *testing.T) {
	s := opened(t)
	was := s.store.Of(named("pay"))
	raw := document(t, was)
	for name, left := range map[string][]byte{
		"a field of another type":   bytes.Replace(raw, []byte(`"report":{`), []byte(`"report":[],"other":{`), 1),
		"cut off after the members": raw[:bytes.Index(raw, []byte(`"report"`))+300],
	} {
		t.Run(name, func(t *testing.T) {
			damaged := damage(was, left)
			again := &story{t, restore(policy(), nil, damaged, morning)}
			i := again.store.Of(named("pay"))
			if i == nil || i.PostedID() != was.ID || i.ID == was.ID {
				t.Fatalf("it goes on as %+v", i)
			}
			again.see(2*time.Minute, fails("pay", hookFailed, refused), Nothing)
			again.told()
			known := again.store.All()
			if len(known) != 1 || len(known[0].Outbox) > 0 {
				t.Errorf("%d incidents, due are %v", len(known), known[0].Outbox)
			}
			again.see(3*time.Minute, well("pay"), Holding)
			again.see(4*time.Minute, well("pay"), RecoveredNow)
			reply := again.store.All()[0].Outbox[0].Number
			if reply <= was.LastReply+1 {
				t.Errorf("the number %d may have been used", reply)
			}
			// The damaged entry is still there at the next start, beside the one that went on.
			next := restore(policy(), again.store.All(), damaged, morning)
			if n := len(next.All()); n != 1 {
				t.Errorf("%d incidents after the next start", n)
			}
		})
	}
}

// TestAnOutageWithADamagedEntryTakesItsApplicationsBack: those that its entry does not name any more are not told one by one.
func TestAnOutageWithADamagedEntryTakesItsApplicationsBack(t *testing.T) {
	s := outageOf(t)
	outage := s.store.Of(named("a"))
	var others []*Incident
	for _, i := range s.store.All() {
		if i.ID != outage.ID {
			i.JoinedLink = "" // killed before they said where they go on
			others = append(others, i)
		}
	}
	short := outage.Clone()
	short.Members = short.Members[:1]
	again := &story{t, restore(policy(), others, damage(outage, document(t, short)), morning)}
	now := again.store.Of(named("a"))
	if now == nil || now.Thread.TS != outage.Thread.TS || now.PostedID() != outage.ID {
		t.Fatalf("the outage goes on as %+v", now)
	}
	for _, app := range []string{"b", "c"} {
		again.see(5*time.Minute, failsOfGit(app), Grouped)
	}
	if now = again.store.Of(named("a")); len(now.Members) != 3 {
		t.Errorf("%d members", len(now.Members))
	}
	for _, i := range again.store.All() {
		if i.Phase == Joined && i.JoinedTo != outage.ID && i.JoinedTo != now.ID || i.Phase == Open && i.ID != now.ID {
			t.Errorf("%s is %s, with %s", i.ID, i.Phase, i.JoinedTo)
		}
	}
}

// TestTheCountOfWhatIsStillToPostGoesOnInItsMessage, though its entry is damaged.
func TestTheCountOfWhatIsStillToPostGoesOnInItsMessage(t *testing.T) {
	was := &Incident{
		ID: "still-to-post-1", Phase: Open, Cause: Cause{Rule: StillToPost, Key: StillToPost}, Since: morning, Seen: morning, OpenedAt: morning, Channel: "C-shop",
		Waiting: 200, Thread: Thread{Channel: "C-shop", TS: "1"},
	}
	again := restore(policy(), nil, damage(was, document(t, was)), morning)
	ended := again.CountRemainders(morning.Add(time.Minute)) // nothing waits any more
	if len(ended) != 1 {
		t.Fatalf("ended are %v", ended)
	}
	if e := again.entries[ended[0]]; e.PostedID() != was.ID || e.Thread.TS != "1" || e.Phase != Recovered {
		t.Errorf("it goes on as %+v", e.Incident)
	}
}

// TestADamagedEntryThatSaysTooLittleHoldsUpNothing: the application's failure is posted as one that is new.
func TestADamagedEntryThatSaysTooLittleHoldsUpNothing(t *testing.T) {
	was := opened(t).store.Of(named("pay"))
	for _, left := range []string{"", "garbage", `{"id":"pay-1","phase":"Open","cause":`, `{"id":7,"phase":[]}`, "null"} {
		again := &story{t, restore(policy(), nil, damage(was, []byte(left)), morning)}
		again.see(2*time.Minute, fails("pay", hookFailed, refused), Waiting)
		again.see(3*time.Minute, fails("pay", hookFailed, refused), Opened)
	}
}

// TestHowLongAnArgoCDWasWatchedIsKeptBesideADamagedEntry: the bot cannot write where that is, and must not.
func TestHowLongAnArgoCDWasWatchedIsKeptBesideADamagedEntry(t *testing.T) {
	p := policy()
	p.QuietAfter = time.Hour
	first := restore(p, nil, nil, morning)
	first.FirstLook("", nil, morning)
	watching := first.KeepWatch(morning.Add(time.Minute))
	again := restore(p, nil, damage(&Incident{ID: watching[0]}, nil), morning)
	again.FirstLook("", nil, morning.Add(time.Hour))
	if now := again.KeepWatch(morning.Add(time.Hour + time.Minute)); len(now) != 1 || now[0] == watching[0] {
		t.Errorf("it writes %v, where %v is damaged", now, watching)
	}
}

func restore(p Policy, held []*Incident, damaged Damaged, now time.Time) *Store {
	s := NewStore(p, nil)
	s.Restore(held, damaged, now)
	return s
}
