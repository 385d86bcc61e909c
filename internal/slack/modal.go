package slack

import (
	"context"
	"errors"
	"fmt"
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
