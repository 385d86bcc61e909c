package incident

import (
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

const tried, newer = "3f2a91c0000000000000000000000000000000aa", "9c1e0d20000000000000000000000000000000bb"

// TestWhatChangedIsTrue: whose sync ended it, which commit it deployed, and nothing where nothing is known.
func TestWhatChangedIsTrue(t *testing.T) {
	at := morning.Add(10 * time.Minute)
	info := []evidence.OperationInfo{{Name: "argo-why", Value: "sync-1"}}
	before := &diagnose.Synced{Revision: tried, Finished: morning.Add(-time.Hour), By: "auto-sync"}
	web := evidence.Ref{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}
	for name, c := range map[string]struct {
		rule     string
		resource evidence.Ref
		compared string
		sync     *diagnose.Synced
		want     []string
	}{
		"auto-sync, a new commit": {hookFailed, evidence.Ref{}, newer, &diagnose.Synced{Revision: newer, Finished: at, By: "auto-sync"},
			[]string{"Auto-sync deployed 9c1e0d2; 3f2a91c failed."}},
		"somebody else's": {hookFailed, evidence.Ref{}, tried, &diagnose.Synced{Revision: tried, Finished: at, By: "bob"}, []string{"bob synced 3f2a91c again."}},
		"whoever pressed it in Slack": {hookFailed, evidence.Ref{}, tried, &diagnose.Synced{Revision: tried, Finished: at, By: "argo-why", Info: info},
			[]string{"dana synced 3f2a91c again."}},
		"nobody knows whose": {hookFailed, evidence.Ref{}, newer, &diagnose.Synced{Revision: newer, Finished: at},
			[]string{"A sync deployed 9c1e0d2; 3f2a91c failed."}},
		"another commit was deployed than Git has by now": {hookFailed, evidence.Ref{}, newer, &diagnose.Synced{Revision: tried, Finished: at, By: "auto-sync"},
			[]string{"Auto-sync deployed 3f2a91c again."}},
		"a commit elsewhere in the repository": {"health/crash-loop", web, newer, &diagnose.Synced{Revision: newer, Finished: at, By: "auto-sync", Untouched: true},
			[]string{"Auto-sync deployed 9c1e0d2; 3f2a91c failed.", "It changed nothing in the cluster."}},
		"the first sync of a commit that did not render": {"render/helm-template", web, tried, &diagnose.Synced{Revision: tried, Finished: at, By: "bob"},
			[]string{"bob synced 3f2a91c."}},
		"selected resources": {hookFailed, evidence.Ref{}, tried, &diagnose.Synced{Revision: tried, Finished: at, By: "bob", Selected: true},
			[]string{"bob synced selected resources of 3f2a91c."}},
		"a live change": {"drift/manual-edit", web, tried, &diagnose.Synced{Revision: tried, Finished: at, By: "auto-sync", Applied: []evidence.Ref{web}},
			[]string{"Auto-sync deployed 3f2a91c.", "Deployment/web matches Git again."}},
		"no sync": {"health/crash-loop", web, tried, before, []string{"Still on 3f2a91c: it recovered without a sync or a new commit."}},
		"no sync, and a commit that was only compared":    {"health/crash-loop", web, newer, before, []string{"It recovered without a sync."}},
		"no sync, and a commit that renders":              {"render/helm-template", web, newer, before, []string{"Git is at 9c1e0d2 now; 3f2a91c failed."}},
		"a sync that the clocks do not tell from earlier": {"health/crash-loop", web, newer, &diagnose.Synced{Revision: tried, Finished: morning.Add(-time.Minute)}, nil},
		"nothing known":                  {"health/crash-loop", web, newer, nil, nil},
		"nothing known, the same commit": {"health/crash-loop", web, tried, nil, []string{"Still on 3f2a91c: it recovered without a new commit."}},
	} {
		t.Run(name, func(t *testing.T) {
			seen := fails("pay", c.rule, refused)
			seen.Report.Findings[0].Resource = c.resource
			s := newStory(t)
			s.store.Observe(seen, morning)
			s.see(15*time.Minute, seen, Opened)
			i := s.store.Of(named("pay"))
			i.Since = morning
			i.Actions = []*action.Record{{ID: "sync-1", Request: action.Request{Kind: action.Sync}, By: action.Person{ID: "U1", Name: "dana"}}}
			now := well("pay").Report
			now.Context.Revision, now.Well = c.compared, &diagnose.Well{Sync: c.sync}
			if got := resolution(i, now); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestDatesAreArgoCDs: we may look hours later.
func TestDatesAreArgoCDs(t *testing.T) {
	s := newStory(t)
	seen := fails("pay", "health/crash-loop", "panic")
	seen.Report.Context.CauseSince = morning
	s.see(2*time.Hour, seen, Opened)
	now := well("pay")
	now.Report.Well = &diagnose.Well{Since: morning.Add(150 * time.Minute)}
	s.see(5*time.Hour, now, RecoveredNow) // it has held for long
	i := s.store.All()[0]
	if !i.Since.Equal(morning) || !i.RecoveredAt.Equal(morning.Add(150*time.Minute)) || i.Outbox[0].Lasted != 150*time.Minute {
		t.Errorf("since %v, recovered at %v after %v", i.Since, i.RecoveredAt, i.Outbox[0].Lasted)
	}
	seen.Report.Context.CauseSince = morning.Add(200 * time.Minute)
	s.see(6*time.Hour, seen, Reopened)
	if i := s.store.Of(named("pay")); !i.ReopenedAt.Equal(morning.Add(200*time.Minute)) || i.Outbox[1].Lasted != 50*time.Minute {
		t.Errorf("reopened at %v after %v", i.ReopenedAt, i.Outbox[1].Lasted)
	}
}

// TestADateThatCannotBeIsNotTaken: Argo CD's clock may be ahead of ours, and what it dates may not be what was wrong.
func TestADateThatCannotBeIsNotTaken(t *testing.T) {
	s := newStory(t)
	seen := fails("pay", "render/helm-template", "nil")
	seen.Report.Context.CauseSince = morning.Add(time.Hour)
	s.see(0, seen, Waiting)
	s.see(time.Minute, seen, Opened)
	s.see(20*time.Minute, seen, Nothing)
	for name, at := range map[string]time.Time{
		"before it was seen to fail": morning.Add(10 * time.Minute), "before it began": morning.Add(-time.Hour), "later than now": morning.Add(time.Hour), "none": {},
	} {
		now := well("pay")
		now.Report.Well = &diagnose.Well{Since: at}
		i := Decide(s.store.Of(named("pay")), now, policy(), morning.Add(30*time.Minute)).Next
		if !i.Members[0].Well.Equal(morning.Add(30 * time.Minute)) {
			t.Errorf("%s: well since %v", name, i.Members[0].Well)
		}
	}
}
