package incident

import (
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
)

// How often an open incident is looked at while something is under way in it, so that the root message follows even where
// the watch tells nothing. An operation that runs for long has become a matter of waiting: many that hang must not keep
// Argo CD busy.
const (
	followEvery     = 5 * time.Second
	followLongEvery = 30 * time.Second
	followClosely   = 10 * time.Minute
)

// follow takes over how far a running operation is.
func (i *Incident) follow(seen Seen, now time.Time) {
	if i.Phase != Open {
		return
	}
	progress := ""
	if seen.Report != nil {
		progress = seen.Report.Progress
	}
	if progress != i.Progress {
		i.Progress, i.Changed = progress, now
	}
}

// again is when to look at the latest at what was to be looked at in that time (0: not at all).
func (i *Incident) again(planned time.Duration, seen Seen, now time.Time) time.Duration {
	if i.Phase != Open {
		return planned
	}
	if i.Muted != nil {
		planned = sooner(planned, i.Muted.Until.Sub(now))
	}
	if i.Muted != nil && i.Silenced() == nil && !i.Outage() {
		planned = sooner(planned, max(time.Second, otherLasts-now.Sub(i.otherSince())))
	}
	switch {
	case i.acting():
		planned = sooner(planned, followEvery)
	case i.Progress != "" && seen.Report != nil && now.Sub(seen.Report.Context.Since) > followClosely:
		planned = sooner(planned, followLongEvery)
	case i.Progress != "":
		planned = sooner(planned, followEvery)
	}
	return planned
}

// acting reports whether an action is being done. One that waits for approval changes nothing yet.
func (i *Incident) acting() bool {
	for _, r := range i.Actions {
		if !r.State.Over() && r.State != action.Waiting {
			return true
		}
	}
	return false
}

// sooner is the shorter of two times to wait, where none is no time at all.
func sooner(a, b time.Duration) time.Duration {
	if a <= 0 || b < a {
		return b
	}
	return a
}

// overdueBeside reports whether what is seen is only that an operation takes long, while the incident is about something else: it may well
// be the repair.
func (d *deciding) overdueBeside() bool {
	return d.is(Open) && moving(d.seen) && d.cause.Rule != "" && !sameKey(d.next.Cause.Key, d.cause.Key)
}

// withoutHooks reports whether a failed hook is out of sight only because a sync that runs none has succeeded since.
func (d *deciding) withoutHooks() bool {
	return d.is(Open) && diagnose.GroupHook.Has(d.next.Cause.Rule) && d.cause.Rule == "" && d.seen.Report != nil && d.seen.Report.Context.HooksSkipped
}

// onlyTried reports whether a failed sync is out of sight only because Argo CD writes a dry run down in its place: somebody
// tried whether a sync would work, and nothing has changed. That it differs from Git was so before. Whether it is well Argo CD
// says of the revision that failed only where nobody has committed another since.
func (d *deciding) onlyTried() bool {
	if !d.is(Open) || d.seen.Report == nil || d.next.Report == nil {
		return false
	}
	was, now := d.next.Report.Context, d.seen.Report.Context
	if !now.DryRun || now.Phase != "" {
		return false
	}
	if !diagnose.DuringSync.Has(d.next.Cause.Rule) {
		return false
	}
	return d.cause.Rule == "" && was.Revision == now.Revision || diagnose.GroupDrift.Has(d.cause.Rule)
}
