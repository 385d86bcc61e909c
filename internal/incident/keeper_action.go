package incident

import (
	"context"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/remedy"
)

// Show brings an action as it is now into its incident, if there is one, and returns at once: see [Book.Show].
func (k *Keeper) Show(r *remedy.Record) { k.Touch(k.Book.Show(r, time.Now())...) }

// Note tells a note of an action in the thread of the incident that it was asked for in, once, and returns when it stands
// there. The error is that of the context, or ErrNotFound when there is no such incident (any more).
func (k *Keeper) Note(ctx context.Context, r *remedy.Record, n remedy.Note) error {
	touched, ok := k.Book.Note(r, n, time.Now())
	k.Touch(touched...)
	if !ok {
		return fmt.Errorf("tell of %s in incident %q: %w", r.ID, r.Place.Incident, ErrNotFound)
	}
	for {
		told, known, news := k.Book.Told(r, n)
		switch {
		case told:
			return nil
		case !known:
			return fmt.Errorf("wait for note %d of %s in incident %q: %w", n.Number, r.ID, r.Place.Incident, ErrNotFound)
		}
		select {
		case <-news:
		case <-ctx.Done():
			return fmt.Errorf("wait for note %d of %s in incident %q: %w", n.Number, r.ID, r.Place.Incident, ctx.Err())
		}
	}
}

// Mute silences the open incident of an application until then, or ends that (until is zero). It is false when there is none.
func (k *Keeper) Mute(app App, by remedy.Person, until time.Time) bool {
	touched, ok := k.Book.Mute(app, by, until, time.Now())
	k.Touch(touched...)
	return ok
}

// Redraw has the open incidents of an Argo CD told again: see [Book.Redraw].
func (k *Keeper) Redraw(instance string) { k.Touch(k.Book.Redraw(instance)...) }
