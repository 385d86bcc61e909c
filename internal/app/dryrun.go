package app

import (
	"context"
	"errors"

	"github.com/argo-why/argo-why/internal/incident"
)

// snapshot is the journal of a dry run: what the real one held at the start. What is put into it is forgotten.
type snapshot struct {
	held    []*incident.Incident
	damaged error
}

// readOnly is a journal of which this was read: with an error that is [incident.Damaged] what could be, with any other nothing.
func readOnly(held []*incident.Incident, err error) (journals, error) {
	if _, partly := errors.AsType[incident.Damaged](err); err != nil && !partly {
		return journals{}, err
	}
	return journals{incidents: snapshot{held, err}, close: func() error { return nil }}, nil
}

// List implements incident.Journal.
func (s snapshot) List(context.Context) ([]*incident.Incident, error) { return s.held, s.damaged }

// Get implements incident.Journal.
func (s snapshot) Get(context.Context, string) (*incident.Incident, error) {
	return nil, incident.ErrNotFound
}

// Put implements incident.Journal.
func (s snapshot) Put(_ context.Context, i *incident.Incident) error {
	i.Version = "dry run"
	return nil
}

// Delete implements incident.Journal.
func (s snapshot) Delete(context.Context, *incident.Incident) error { return nil }
