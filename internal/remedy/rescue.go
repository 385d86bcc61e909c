package remedy

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// rescue is called at the end of whatever is done about a record, with what was recovered from: a defect of ours that shows there must not take down all the rest of
// the bot, and with it what goes on about other applications. What was being done is ended as what it is, so that nobody does
// it again and meets with the same; what only waited or was told is left alone for a while.
func (s *Service) rescue(ctx context.Context, r *action.Record, cause any) {
	if cause == nil {
		return
	}
	s.log.Error("internal error during an action", "id", r.ID, "kind", r.Kind, "app", r.App, "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
	s.later(r, retryNotifyAfter)
	now := time.Now()
	ours := func(r *action.Record) bool { return r.State == action.Interrupted && r.Ended.Equal(now) }
	out, err := s.store.amendOnce(ctx, r, ours, func(r *action.Record) error {
		if r.State != action.Running || r.Holder != s.holder {
			return errUnchanged
		}
		r.End(action.Interrupted, "An internal error stopped the bot partway through, so the outcome is unknown. Check Argo CD; the bot's log has the details.", now)
		return nil
	})
	switch {
	case err == nil:
		s.ended(out)
	case !errors.Is(err, errUnchanged):
		s.log.Warn("action left unfinished, its outcome will be checked later", "id", r.ID, "app", r.App, "error", err)
	}
}
