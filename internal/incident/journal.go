package incident

import (
	"context"
	"errors"
)

// Journal remembers incidents across restarts. internal/kube keeps them as Incident custom resources, internal/incident/bolt
// in a file; journaltest is what both must do. It is safe for parallel use.
type Journal interface {
	// List returns all entries that can be read, ordered by ID. Those that cannot are left as they are, and the error is a Damaged that
	// names them: one must not keep the bot from all the rest.
	List(ctx context.Context) ([]*Incident, error)
	// Get returns the entry, or an error that is ErrNotFound.
	Get(ctx context.Context, id string) (*Incident, error)
	// Put creates the entry if its Version is "", else replaces it, and sets Version to that of the new state, and Size. If somebody
	// else was faster (the entry exists already, is gone, or has another version) nothing is changed and the error is
	// ErrConflict.
	Put(ctx context.Context, i *Incident) error
	// Delete removes the entry if it is still the version that was read, otherwise ErrConflict. Deleting one that no longer exists is not an error.
	Delete(ctx context.Context, i *Incident) error
}

var (
	// ErrNotFound: the journal has no such entry.
	ErrNotFound = errors.New("no such incident")
	// ErrConflict: the entry is not what it was when it was read.
	ErrConflict = errors.New("the incident was changed in the meantime")
)
