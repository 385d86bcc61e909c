package incident

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

// over is an incident of an application that recovered so long after the morning.
func over(n int, at time.Duration, size int) *Incident {
	recovered := morning.Add(at)
	return &Incident{
		ID: fmt.Sprintf("web-%05d", n), Phase: Recovered, Cause: Cause{Rule: hookFailed, Key: hookFailed}, Channel: "C-shop", Seen: morning,
		Members: []Member{{App: named(fmt.Sprint("web-", n)), Since: morning, Well: recovered}}, RecoveredAt: recovered, Expires: recovered.Add(30 * 24 * time.Hour), Size: size,
	}
}

// TestOfTooManyIncidentsTheOldestAreForgotten, and never one that is not over, or that people have not heard the end of.
func TestOfTooManyIncidentsTheOldestAreForgotten(t *testing.T) {
	for name, c := range map[string]struct{ incidents, size, forgotten int }{
		"as many as are kept":   {keepEnded, 1_000, 0},
		"a few too many":        {keepEnded + 3, 1_000, 3},
		"too much for the disk": {20, keepBytes / 10, 11}, // besides the open one of that size
	} {
		t.Run(name, func(t *testing.T) {
			open, untold := over(100_000, 0, c.size), over(100_001, 0, 0)
			open.Phase, open.Expires, open.RecoveredAt = Open, time.Time{}, time.Time{}
			untold.Outbox = []Reply{{Number: 2, Reason: RecoveredNow}}
			held := []*Incident{open, untold}
			for n := range c.incidents {
				held = append(held, over(n, time.Duration(n)*time.Second, c.size))
			}
			s := NewStore(policy(), held)
			gone, why := s.expired(morning.Add(24 * time.Hour))
			slices.Sort(gone)
			var want []string
			for n := range c.forgotten {
				want = append(want, held[2+n].ID)
			}
			if !slices.Equal(gone, want) || why[TooMany] != c.forgotten {
				t.Errorf("forgotten are %d: %v, want %v", why[TooMany], gone, want)
			}
			if again, _ := s.expired(morning.Add(24 * time.Hour)); len(again) > 0 {
				t.Errorf("and then %v", again)
			}
		})
	}
}

// TestWhoFillsTheJournalPushesNobodyOut: an application that fails again and again, each time with as much to say as a journal takes.
func TestWhoFillsTheJournalPushesNobodyOut(t *testing.T) {
	var held []*Incident
	for n := range 100 {
		held = append(held, over(n, time.Duration(n)*time.Second, 20_000))
	}
	for n := range 300 {
		held = append(held, over(1000+n, time.Hour+time.Duration(n)*time.Second, 1_000_000))
	}
	s := NewStore(policy(), held)
	gone, _ := s.expired(morning.Add(24 * time.Hour))
	small := slices.DeleteFunc(slices.Clone(gone), func(id string) bool { return s.entries[id].Size > 20_000 })
	if len(gone) == 0 || len(small) > 0 {
		t.Errorf("%d are forgotten, of which %d small ones", len(gone), len(small))
	}
}

// TestOfTooManyRepliesTheOldestAreLeftOut: Slack was away for days. The next one says how many, and what people wait for is kept.
func TestOfTooManyRepliesTheOldestAreLeftOut(t *testing.T) {
	i := &Incident{ID: "web-1"}
	i.reply(Reply{Reason: Acted, Action: &action.Record{ID: "a-1"}, Note: &action.Note{Number: 1}})
	for range keepReplies + 20 {
		i.reply(Reply{Reason: RecoveredNow})
	}
	kept := i.Outbox
	if len(kept) != keepReplies || kept[0].Note == nil || kept[1].Skipped != 21 || kept[len(kept)-1].Number != i.LastReply {
		t.Errorf("%d replies, the first two %+v, the last has number %d of %d", len(kept), kept[:2], kept[len(kept)-1].Number, i.LastReply)
	}
}

// TestOfTooManyApplicationsThatLeftTheFirstAreForgotten: previews come and go while an outage lasts.
func TestOfTooManyApplicationsThatLeftTheFirstAreForgotten(t *testing.T) {
	i := &Incident{ID: "outage-1"}
	for n := range keepLeft + 5 {
		i.admit(Member{App: named(fmt.Sprintf("preview-%04d", n)), Well: morning.Add(time.Duration(n) * time.Second), Note: NoteDeleted})
	}
	i.admit(Member{App: named("stays")})
	if len(i.Members) != keepLeft+1 || i.Member(named("preview-0004")) != nil || i.Member(named("preview-0005")) == nil || i.Member(named("stays")) == nil {
		t.Errorf("%d members, from %s on", len(i.Members), i.Members[0].App.Name)
	}
}

// TestOfTooManyIncidentsNoAnnouncementIsForgotten: it would be posted again.
func TestOfTooManyIncidentsNoAnnouncementIsForgotten(t *testing.T) {
	s := NewStore(policy(), nil)
	notices := s.AnnounceExpiry("prod", []evidence.Token{tokenOf("ci", 14*aDay, 90*aDay)}, morning)
	notices = append(notices, s.AddDigest("C-shop", Digest{Due: morning, At: morning}, morning)...)
	held := []*Incident{s.entries[notices[0]].Clone(), s.entries[notices[1]].Clone()}
	for n := range keepEnded + 10 {
		held = append(held, over(n, time.Hour+time.Duration(n)*time.Second, 1_000))
	}
	s = NewStore(policy(), held)
	gone, _ := s.expired(morning.Add(24 * time.Hour))
	for _, id := range notices {
		if slices.Contains(gone, id) {
			t.Errorf("%s is forgotten", id)
		}
	}
	if len(gone) == 0 {
		t.Error("nothing is forgotten")
	}
}
