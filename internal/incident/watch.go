package incident

import (
	"context"
	"fmt"
	"time"
)

// watch is what is known of how an Argo CD is watched. Its entry in the journal says until when it was: what fails already when
// the bot looks for the first time after that is listed, if that was long ago, and told one by one, if it was not.
type watch struct {
	// entry is the ID of the entry in the journal; "" while there is none.
	entry string
	// begun: somebody has looked since the start. quiet: nobody had for long, so that what fails already is listed.
	begun, quiet bool
	// looked is when all applications had been listed for the first time; unread are those that were not well then and were not
	// read yet, read those that were read before.
	looked       time.Time
	unread, read map[App]bool
}

const (
	// watchEvery is how often to see whether a list is complete.
	watchEvery = 5 * time.Second
	// listWithin is how long a list waits for all to be read: what comes later is added to it.
	listWithin = time.Minute
	// readWithin is how long it may take to read all. What cannot be read in that time does not keep the bot from remembering that
	// it watched.
	readWithin = 10 * time.Minute
	// rememberEvery is how often the journal is told that the bot is watching.
	rememberEvery = 5 * time.Minute
)

// watched is how an Argo CD is watched, from the first look at it on.
func (s *Store) watched(instance string, now time.Time) *watch {
	w := s.watches[instance]
	if w == nil {
		w = &watch{}
		s.watches[instance] = w
	}
	if !w.begun {
		w.begun, w.quiet, w.read = true, s.policy.QuietAfter > 0, map[App]bool{}
		if e := s.entries[w.entry]; e != nil && now.Sub(e.Watched) <= s.policy.QuietAfter {
			w.quiet = false
		}
	}
	return w
}

// FirstLook takes in which applications of an Argo CD are not well when they are all listed for the first time: unless it was watched
// until not long ago, they failed already.
func (s *Store) FirstLook(instance string, unwell []App, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.watched(instance, now)
	if !w.looked.IsZero() {
		return
	}
	w.looked, w.unread = now, map[App]bool{}
	for _, app := range unwell {
		if w.quiet && !w.read[app] {
			w.unread[app] = true
		}
	}
	w.read = nil
}

// alreadyFailed reports whether the application failed before the bot began to watch its Argo CD. What Argo CD says has begun so
// lately that nobody would have been told yet is about to begin.
func (o *observation) alreadyFailed() bool {
	w := o.watched(o.seen.App.Instance, o.now)
	first := w.quiet && (w.looked.IsZero() || w.unread[o.seen.App]) || o.relist[o.seen.App]
	delete(w.unread, o.seen.App)
	delete(o.relist, o.seen.App)
	if w.looked.IsZero() {
		w.read[o.seen.App] = true
	}
	cause := CauseOf(o.seen.Report)
	if !first || cause.Rule == "" || o.policy.Ignored(cause.Rule) || o.openOf(o.seen.App) != nil {
		return false
	}
	began := dated(o.seen, o.now)
	return began.IsZero() || o.now.Sub(began) >= o.policy.OpenAfter(cause.Rule)
}

// KeepWatch posts the lists of what failed already once they are complete, and remembers that the bot is watching. A list goes on
// record first: else a crash in between would have all that is on it told one by one. It returns what is to be saved and told.
func (s *Store) KeepWatch(now time.Time) (touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	complete, recorded := s.allRead() && len(s.relist) == 0, true
	for id, e := range s.entries {
		if !e.Backlog() || e.dropped {
			continue
		}
		if e.Phase == Pending && (complete || now.Sub(e.Seen) >= listWithin) {
			e.Phase, e.OpenedAt, e.NudgedAt, e.Changed = Open, now, now, now
			e.generation++
			touched = append(touched, id)
		}
		recorded = recorded && e.onRecord != nil && e.saved >= e.generation
	}
	if !recorded {
		return touched
	}
	for instance, w := range s.watches {
		if w.looked.IsZero() || len(w.unread) > 0 && now.Sub(w.looked) < readWithin {
			continue
		}
		if id, ok := s.remember(instance, w, now); ok {
			touched = append(touched, id)
		}
	}
	return touched
}

// allRead reports whether all that failed already is known.
func (s *Store) allRead() bool {
	for _, w := range s.watches {
		if w.quiet && (w.looked.IsZero() || len(w.unread) > 0) {
			return false
		}
	}
	return true
}

// remember notes that an Argo CD is being watched, if the journal does not say so for the last few minutes.
func (s *Store) remember(instance string, w *watch, now time.Time) (id string, ok bool) {
	if s.policy.QuietAfter <= 0 {
		return "", false
	}
	e := s.entries[w.entry]
	if e == nil {
		w.entry = name("watch-"+instance, "watch "+instance)
		for n := 2; s.taken[w.entry]; n++ { // which says nothing that a person would want back
			w.entry = name("watch-"+instance, fmt.Sprint("watch ", instance, n))
		}
		cause := Cause{Rule: "watching", Key: "watching", Subject: instance}
		e = &entry{Incident: &Incident{ID: w.entry, Phase: Watching, Cause: cause, Since: now, Seen: now}}
		s.entries[w.entry] = e
	} else if now.Sub(e.Watched) < rememberEvery {
		return "", false
	}
	if now.Sub(e.Watched) > s.policy.QuietAfter {
		e.Since = now // nobody knows what happened meanwhile
	}
	e.Watched = now
	e.generation++
	return w.entry, true
}

// keepWatch has the lists and the remainders posted, and the journal remember that the bot is watching, until the context ends.
func (s *Syncer) keepWatch(ctx context.Context) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			s.Touch(s.Store.KeepWatch(time.Now())...)
			s.Touch(s.Store.CountRemainders(time.Now())...)
			s.giveUpDigests(time.Now())
		case <-ctx.Done():
			return
		}
	}
}
