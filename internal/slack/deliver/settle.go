package deliver

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// settle takes the buttons of a request for approval that is over off every message that shows them. The messages are found by what
// their buttons carry: an address would have to be remembered, and could be lost between the post and the record of it. A message
// that nobody can edit any more keeps them; whoever clicks there hears that it is over. now is the thread that its incident has now: another
// one if somebody deleted the thread of the request.
func (t *Threads) settle(ctx context.Context, r *action.Record, now incident.Thread) error {
	if r.Place.Channel == "" {
		return nil
	}
	ctx, leave, err := t.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	asked := []place{{r.Place.Channel, r.Place.Thread}}
	if again := (place{now.Channel, now.TS}); now.TS != "" && again != asked[0] {
		asked = append(asked, again)
	}
	for _, in := range asked {
		err := t.caller(0).settleIn(ctx, in, r)
		refused, ok := errors.AsType[*incident.NotifyError](err)
		switch {
		case ok && (refused.Permanent || isGone(err)):
			t.log.WarnContext(ctx, "buttons of a request not removed", "id", r.ID, "error", err)
		case err != nil:
			return err
		}
	}
	return nil
}

// settleIn is settle in one place. A person waits for it: it comes before any other edit.
func (c caller) settleIn(ctx context.Context, in place, r *action.Record) error {
	over := render.ActionNote(posted.NoteTo(c.readers(ctx, in.channel), r, action.Note{State: action.Waiting, At: r.At, Text: r.Summary}), button.Key{}) // without buttons
	return c.each(ctx, in, mark{}, func(msg slack.Message, m mark) error {
		if !c.asks(in, msg, r.ID) {
			return nil
		}
		return c.update(ctx, in.channel, msg.Timestamp, m, over)
	})
}

// asks reports whether a message has a button that decides about a record.
func (s *Sender) asks(in place, msg slack.Message, record string) bool {
	key := s.key.In(in.channel).Under(in.thread)
	for _, b := range msg.Blocks.BlockSet {
		row, ok := b.(*slack.ActionBlock)
		if !ok || row.Elements == nil {
			continue
		}
		for _, e := range row.Elements.ElementSet {
			if b, ok := e.(*slack.ButtonBlockElement); ok {
				if v, err := key.Decode(b.ActionID, b.Value); err == nil && v.Record == record {
					return true
				}
			}
		}
	}
	return false
}
