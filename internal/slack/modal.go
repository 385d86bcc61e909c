package slack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/slack/dialog"
)

// modal is a view that a person has open. hash is that of what it shows, "" where that is not known.
type modal struct{ id, hash string }

// openWithin is how long the right to open a modal lasts, and so how long the call may take.
// https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses
const openWithin = 3 * time.Second

// errTooSlow: the right to open a modal had expired.
var errTooSlow = errors.New("the modal could not be opened in time")

// openModal shows a view to who pressed.
func (a *App) openModal(ctx context.Context, p *pressing, v *dialog.View) error {
	ctx, cancel := context.WithTimeout(ctx, openWithin)
	defer cancel()
	shown, err := a.api.OpenViewContext(ctx, p.trigger, *v)
	refused, ok := errors.AsType[slack.SlackErrorResponse](err)
	switch {
	case ok && (refused.Err == "expired_trigger_id" || refused.Err == "exchanged_trigger_id"), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", errTooSlow, err)
	case err != nil:
		return fmt.Errorf("open a modal: %w", err)
	}
	p.modal = modal{id: shown.View.ID, hash: shown.View.Hash}
	return nil
}

// fill replaces what the open modal shows.
func (a *App) fill(ctx context.Context, p *pressing, v *dialog.View) error {
	if p.submitted {
		a.views.keep(p.modal.id, v)
	}
	for attempt := 1; ; attempt++ {
		shown, err := a.api.UpdateViewContext(ctx, *v, "", p.modal.hash, p.modal.id)
		if err == nil {
			p.modal.hash = shown.View.Hash
			return nil
		}
		wait, again := retryable(err)
		if !again || attempt == 3 {
			return fmt.Errorf("update a modal: %w", err)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("update a modal: %w", ctx.Err())
		}
	}
}

// fillIfOpen does nothing where the person has closed the modal: whoever does that does not want to know.
func (a *App) fillIfOpen(ctx context.Context, p *pressing, v *dialog.View) error {
	if err := a.fill(ctx, p, v); err != nil && !closed(err) {
		return err
	}
	return nil
}

// closed reports whether the modal is not there any more: the person closed it.
func closed(err error) bool {
	refused, ok := errors.AsType[slack.SlackErrorResponse](err)
	return ok && (refused.Err == "not_found" || refused.Err == "hash_conflict")
}

// views remembers what modals show since they were submitted. A submission that is delivered twice is acknowledged with that
// rather than with the view that it is worked on, which nothing would replace.
type views struct {
	mu    sync.Mutex
	shown map[string]*dialog.View
}

// maxViews is far more than are submitted while Slack may deliver one again.
const maxViews = 1000

func (s *views) keep(id string, v *dialog.View) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown == nil || len(s.shown) >= maxViews {
		s.shown = map[string]*dialog.View{}
	}
	s.shown[id] = v
}

// of is what a modal shows, or otherwise where that is not known any more.
func (s *views) of(id string, otherwise *dialog.View) *dialog.View {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.shown[id], otherwise)
}
