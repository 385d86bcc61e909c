package deliver

import (
	"context"
	"errors"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// Notes posts what becomes of actions: in the thread of the incident that they were asked for in, through the Syncer and so
// once; otherwise beneath the answer that had their button.
type Notes struct {
	Syncer  *incident.Syncer
	Threads *Threads
}

// Notify implements remedy.Notifier. Before it is told what became of a request for approval its buttons go, so that nobody clicks what
// is over: the thread may have to wait for its turn, an edit does not.
func (n Notes) Notify(ctx context.Context, r *action.Record, note action.Note) error {
	if r.Settles(note) {
		if err := n.Threads.settle(ctx, r, n.Syncer.Store.ThreadOf(r.Place.Incident)); err != nil {
			return err
		}
	}
	err := n.Syncer.Note(ctx, r, note)
	if errors.Is(err, incident.ErrNotFound) { // there is none, or it is forgotten
		return n.beneath(ctx, r, note)
	}
	return err
}

// beneath posts a note into a thread that no incident is told in. Nobody remembers that it was posted: after a crash right
// then it is posted again.
func (n Notes) beneath(ctx context.Context, r *action.Record, note action.Note) error {
	if r.Place.Channel == "" {
		return nil // there is no place: the action log and the event tell of it
	}
	key := n.Threads.key.In(r.Place.Channel).Under(r.Place.Thread).Once(time.Now())
	_, err := n.Threads.Answer(ctx, r.Place.Channel, r.Place.Thread, render.ActionNote(posted.NoteTo(n.Threads.readers(ctx, r.Place.Channel), r, note), key))
	refused, ok := errors.AsType[*incident.NotifyError](err)
	if ok && (refused.Permanent || isGone(err)) && (note.Log == "" || r.State.Over()) {
		return nil // nothing repairs that but a person, who would be told what is long over; but a log has to be saved first
	}
	return err
}

// Show implements remedy.Notifier.
func (n Notes) Show(r *action.Record) { n.Syncer.Show(r) }

// Redraw implements remedy.Notifier.
func (n Notes) Redraw(instance string) { n.Syncer.Redraw(instance) }
