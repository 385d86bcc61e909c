package remedy

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// messenger brings the notes of records to people, in their order, and takes each from its record once it is there.
type messenger struct {
	store    store
	notifier Notifier
	holder   string
}

// send brings people the notes of a record that this process holds.
func (m messenger) send(ctx context.Context, r *action.Record) error {
	for len(r.Notes) > 0 {
		rest, err := m.sendFirst(ctx, r)
		if err != nil {
			return err
		}
		r = rest
	}
	return nil
}

// holdAndSend brings people the notes of a record that nobody works on. Two processes must not do that at once, or both would
// post before either sees the other's message: so the record is held first, and errHeld says that somebody else holds it.
func (m messenger) holdAndSend(ctx context.Context, r *action.Record) error {
	for len(r.Notes) > 0 {
		held, err := m.store.amend(ctx, r.App, r.ID, func(r *action.Record) error {
			now := time.Now()
			if !r.Free(m.holder, now) || r.State == action.Running {
				return errHeld
			}
			r.Hold(m.holder, now)
			return nil
		})
		if err != nil || len(held.Notes) == 0 {
			return err
		}
		if r, err = m.sendFirst(ctx, held); err != nil {
			return err
		}
	}
	return nil
}

// sendFirst brings people the first note, and returns the record without it.
func (m messenger) sendFirst(ctx context.Context, r *action.Record) (*action.Record, error) {
	n := r.Notes[0]
	sending, cancel := context.WithTimeout(ctx, notifyTimeout)
	err := m.notifier.Notify(sending, r, n)
	cancel()
	if err != nil {
		return nil, err
	}
	rest, err := m.store.amend(ctx, r.App, r.ID, func(r *action.Record) error {
		if !r.Delivered(n.Number) {
			return errUnchanged
		}
		return nil
	})
	if err != nil && !errors.Is(err, errUnchanged) {
		return nil, err
	}
	return rest, nil
}

// catchUp brings people the notes of a record that nobody works on otherwise. That it is over is written on the Application meanwhile:
// neither waits for the other, which may not answer.
func (s *Service) catchUp(ctx context.Context, _ <-chan struct{}, r *action.Record) {
	var announcing sync.WaitGroup
	defer announcing.Wait()
	if r.State.Over() {
		announcing.Go(func() { s.announce(ctx, r) })
	}
	err := s.messenger().holdAndSend(ctx, r)
	if err == nil {
		return
	}
	s.later(r, retryNotifyAfter)
	if !errors.Is(err, errHeld) {
		s.log.Warn("action not posted, will try again", "id", r.ID, "app", r.App, "error", err)
	}
}

func (s *Service) messenger() messenger { return messenger{s.store, s.notifier, s.holder} }
