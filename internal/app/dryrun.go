package app

import (
	"context"

	"github.com/argo-why/argo-why/internal/incident"
)

// snapshot is the journal of a dry run: what the real one held at the start. What is put into it is forgotten.
type snapshot []*incident.Incident

func readOnly(held []*incident.Incident) journals {
	return journals{incidents: snapshot(held), close: func() error { return nil }}
}

// List implements incident.Journal.
func (s snapshot) List(context.Context) ([]*incident.Incident, error) { return s, nil }

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
