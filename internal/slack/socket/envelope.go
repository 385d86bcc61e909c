package socket

import (
	"context"
	"time"

	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/foreign"
)

// ackTimeout bounds the handing over of an acknowledgement, which blocks only while slack-go's buffer of 20 is full: then the
// socket is broken, and Slack waits no longer than three seconds anyway.
const ackTimeout = time.Second

// recordFor is how long an acknowledgement waits for the work to be on record. It is well within Slack's three seconds: beyond those the
// person is shown that it did not work.
const recordFor = 2 * time.Second

// Envelope is what Slack has delivered, as it was understood.
type Envelope struct {
	// Kind is for the metrics.
	Kind string
	// Keys tell a delivery from another one of the same thing.
	Keys []string
	// DoubleClick reports whether the same was clicked a moment ago; nil of what cannot be a double click. Only what was not
	// delivered before is asked.
	DoubleClick func() bool
	// Foreign: it comes from another workspace, or from a guest, in a channel that is shared with others.
	Foreign bool
	// Work is what is to be done; nil for nothing.
	Work func(context.Context)
	// Urgent work has to open a modal within three seconds.
	Urgent bool
	// Payload is what the acknowledgement carries, by what becomes of the envelope; nil where it can carry nothing.
	Payload func(Outcome) any
	// Recorded is closed by the work when nothing is lost any more if the bot is killed: only then is the envelope acknowledged, or when
	// that takes long. nil where nothing is put on record.
	Recorded <-chan struct{}
}

// acker acknowledges an envelope; of *socketmode.Client.
type acker interface {
	AckCtx(ctx context.Context, envelope string, payload any) error
}

// envelope acknowledges and then, if there is something to do, has it done.
//
// The order matters: room in the queue is taken before the acknowledgement, so that what was acknowledged is done. Nothing that takes
// time comes before it but that something is put on record: a kill would lose that otherwise, and the person believe that it is done.
func (s *Socket) envelope(ctx context.Context, client acker, e socketmode.Event) {
	began := time.Now()
	env := s.Read(e, s.self)
	keys := append(env.Keys, "envelope "+e.Request.EnvelopeID)
	outcome, acknowledged := s.admit(&env, keys)
	defer acknowledged()
	s.metrics.count(env.Kind, outcome)
	if outcome == Busy && env.Payload == nil {
		// Nothing can be said here without work. Not acknowledged, Slack delivers an event again in a minute, perhaps to
		// another replica, and shows the person who clicked that it did not work: better than silence.
		s.delivered.Forget(keys...)
		s.Log.Warn("envelope not acknowledged: too busy or stopping", "envelope", e.Request.EnvelopeID, "type", env.Kind)
		return
	}
	confirm := func() {
		var payload any
		if env.Payload != nil {
			payload = env.Payload(outcome)
		}
		s.acknowledge(ctx, client, e.Request.EnvelopeID, payload)
		s.metrics.ack.Observe(time.Since(began).Seconds())
	}
	if outcome != Taken || env.Recorded == nil {
		confirm()
		return
	}
	s.confirming.Go(func() {
		late, cancel := context.WithTimeout(ctx, recordFor)
		defer cancel()
		select {
		case <-env.Recorded:
		case <-late.Done():
		}
		confirm()
	})
}

// admit decides what becomes of an envelope, and puts its work into the queue. The work begins when acknowledged was called, which of
// what is put on record first is before the acknowledgement.
func (s *Socket) admit(env *Envelope, keys []string) (o Outcome, acknowledged func()) {
	nothing := func() {}
	switch {
	case s.delivered.Before(keys...):
		return Duplicate, nothing
	case env.DoubleClick != nil && env.DoubleClick():
		return Duplicate, nothing
	case env.Work != nil:
		acknowledged, ok := s.queue.take(env.Work, env.Urgent)
		switch {
		case !ok:
			return Busy, nothing
		case env.Foreign: // to be told that it is not done
			return Foreign, acknowledged
		}
		return Taken, acknowledged
	case env.Foreign:
		return Foreign, nothing
	case env.Payload != nil:
		return Replied, nothing
	}
	return Ignored, nothing
}

func (s *Socket) acknowledge(ctx context.Context, client acker, envelope string, payload any) {
	ctx, cancel := context.WithTimeout(ctx, ackTimeout)
	defer cancel()
	if err := client.AckCtx(ctx, envelope, payload); err != nil {
		s.metrics.count("ack", ackFailed)
		s.Log.Warn("acknowledgement not sent", "envelope", envelope, "error", err)
	}
}

// malformed acknowledges an envelope that slack-go cannot read, such as an event that it does not know yet: it will not be able
// to the next time either, and Slack would go on delivering it.
func (s *Socket) malformed(ctx context.Context, client acker, e socketmode.Event) {
	s.metrics.count("unknown", malformed)
	bad, ok := e.Data.(*socketmode.ErrorBadMessage)
	if !ok {
		return
	}
	s.Log.Warn("message from Slack not understood", "error", bad.Cause)
	var envelope struct {
		ID string `json:"envelope_id"`
	}
	if foreign.Field.JSON(bad.Message, &envelope) == nil && envelope.ID != "" {
		s.acknowledge(ctx, client, envelope.ID, nil)
	}
}
