package remedy

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// rescue is called at the end of whatever is done about a record, with what was recovered from: a defect of ours that shows there must not take down all the rest of
// the bot, and with it what goes on about other applications. What was being done is ended as what it is, so that nobody does
// it again and meets with the same; what only waited or was told is left alone for a while.
func (d *Desk) rescue(ctx context.Context, r *Record, cause any) {
	if cause == nil {
		return
	}
	d.log.Error("action broken off by a defect of argo-why", "id", r.ID, "kind", r.Kind, "app", r.App, "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
	d.later(r, tellAgain)
	now := time.Now()
	ours := func(r *Record) bool { return r.State == Interrupted && r.Ended.Equal(now) }
	out, err := d.amendOnce(ctx, r, ours, func(r *Record) error {
		if r.State != Running || r.Holder != d.holder {
			return errStay
		}
		r.end(Interrupted, "The bot met with a defect of its own in the middle of it, which its log tells of. What became of it is not known; look there and in Argo CD.", now)
		return nil
	})
	switch {
	case err == nil:
		d.ended(out)
	case !errors.Is(err, errStay):
		d.log.Warn("action left, somebody will find out what became of it", "id", r.ID, "app", r.App, "error", err)
	}
}
