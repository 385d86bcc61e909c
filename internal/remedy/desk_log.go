package remedy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// tries bounds how often a write is tried when others are faster. Of all that write at once one always gets through.
const tries = 10

// errStay is what an edit returns to leave the log as it is.
var errStay = errors.New("nothing to write")

// read gets the log of an application.
func (d *Desk) read(ctx context.Context, app App) (*ActionLog, error) {
	ctx, cancel := context.WithTimeout(ctx, journalTimeout)
	defer cancel()
	l, err := d.journal.Get(ctx, app)
	if err != nil {
		return nil, fmt.Errorf("read the action log: %w", err)
	}
	return l, nil
}

// change has the log of an application edited and written. Where somebody else was faster, edit decides anew on what they
// left. An error of edit is returned as it is, and nothing is written.
func (d *Desk) change(ctx context.Context, app App, edit func(*ActionLog) error) error {
	for try := range tries {
		l, err := d.read(ctx, app)
		if err != nil {
			return err
		}
		if err := edit(l); err != nil {
			return err
		}
		if err = d.put(ctx, l); err == nil {
			return nil
		}
		if !errors.Is(err, ErrConflict) {
			return fmt.Errorf("write the action log: %w", err)
		}
		if err := pause(ctx, time.Duration(try)*20*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("write the action log: %w, %d times in a row", ErrConflict, tries)
}

func (d *Desk) put(ctx context.Context, l *ActionLog) error {
	ctx, cancel := context.WithTimeout(ctx, journalTimeout)
	defer cancel()
	return d.journal.Put(ctx, l)
}

// amend edits one record. It returns the record as it is on record after it, also along with errStay.
func (d *Desk) amend(ctx context.Context, app App, id string, edit func(*Record) error) (*Record, error) {
	var out *Record
	err := d.change(ctx, app, func(l *ActionLog) error {
		out = l.record(id)
		if out == nil {
			return &Refusal{Code: UnknownAsk, What: "there is no such request any more"}
		}
		return edit(out)
	})
	return out, err
}

// errUnknown: a write failed, and what is on record now could not be read.
var errUnknown = errors.New("what is on record now could not be read")

// amendOnce is amend for an edit that is known again by ours: an answer that did not come says nothing about the write, so what
// is on record counts.
func (d *Desk) amendOnce(ctx context.Context, r *Record, ours func(*Record) bool, edit func(*Record) error) (*Record, error) {
	out, err := d.amend(ctx, r.App, r.ID, edit)
	var refusal *Refusal
	switch {
	case err == nil:
		return out, nil
	case errors.As(err, &refusal): // or the write before, that seemed to have met with another, had come through
		if out != nil && ours(out) {
			return out, nil
		}
		return out, err
	}
	l, again := d.read(context.WithoutCancel(ctx), r.App)
	if again != nil {
		return out, fmt.Errorf("%w: %w", errUnknown, err)
	}
	if now := l.record(r.ID); now != nil && ours(now) {
		return now, nil
	}
	return r, err
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

func (l *ActionLog) record(id string) *Record {
	return l.find(func(r *Record) bool { return r.ID == id })
}

// clicked is the record that a click has made; nil when there is none.
func (l *ActionLog) clicked(click string) *Record {
	return l.find(func(r *Record) bool { return r.Click == click && click != "" })
}

func (l *ActionLog) find(is func(*Record) bool) *Record {
	if i := slices.IndexFunc(l.Records, is); i >= 0 {
		return l.Records[i]
	}
	return nil
}

// inTheWay is the live record that forbids another of a kind; nil when there is none. Of one kind there is one at a time;
// of those that end or begin operations, or delete what they wait for, one in all. A sync that has begun is Argo CD's: it is
// in the way of another sync, but whoever sees it hang must be able to terminate it.
func (l *ActionLog) inTheWay(kind Kind) *Record {
	return l.find(func(r *Record) bool {
		if r.State.Over() {
			return false
		}
		if kind == Terminate && r.Kind == Sync && r.Step == StepFollow {
			return false
		}
		return r.Kind == kind || kind.confirmed() && r.Kind.confirmed()
	})
}

// yields reports whether a live record makes way: what waits for an approval that may never come does not keep out who needs
// none.
func (r *Record) yields(unasked bool) bool { return unasked && r.State == Waiting }

// confirmed reports whether a kind is shown as a plan first: those that change what runs.
func (k Kind) confirmed() bool { return k == DeleteHookJob || k == Terminate || k == Sync }

// forget drops what is old, to make room for one more. What is live, or not told yet, stays however old it is.
func (l *ActionLog) forget(now time.Time) {
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

// note adds a line of history.
func (r *Record) note(n Note) {
	r.LastNote++
	n.Number, n.State, n.Step = r.LastNote, r.State, r.Step
	r.Notes = append(r.Notes, n)
}

// end ends a record: in which state, and what there is to say.
func (r *Record) end(state State, result string, now time.Time) {
	r.State, r.Result, r.Ended = state, result, now
	r.note(Note{At: now, Text: result})
}
