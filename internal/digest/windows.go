package digest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
)

// OutlookFor is how far a digest looks ahead.
const OutlookFor = 24 * time.Hour

// maxOpenings bounds the openings of one window that are looked at: one for each minute of a month.
const maxOpenings = 31 * 24 * 60

// Windows are the sync windows of an Argo CD that begin or end within a time after now, the next first. Those that Argo CD cannot read are left
// out: they block nothing.
func Windows(instance string, all []evidence.ProjectWindow, now time.Time, within time.Duration) (out []incident.DigestWindow) {
	until := now.Add(within)
	changes := func(at time.Time) bool { return at.After(now) && !at.After(until) }
	for _, w := range all {
		var first *incident.DigestWindow
		for _, o := range openings(w.SyncWindow, now, until) {
			switch {
			case !changes(o.begins) && !changes(o.ends):
			case first != nil:
				first.More++
			default:
				first = &incident.DigestWindow{
					Instance: instance, Project: w.Project, Kind: w.Kind, Of: w.Of, Manual: w.ManualSync, Begins: o.begins.UTC(), Ends: o.ends.UTC(),
				}
			}
		}
		if first != nil {
			out = append(out, *first)
		}
	}
	SortWindows(out, now)
	return out
}

// SortWindows puts the window that changes next first.
func SortWindows(all []incident.DigestWindow, now time.Time) {
	slices.SortStableFunc(all, func(a, b incident.DigestWindow) int {
		return cmp.Or(next(a, now).Compare(next(b, now)), strings.Compare(a.Instance, b.Instance), strings.Compare(a.Project, b.Project))
	})
}

// next is when the window changes next.
func next(w incident.DigestWindow, now time.Time) time.Time {
	if w.Begins.After(now) {
		return w.Begins
	}
	return w.Ends
}

type opening struct{ begins, ends time.Time }

// openings are when a window is open between two times, those that follow each other without a gap as one. The schedule is read as Argo CD does
// (SyncWindows.Active in its types), also when the clocks change.
func openings(w evidence.SyncWindow, from, until time.Time) (all []opening) {
	zone, err := time.LoadLocation(cmp.Or(w.TimeZone, "UTC"))
	if err != nil || strings.Contains(w.Schedule, "TZ=") { // the parser panics on half of one
		return nil
	}
	schedule, err := cron.ParseStandard(w.Schedule)
	if err != nil {
		return nil
	}
	length, err := time.ParseDuration(w.Duration)
	if err != nil || length <= 0 {
		return nil
	}
	at := from.In(zone).Add(-length)
	for range maxOpenings {
		if at = schedule.Next(at); at.IsZero() || at.After(until) {
			return all
		}
		if n := len(all); n > 0 && !at.After(all[n-1].ends) {
			all[n-1].ends = at.Add(length)
			continue
		}
		all = append(all, opening{at, at.Add(length)})
	}
	return nil // one that is open for as long never changes
}
