package incident

import (
	"slices"
	"time"
)

// Argo CD dates what it reports, and its dates are the true ones: we may look hours later. A date in the future is that of a clock that is
// ahead of ours, and of no use.

// since is when Argo CD says that it began to fail, else now.
func since(seen Seen, now time.Time) time.Time {
	if at := dated(seen, now); !at.IsZero() {
		return at
	}
	return now
}

// dated is when Argo CD says that it began to fail; zero where it does not.
func dated(seen Seen, now time.Time) time.Time {
	c := seen.Report.Context
	for _, at := range []time.Time{c.CauseSince, c.Since} {
		if !at.IsZero() && at.Before(now) {
			return at
		}
	}
	return time.Time{}
}

// began takes in an earlier date of a failure that lasts. A later one is that of its newest attempt. What came back is dated since then.
func (i *Incident) began(at time.Time) {
	if at.IsZero() || !at.Before(i.Since) || !i.ReopenedAt.IsZero() {
		return
	}
	if m := &i.Members[0]; m.Since.Equal(i.Since) { // it has failed of one cause
		m.Since = at
	}
	i.Since = at
}

// Begun is when the present failure began.
func (i *Incident) Begun() time.Time {
	first := i.Since
	if !i.ReopenedAt.IsZero() {
		first = i.ReopenedAt
	}
	return first
}

// Lasted is how long the present failure had lasted at a time: that of the applications where any failed, and not that of a connection which failed
// before them.
func (i *Incident) Lasted(at time.Time) time.Duration {
	from := i.Begun()
	if len(i.Connections) == 0 || len(i.Members) == 0 || i.OnlyDisconnected() || i.ConnectedLast() {
		return max(0, at.Sub(from))
	}
	first := slices.MinFunc(i.Members, func(x, y Member) int { return x.Since.Compare(y.Since) })
	if well := i.allWell(); !well.IsZero() && well.Before(at) {
		at = well
	}
	return max(0, at.Sub(later(from, first.Since)))
}

// aloneFor is how long a connection must have failed alone for its end to be what people wait for.
const aloneFor = 10 * time.Minute

// ConnectedLast reports whether a connection that works again failed alone in the end: the applications had been well, or had left, for a while.
func (i *Incident) ConnectedLast() bool {
	var connected time.Time
	for _, c := range i.Connections {
		if c.Well.IsZero() {
			return false
		}
		if !c.left() {
			connected = later(connected, c.Well)
		}
	}
	well := i.allWell()
	return !well.IsZero() && connected.Sub(well) >= aloneFor
}

// allWell is since when no member fails; zero while one does, and where there is none.
func (i *Incident) allWell() (well time.Time) {
	for _, m := range i.Members {
		if m.Well.IsZero() {
			return time.Time{}
		}
		well = later(well, m.Well)
	}
	return well
}

// wellSince is when Argo CD says that an application became well that we first saw to be so at that time. It is no earlier than the
// failure, nor than we last saw it fail: what Argo CD dates may not be what was wrong.
func (i *Incident) wellSince(seen Seen, first time.Time) time.Time {
	if seen.Report == nil || seen.Report.Well == nil {
		return first
	}
	at := seen.Report.Well.Since
	if sync := seen.Report.Well.Sync; sync != nil {
		at = later(at, sync.Finished)
	}
	if at.After(i.Begun()) && at.After(i.LastFailing) && at.Before(first) {
		return at
	}
	return first
}
