package incident

import "time"

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

// Begun is when the present failure began.
func (i *Incident) Begun() time.Time {
	first := i.Since
	if !i.ReopenedAt.IsZero() {
		first = i.ReopenedAt
	}
	return first
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
