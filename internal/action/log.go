package action

import (
	"context"
	"slices"
	"time"
)

// Log is the ActionLog of one application: all that was ever asked for, as far as it is remembered: the newest last.
type Log struct {
	App     App       `json:"app"`
	Records []*Record `json:"records"`
	// Version is the journal's own mark of this state, for optimistic concurrency; "" for one that it does not hold.
	Version string `json:"-"`
	// Size is how many bytes the journal has of it, as it was read or put last.
	Size int `json:"-"`
}

// How many records a Log keeps, and how long.
const (
	keepRecords = 100
	keepFor     = 90 * 24 * time.Hour
)

// Record is the one of that ID; nil when there is none.
func (l *Log) Record(id string) *Record {
	return l.Find(func(r *Record) bool { return r.ID == id })
}

// ByClick is the record that a click has made; nil when there is none.
func (l *Log) ByClick(click string) *Record {
	return l.Find(func(r *Record) bool { return r.Click == click && click != "" })
}

// Find is the first record that is as asked for; nil when there is none.
func (l *Log) Find(is func(*Record) bool) *Record {
	if i := slices.IndexFunc(l.Records, is); i >= 0 {
		return l.Records[i]
	}
	return nil
}

// InTheWay is the live record that forbids another of a kind; nil when there is none. Of one kind there is one at a time;
// of those that end or begin operations, or delete what they wait for, one in all. A sync that has begun is Argo CD's: it is
// in the way of another sync, but whoever sees it hang must be able to terminate it.
func (l *Log) InTheWay(kind Kind) *Record {
	return l.Find(func(r *Record) bool {
		if r.State.Over() {
			return false
		}
		if kind == Terminate && r.Kind == Sync && r.Step == StepFollow {
			return false
		}
		return r.Kind == kind || kind.Confirmed() && r.Kind.Confirmed()
	})
}

// Forget drops what is old, to make room for one more. What is live, or not told yet, stays however old it is.
func (l *Log) Forget(now time.Time) {
	spare := len(l.Records) + 1 - keepRecords
	l.Records = slices.DeleteFunc(l.Records, func(r *Record) bool {
		if !r.State.Over() || len(r.Notes) > 0 {
			return false
		}
		drop := spare > 0 || now.Sub(r.At) > keepFor
		if drop {
			spare--
		}
		return drop
	})
}

// Outdated reports whether the log is no longer needed: everything in it is over and posted, and older than what is kept.
func (l *Log) Outdated(now time.Time) bool {
	return !slices.ContainsFunc(l.Records, func(r *Record) bool {
		return !r.State.Over() || len(r.Notes) > 0 || now.Sub(r.At) <= keepFor
	})
}

// Journal keeps the Logs. internal/kube keeps them as custom resources, internal/action/bolt in a file;
// internal/action/journaltest is what both must do. It is safe for parallel use.
type Journal interface {
	// Get returns the log of an application: an empty one with the Version "" when there is none.
	Get(ctx context.Context, app App) (*Log, error)
	// Put creates or replaces the log, and sets its Version. If somebody else was faster nothing is changed and the error is
	// ErrConflict.
	Put(ctx context.Context, l *Log) error
	// Delete removes the log if it is still the version that was read, otherwise ErrConflict. Deleting one that no longer exists is not an error.
	Delete(ctx context.Context, l *Log) error
	// List returns all logs that can be read, ordered by application, along with an error that names each other one: one that is
	// damaged must not stop what is done about all the rest. Where none could be looked at the logs are nil.
	List(ctx context.Context) ([]*Log, error)
}
