package incident

import (
	"fmt"
	"testing"
)

// TestAnOutlookInTheJournalCountsWhatItLeavesOut: what was looked at is not called unread.
func TestAnOutlookInTheJournalCountsWhatItLeavesOut(t *testing.T) {
	o := &Outlook{HooksLeft: 7}
	for n := range keepLines + 5 {
		o.Windows = append(o.Windows, DigestWindow{Project: fmt.Sprint("shop-", n)})
		o.Hooks = append(o.Hooks, DigestHook{Name: fmt.Sprint("seed-", n), NoDeadline: true, NoDeletePolicy: n%2 == 0})
	}
	got := o.short()
	if want := (OutlookLeft{Windows: 5, NoDeadline: 5, NoDeletePolicy: 3}); len(got.Windows) != keepLines || len(got.Hooks) != keepLines || got.Left != want || got.HooksLeft != 7 {
		t.Errorf("%d windows, %d hooks, left %+v, not looked at %d", len(got.Windows), len(got.Hooks), got.Left, got.HooksLeft)
	}
	if again := got.short(); again.Left != got.Left {
		t.Errorf("the second time %+v", again.Left)
	}
}
