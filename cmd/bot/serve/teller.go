package serve

import (
	"context"
	"errors"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/remedy"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// teller brings what happens to an action to where it was asked for: into the thread of an incident, through the book and its
// journal, or beneath an answer.
type teller struct {
	book      *incident.Book
	keeper    *incident.Keeper
	sender    *deliver.Sender
	links     render.Links
	instances []*instance
}

var _ remedy.Teller = (*teller)(nil)

// Tell implements remedy.Teller.
func (t *teller) Tell(ctx context.Context, r *remedy.Record, n remedy.Note) error {
	number, touched, ok := t.book.Note(r, n, time.Now())
	if !ok { // asked for beneath an answer, or the incident is forgotten
		return t.beneath(ctx, r, n)
	}
	t.keeper.Touch(touched...)
	return t.keeper.Await(ctx, r.Place.Incident, number)
}

// beneath posts a note into a thread that no incident is told in. Nobody remembers that it was posted: after a crash right
// then it is posted again.
func (t *teller) beneath(ctx context.Context, r *remedy.Record, n remedy.Note) error {
	if r.Place.Channel == "" {
		return nil // there is no place: the action log and the event tell of it
	}
	_, err := t.sender.Answer(ctx, r.Place.Channel, r.Place.Thread, render.Acted(r, n, t.links))
	var refused *incident.TellError
	if errors.As(err, &refused) && refused.Permanent { // nothing repairs that but a person, who would be told what is long over
		return nil
	}
	return err
}

// Show implements remedy.Teller.
func (t *teller) Show(r *remedy.Record) { t.keeper.Touch(t.book.Show(r, time.Now())...) }

// Mute implements remedy.Teller.
func (t *teller) Mute(app remedy.App, by remedy.Person, until time.Time) bool {
	touched, ok := t.book.Mute(app, by, until, time.Now())
	t.keeper.Touch(touched...)
	return ok
}

// Look implements remedy.Teller.
func (t *teller) Look(app remedy.App) {
	for _, in := range t.instances {
		if in.name == app.Instance {
			in.reconciler.Add(app)
		}
	}
}

// Redraw implements remedy.Teller.
func (t *teller) Redraw(instance string) { t.keeper.Touch(t.book.Redraw(instance)...) }
