package incident

import (
	"slices"
	"time"
)

// Outlook is what of a digest is no failure: what the sync windows bring within a day, and the hooks that can keep a sync from ending. It was read
// from Argo CD when the digest was made.
type Outlook struct {
	// At is when it was read, Until how far it looks.
	At    time.Time `json:"at"`
	Until time.Time `json:"until"`
	// Windows are the sync windows that begin or end in between, the next first.
	Windows []DigestWindow `json:"windows,omitempty"`
	// Hooks are those without a deadline or a delete policy that exist in a cluster.
	Hooks []DigestHook `json:"hooks,omitempty"`
	// Left is how many of them are left out, in the journal.
	Left OutlookLeft `json:"left,omitzero"`
	// HooksLeft is how many hooks nobody looked at.
	HooksLeft int `json:"hooksLeft,omitempty"`
	// Unread is what could not be read, and of which Argo CD: "sync windows of prod".
	Unread []string `json:"unread,omitempty"`
}

// OutlookLeft counts what the lists of an outlook leave out.
type OutlookLeft struct {
	Windows        int `json:"windows,omitempty"`
	NoDeadline     int `json:"noDeadline,omitempty"`
	NoDeletePolicy int `json:"noDeletePolicy,omitempty"`
}

// DigestWindow is when a sync window of a project is open.
type DigestWindow struct {
	Instance string `json:"instance"`
	Project  string `json:"project"`
	// Kind is allow or deny. Of is what of the project it is for, such as "applications web-*"; "" is all.
	Kind string `json:"kind"`
	Of   string `json:"of,omitempty"`
	// Manual: it blocks no syncs that somebody starts.
	Manual bool `json:"manual,omitempty"`
	// Begins and Ends are those of the first that begins or ends in the time looked at, More how many others there are.
	Begins time.Time `json:"begins"`
	Ends   time.Time `json:"ends"`
	More   int       `json:"more,omitempty"`
}

// DigestHook is a hook of an application's last sync.
type DigestHook struct {
	App            App    `json:"app"`
	Kind           string `json:"kind"`
	Name           string `json:"name"`
	NoDeadline     bool   `json:"noDeadline,omitempty"`
	NoDeletePolicy bool   `json:"noDeletePolicy,omitempty"`
}

// short is an outlook as the journal keeps it.
func (o *Outlook) short() *Outlook {
	if o == nil {
		return nil
	}
	out := *o
	out.Windows, out.Left.Windows = firstOf(o.Windows, o.Left.Windows)
	out.Hooks, _ = firstOf(o.Hooks, 0)
	for _, h := range o.Hooks[len(out.Hooks):] {
		if h.NoDeadline {
			out.Left.NoDeadline++
		}
		if h.NoDeletePolicy {
			out.Left.NoDeletePolicy++
		}
	}
	return &out
}

// And is what two outlooks say together, without the windows that have ended since. Either may be nil.
func (o *Outlook) And(other *Outlook, now time.Time) *Outlook {
	var all *Outlook
	for _, one := range []*Outlook{o, other} {
		switch {
		case one == nil:
			continue
		case all == nil:
			all = &Outlook{At: one.At, Until: one.Until}
		case one.At.Before(all.At): // as old as its oldest part
			all.At, all.Until = one.At, one.Until
		}
		for _, w := range one.Windows {
			if w.Ends.After(now) && !slices.Contains(all.Windows, w) {
				all.Windows = append(all.Windows, w)
			}
		}
		for _, h := range one.Hooks {
			if !slices.Contains(all.Hooks, h) {
				all.Hooks = append(all.Hooks, h)
			}
		}
		for _, u := range one.Unread {
			if !slices.Contains(all.Unread, u) {
				all.Unread = append(all.Unread, u)
			}
		}
		all.HooksLeft = max(all.HooksLeft, one.HooksLeft)
		all.Left.Windows = max(all.Left.Windows, one.Left.Windows) // those of a project are in several channels
		all.Left.NoDeadline += one.Left.NoDeadline
		all.Left.NoDeletePolicy += one.Left.NoDeletePolicy
	}
	return all
}
