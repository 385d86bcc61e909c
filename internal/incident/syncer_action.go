package incident

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// Show brings an action as it is now into its incident, if there is one, and returns at once: see [Store.Show].
func (s *Syncer) Show(r *action.Record) { s.Touch(s.Store.Show(r, time.Now())...) }

// Note tells a note of an action in the thread of the incident that it was asked for in, once, and returns when it stands
// there. The error is that of the context, or ErrNotFound when there is no such incident (any more).
func (s *Syncer) Note(ctx context.Context, r *action.Record, n action.Note) error {
	touched, ok := s.Store.Note(r, n, time.Now())
	s.Touch(touched...)
	if !ok {
		return fmt.Errorf("post %s in incident %q: %w", r.ID, r.Place.Incident, ErrNotFound)
	}
	ended := s.life()
	for {
		told, known, news := s.Store.Told(r, n)
		switch {
		case told:
			return nil
		case !known:
			return fmt.Errorf("wait for note %d of %s in incident %q: %w", n.Number, r.ID, r.Place.Incident, ErrNotFound)
		}
		select {
		case <-news:
		case <-ended.Done():
			return fmt.Errorf("wait for note %d of %s in incident %q: %w", n.Number, r.ID, r.Place.Incident, errEnded)
		case <-ctx.Done():
			return fmt.Errorf("wait for note %d of %s in incident %q: %w", n.Number, r.ID, r.Place.Incident, ctx.Err())
		}
	}
}

// errEnded: what is not told by now is told by whoever comes next.
var errEnded = errors.New("posting has ended")

// life is the context that posting has, or had.
func (s *Syncer) life() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx == nil { // it has not begun
		return context.Background()
	}
	return s.ctx
}

// Mute silences the open incident of an application until then, or ends that (until is zero). It is false when there is none.
func (s *Syncer) Mute(app App, by action.Person, until time.Time) bool {
	touched, ok := s.Store.Mute(app, by, until, time.Now())
	s.Touch(touched...)
	return ok
}

// Redraw has the open incidents of an Argo CD told again: see [Store.Redraw].
func (s *Syncer) Redraw(instance string) { s.Touch(s.Store.Redraw(instance)...) }
