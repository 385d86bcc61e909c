package incident

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// TestEachTimeThatAnIncidentFailedIsRemembered, also across its reopening and a restart.
func TestEachTimeThatAnIncidentFailedIsRemembered(t *testing.T) {
	i := &Incident{ID: "shop-1", Phase: Open, Cause: Cause{Rule: "hook/job-failed", Key: "hook/job-failed"}, Since: morning, Members: []Member{{App: named("shop"), Since: morning}}}
	at := func(minutes int) time.Time { return morning.Add(time.Duration(minutes) * time.Minute) }
	want := []Spell{{Rule: "hook/job-failed", Since: morning}}
	same := func() {
		t.Helper()
		if got := i.Spells(); !reflect.DeepEqual(got, want) {
			t.Errorf("spells\n%+v\nwant\n%+v", got, want)
		}
	}
	same()
	i.end(RecoveredNow, at(14), nil, Policy{}, at(15))
	want[0].Until, want[0].End = at(14), RecoveredNow
	same()
	raw, err := json.Marshal(i)
	if err != nil {
		t.Fatal(err)
	}
	i = &Incident{}
	if err := json.Unmarshal(raw, i); err != nil {
		t.Fatal(err)
	}
	same()
	i.Phase, i.ReopenedAt, i.RecoveredAt = Open, at(60), time.Time{}
	want = append(want, Spell{Rule: "hook/job-failed", Since: at(60)})
	same()
	i.end(Deleted, at(62), nil, Policy{}, at(62))
	want[1].Until, want[1].End = at(62), Deleted
	same()
}

// TestAnEntryOfAnOlderReleaseHasItsLastSpell: it has none on record.
func TestAnEntryOfAnOlderReleaseHasItsLastSpell(t *testing.T) {
	i := &Incident{Phase: Recovered, Cause: Cause{Rule: "hook/job-failed"}, Since: morning, RecoveredAt: morning.Add(time.Hour), Members: []Member{{App: named("shop"), Well: morning.Add(time.Hour)}}}
	want := []Spell{{Rule: "hook/job-failed", Since: morning, Until: morning.Add(time.Hour), End: RecoveredNow}}
	if got := i.Spells(); !reflect.DeepEqual(got, want) {
		t.Errorf("spells %+v, want %+v", got, want)
	}
}

func TestOnlyTheLastSpellsAreKept(t *testing.T) {
	i := &Incident{Cause: Cause{Rule: "health/crash-loop"}}
	for n := range keepSpells + 3 {
		i.ReopenedAt = morning.Add(time.Duration(n) * time.Minute)
		i.spellEnds(RecoveredNow, i.ReopenedAt.Add(time.Second))
	}
	if n, first := len(i.Past), i.Past[0].Since; n != keepSpells || !first.Equal(morning.Add(3*time.Minute)) {
		t.Errorf("%d spells, the first of %s", n, first)
	}
}
