package argo

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// completeTimeout is for all applications, completely: argocd-server sends about 5,000 in a second.
	completeTimeout = 5 * time.Minute
	// manyMissed is how many changes may have escaped the stream before all applications are read completely, in place of one at a time by
	// whoever learns that they changed.
	manyMissed = 200
)

// cannotBeShort ends a session that needs Argo CD's HTTP API, which cannot be used.
type cannotBeShort struct{ reason error }

func (e *cannotBeShort) Error() string { return e.reason.Error() }
func (e *cannotBeShort) Unwrap() error { return e.reason }

var errDeaf = errors.New("its stream says nothing of what changes")

// session is a stream and the lists beside it, which find what it does not say.
type session struct {
	*follower
	whole error // why whole applications are followed; nil: with fields left out

	changes chan Change
	ended   chan error
	heard   bool // something came on the stream
	stood   bool

	// What is under way beside the stream: a list, then perhaps a complete reading.
	lists     chan listed
	states    chan AppState
	completed chan error
	listed    []AppState
	expected  map[appKey]bool // not read completely so far; nil: unknown
	gone      []appKey        // known and not listed
	// touched is what the stream told meanwhile, which is newer. nil while nothing is under way.
	touched map[appKey]bool
	// missed is what a list found and the stream has not told since.
	missed map[appKey]bool
	burst  bursts
}

type listed struct {
	states []AppState
	err    error
}

// newSession opens the stream and lists all applications. The stream is opened first, so that no change falls between the two. (Argo CD
// does not say when it has subscribed: should the list overtake that, the next list finds what changed in this moment.)
func (f *follower) newSession(ctx context.Context, whole error) (stood bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{follower: f, whole: whole, changes: make(chan Change, waiting), ended: make(chan error, 1), missed: map[appKey]bool{}}
	go func() {
		tell := func(state AppState, deleted bool) {
			select {
			case s.changes <- Change{State: state, Deleted: deleted}:
			case <-ctx.Done():
			}
		}
		if whole != nil {
			s.ended <- f.client.watchWhole(ctx, fromNow, tell)
		} else {
			s.ended <- f.client.watchShort(ctx, tell)
		}
	}()
	s.list(ctx)
	return s.run(ctx)
}

func (s *session) run(ctx context.Context) (stood bool, err error) {
	relist := time.NewTicker(jitter(s.Relist))
	defer relist.Stop()
	for {
		again := false
		select {
		case change := <-s.changes:
			s.told(change)
		case err := <-s.ended:
			return s.stood, s.end(err)
		case l := <-s.lists:
			err = s.compare(ctx, l)
		case state := <-s.states:
			s.found(state)
		case err = <-s.completed:
			err = s.complete(ctx, err)
		case <-s.burst.over:
			s.burst.over = nil
			if s.touched == nil {
				s.list(ctx)
			} else { // what is under way may be older than the burst
				s.burst.wait()
			}
		case <-relist.C:
			again, err = s.again(ctx)
		}
		if err != nil || again {
			return s.stood, err
		}
	}
}

// told takes what the stream says.
func (s *session) told(change Change) {
	key := keyOf(&change.State)
	s.heard = true
	delete(s.missed, key)
	if s.touched != nil {
		s.touched[key] = true
	}
	if s.take(change) {
		s.burst.count()
	}
}

// end is why the session ends with its stream, after what that still said.
func (s *session) end(err error) error {
	for len(s.changes) > 0 {
		s.told(<-s.changes)
	}
	if s.whole == nil && (!s.stood || errors.Is(err, errNotTheAPI)) {
		return &cannotBeShort{err}
	}
	return err
}

// again lists again, or has the session begin again: to try the HTTP API once more, or because the stream does not say what changes.
func (s *session) again(ctx context.Context) (restart bool, err error) {
	switch {
	case s.whole != nil:
		return true, nil //nolint:nilerr // it is the reason for this kind of session, not its failure
	case len(s.missed) > 0 && !s.heard:
		return false, &cannotBeShort{errDeaf}
	case len(s.missed) > 0:
		return true, nil
	case s.touched == nil: // else the last one is not through
		s.list(ctx)
	}
	return false, nil
}

