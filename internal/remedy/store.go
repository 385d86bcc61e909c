package remedy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// store edits the Logs in the Journal. Others write them too: every edit is decided on what is there at that moment.
type store struct{ journal action.Journal }

// maxTries bounds how often a write is tried when others are faster. Of all that write at once one always gets through.
const maxTries = 10

// errUnchanged is what an edit returns to leave the log as it is.
var errUnchanged = errors.New("nothing to write")

// list reads all logs.
func (s store) list(ctx context.Context) ([]*action.Log, error) {
	ctx, cancel := context.WithTimeout(ctx, journalTimeout)
	defer cancel()
	return s.journal.List(ctx)
}

// forget deletes a log that nobody needs any more. If somebody was faster, there is something in it again.
func (s store) forget(ctx context.Context, l *action.Log) error {
	ctx, cancel := context.WithTimeout(ctx, journalTimeout)
	defer cancel()
	if err := s.journal.Delete(ctx, l); err != nil && !errors.Is(err, action.ErrConflict) {
		return fmt.Errorf("delete an old action log: %w", err)
	}
	return nil
}

// damaged is how many logs an error of list names. Where none could be looked at, nothing is known.
func damaged(logs []*action.Log, err error) (n int, known bool) {
	many, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
		return 0, true
	case logs == nil:
		return 0, false
	case ok:
		return len(many.Unwrap()), true
	}
	return 1, true
}

// read gets the log of an application.
func (s store) read(ctx context.Context, app action.App) (*action.Log, error) {
	ctx, cancel := context.WithTimeout(ctx, journalTimeout)
	defer cancel()
	l, err := s.journal.Get(ctx, app)
	if err != nil {
		return nil, fmt.Errorf("read the action log: %w", err)
	}
	return l, nil
}

// change has the log of an application edited and written. Where somebody else was faster, edit decides again on what they
// left. An error of edit is returned as it is, and nothing is written.
func (s store) change(ctx context.Context, app action.App, edit func(*action.Log) error) error {
	for try := range maxTries {
		l, err := s.read(ctx, app)
		if err != nil {
			return err
		}
		if err := edit(l); err != nil {
			return err
		}
		if err = s.put(ctx, l); err == nil {
			return nil
		}
		if !errors.Is(err, action.ErrConflict) {
			return fmt.Errorf("write the action log: %w", err)
		}
		if err := pause(ctx, time.Duration(try)*20*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("write the action log: %w, %d times in a row", action.ErrConflict, maxTries)
}

func (s store) put(ctx context.Context, l *action.Log) error {
	ctx, cancel := context.WithTimeout(ctx, journalTimeout)
	defer cancel()
	return s.journal.Put(ctx, l)
}

// amend edits one record. It returns the record as it is on record after it, also along with errUnchanged.
func (s store) amend(ctx context.Context, app action.App, id string, edit func(*action.Record) error) (*action.Record, error) {
	var out *action.Record
	err := s.change(ctx, app, func(l *action.Log) error {
		out = l.Record(id)
		if out == nil {
			return &action.Refusal{Code: action.UnknownRequest, What: "the request no longer exists"}
		}
		return edit(out)
	})
	return out, err
}

// errUnknown: a write failed, and the current record could not be read.
var errUnknown = errors.New("the current record could not be read")

// amendOnce is amend for an edit that is recognised by ours: an answer that did not come says nothing about the write, so what
// is on record counts.
func (s store) amendOnce(ctx context.Context, r *action.Record, ours func(*action.Record) bool, edit func(*action.Record) error) (*action.Record, error) {
	out, err := s.amend(ctx, r.App, r.ID, edit)
	var refusal *action.Refusal
	switch {
	case err == nil:
		return out, nil
	case errors.As(err, &refusal): // or the write before, that seemed to have met with another, had come through
		if out != nil && ours(out) {
			return out, nil
		}
		return out, err
	}
	l, unread := s.read(context.WithoutCancel(ctx), r.App)
	if unread != nil {
		return out, fmt.Errorf("%w: %w", errUnknown, err)
	}
	if now := l.Record(r.ID); now != nil && ours(now) {
		return now, nil
	}
	return r, err
}

// holds reports whether a new record is on record.
func (s store) holds(ctx context.Context, r *action.Record) bool {
	l, err := s.read(context.WithoutCancel(ctx), r.App)
	return err == nil && l.Record(r.ID) != nil
}

// pause waits, or says why it is not worth it.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
