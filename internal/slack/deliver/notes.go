package deliver

import (
	"context"
	"errors"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/remedy"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// Notes tells what becomes of actions: in the thread of the incident that they were asked for in, through its keeper and so
// once, else beneath the answer that they were asked for under.
type Notes struct {
	Keeper *incident.Keeper
	Sender *Sender
	// LookAt has an application looked at soon.
	LookAt func(incident.App)
}

var _ remedy.Teller = Notes{}

// Tell implements remedy.Teller.
func (n Notes) Tell(ctx context.Context, r *remedy.Record, note remedy.Note) error {
	err := n.Keeper.Note(ctx, r, note)
	if errors.Is(err, incident.ErrNotFound) { // there is none, or it is forgotten
		return n.beneath(ctx, r, note)
	}
	return err
}

// beneath posts a note into a thread that no incident is told in. Nobody remembers that it was posted: after a crash right
// then it is posted again.
func (n Notes) beneath(ctx context.Context, r *remedy.Record, note remedy.Note) error {
	if r.Place.Channel == "" {
		return nil // there is no place: the action log and the event tell of it
	}
	_, err := n.Sender.Answer(ctx, r.Place.Channel, r.Place.Thread, render.Acted(r, note, n.Sender.links))
	refused, ok := errors.AsType[*incident.TellError](err)
	if ok && (refused.Permanent || isGone(err)) && (note.Log == "" || r.State.Over()) {
		return nil // nothing repairs that but a person, who would be told what is long over; but a log has to be saved first
	}
	return err
}

// Show implements remedy.Teller.
func (n Notes) Show(r *remedy.Record) { n.Keeper.Show(r) }

// Mute implements remedy.Teller.
func (n Notes) Mute(app incident.App, by remedy.Person, until time.Time) bool {
	return n.Keeper.Mute(app, by, until)
}

// Look implements remedy.Teller.
func (n Notes) Look(app incident.App) { n.LookAt(app) }

// Redraw implements remedy.Teller.
func (n Notes) Redraw(instance string) { n.Keeper.Redraw(instance) }