// list begins to list all applications.
func (s *session) list(ctx context.Context) {
	lists := make(chan listed, 1)
	s.lists, s.touched = lists, map[appKey]bool{}
	go func() {
		ctx, cancel := context.WithTimeout(ctx, listTimeout)
		defer cancel()
		read := s.client.listShort
		if s.whole != nil {
			read = s.client.listWhole
		}
		states, err := read(ctx)
		lists <- listed{states, err}
	}()
}

// compare takes a list. The first one, and one that differs in much, leads to a complete reading.
func (s *session) compare(ctx context.Context, l listed) error {
	s.lists, s.listed = nil, l.states
	switch {
	case isTooLarge(l.err):
		s.expected = nil
		s.readAll(ctx)
		return nil
	case l.err != nil && s.whole != nil:
		return l.err
	case l.err != nil:
		return &cannotBeShort{l.err}
	}
	s.expected = make(map[appKey]bool, len(l.states))
	differing := 0
	for i := range l.states {
		key := keyOf(&l.states[i])
		s.expected[key] = true
		if s.known[key].outline != l.states[i].outline && !s.touched[key] {
			differing++
		}
	}
	for key := range s.known {
		if !s.expected[key] {
			s.gone = append(s.gone, key)
		}
	}
	if s.whole == nil && (!s.read || differing > manyMissed) {
		s.readAll(ctx)
		return nil
	}
	s.takeListed()
	s.through()
	return nil
}

// takeListed takes what was listed and not read completely.
func (s *session) takeListed() {
	for i := range s.listed {
		if s.expected[keyOf(&s.listed[i])] {
			s.catchUp(Change{State: s.listed[i]})
		}
	}
}

// readAll begins to read all applications completely.
func (s *session) readAll(ctx context.Context) {
	states, completed := make(chan AppState), make(chan error, 1)
	s.states, s.completed = states, completed
	if s.expected == nil {
		s.listed = nil
	}
	expected := s.expected
	go func() {
		ctx, cancel := context.WithTimeout(ctx, completeTimeout)
		defer cancel()
		completed <- s.client.complete(ctx, expected, func(state AppState) {
			select {
			case states <- state:
			case <-ctx.Done():
			}
		})
	}()
}

// found takes one application of a complete reading.
func (s *session) found(state AppState) {
	if s.expected == nil { // nobody could list them: this is the list
		s.listed = append(s.listed, AppState{Namespace: state.Namespace, Name: state.Name})
	}
	s.catchUp(Change{State: state})
}

// catchUp takes what the stream did not tell, unless it has told something newer by now.
func (s *session) catchUp(change Change) {
	key := keyOf(&change.State)
	if !s.touched[key] && s.take(change) && s.stood {
		s.missed[key] = true
	}
}

// complete ends a complete reading. What was listed and did not come is taken as it was listed.
func (s *session) complete(ctx context.Context, err error) error {
	s.states, s.completed = nil, nil
	if err != nil {
		return err
	}
	if s.expected != nil {
		s.takeListed()
	} else if err := s.findMissing(ctx); err != nil {
		return err
	}
	s.through()
	return nil
}

// findMissing asks for each known application that did not come: that all were sent is a guess.
func (s *session) findMissing(ctx context.Context) error {
	came := make(map[appKey]bool, len(s.listed))
	for i := range s.listed {
		came[keyOf(&s.listed[i])] = true
	}
	for key := range s.known {
		if came[key] || s.touched[key] {
			continue
		}
		there, err := s.client.exists(ctx, key)
		if err != nil {
			return fmt.Errorf("look for %s: %w", key.name, err)
		}
		if !there {
			s.gone = append(s.gone, key)
		}
	}
	return nil
}

// through ends a look at all applications.
func (s *session) through() {
	for _, key := range s.gone {
		s.catchUp(Change{State: AppState{Namespace: key.namespace, Name: key.name}, Deleted: true})
	}
	s.listed, s.expected, s.gone, s.touched = nil, nil, nil, nil
	s.stood, s.read = true, true
	s.standing(s.whole)
}
