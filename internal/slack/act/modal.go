package act

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// modal is a view that a person has open. hash is that of what it shows, "" where that is not known.
type modal struct{ id, hash string }

// openTimeout is how long the right to open a modal lasts, and so how long the call may take.
// https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses
const openTimeout = 3 * time.Second

// fillTimeout is for one attempt to change what a modal shows. It is short, so that the person can be told without the modal
// within the time of request.Handler for that.
const fillTimeout = 5 * time.Second

// errTooSlow: the right to open a modal had expired.
var errTooSlow = errors.New("the dialog could not be opened in time")

// modals opens and fills modals, and remembers what they show since they were submitted. A submission that is delivered twice is
// acknowledged with that rather than with the view that it is worked on, which nothing would replace.
type modals struct {
	api *slack.Client

	mu    sync.Mutex
	shown map[string]*dialog.View
}

// maxShown is far more than are submitted while Slack may deliver one again.
const maxShown = 1000

// open shows a view to the person who clicked.
func (m *modals) open(ctx context.Context, c *click, v *dialog.View) error {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	shown, err := m.api.OpenViewContext(ctx, c.trigger, *v)
	refused, ok := errors.AsType[slack.SlackErrorResponse](err)
	switch {
	case ok && (refused.Err == "expired_trigger_id" || refused.Err == "exchanged_trigger_id"), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", errTooSlow, err)
	case err != nil:
		return fmt.Errorf("open a dialog: %w", err)
	}
	c.modal = modal{id: shown.View.ID, hash: shown.View.Hash}
	return nil
}

// fill replaces what the open modal shows.
func (m *modals) fill(ctx context.Context, c *click, v *dialog.View) error {
	if c.submitted {
		c.onRecord()
		if err := c.shown(ctx); err != nil {
			return err
		}
		m.note(c.modal.id, v)
	}
	err := request.Retry(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, fillTimeout)
		defer cancel()
		shown, err := m.api.UpdateViewContext(ctx, *v, "", c.modal.hash, c.modal.id)
		if err == nil {
			c.modal.hash = shown.View.Hash
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("update a dialog: %w", err)
	}
	return nil
}

// fillIfOpen does nothing where the person has closed the modal: whoever does that does not want to know.
func (m *modals) fillIfOpen(ctx context.Context, c *click, v *dialog.View) error {
	if err := m.fill(ctx, c, v); err != nil && !isClosed(err) {
		return err
	}
	return nil
}

// isClosed reports whether the modal is not there any more: the person closed it.
func isClosed(err error) bool {
	refused, ok := errors.AsType[slack.SlackErrorResponse](err)
	return ok && (refused.Err == "not_found" || refused.Err == "hash_conflict")
}

// note remembers what a modal shows.
func (m *modals) note(id string, v *dialog.View) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shown == nil || len(m.shown) >= maxShown {
		m.shown = map[string]*dialog.View{}
	}
	m.shown[id] = v
}

// shows is what a modal shows, or otherwise where that is not known any more.
func (m *modals) shows(id string, otherwise *dialog.View) *dialog.View {
	m.mu.Lock()
	defer m.mu.Unlock()
	return cmp.Or(m.shown[id], otherwise)
}
