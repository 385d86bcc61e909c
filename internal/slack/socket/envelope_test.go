package socket

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slack-go/slack/socketmode"
)

// acks notes what was acknowledged, and with what.
type acks map[string]string

func (a acks) AckCtx(_ context.Context, envelope string, payload any) error {
	raw, err := json.Marshal(payload)
	a[envelope] = string(raw)
	return err
}

// newSocket understands every event as the envelope that is its data.
func newSocket() *Socket {
	return New(Options{
		Read:  func(e socketmode.Event, _ Identity) Envelope { env, _ := e.Data.(Envelope); return env },
		Queue: 2, Log: slog.New(slog.DiscardHandler),
	})
}

func delivered(id string, e Envelope) socketmode.Event {
	return socketmode.Event{Type: socketmode.EventTypeSlashCommand, Request: &socketmode.Request{EnvelopeID: id}, Data: e}
}

func work(context.Context) {}

// says is an acknowledgement that tells what became of the envelope.
func says(o Outcome) any { return o }

func TestWhatCannotBeReadIsAcknowledged(t *testing.T) {
	s, got := newSocket(), acks{}
	s.event(t.Context(), got, socketmode.Event{Type: socketmode.EventTypeErrorBadMessage, Data: &socketmode.ErrorBadMessage{
		Cause: fmt.Errorf("parsing Events API event: unknown"), Message: json.RawMessage(`{"envelope_id":"7","type":"events_api"}`),
	}})
	if _, ok := got["7"]; !ok {
		t.Error("Slack will bring it again and again")
	}
}

func TestTheAcknowledgementSaysWhatBecomesOfIt(t *testing.T) {
	s, got := newSocket(), acks{}
	for _, e := range []struct {
		id       string
		envelope Envelope
		want     Outcome
	}{
		{"taken", Envelope{Keys: []string{"a"}, Work: work, Payload: says}, Taken},
		{"again", Envelope{Keys: []string{"a"}, Work: work, Payload: says}, Duplicate},
		{"twice", Envelope{DoubleClick: func() bool { return true }, Work: work, Payload: says}, Duplicate},
		{"guest", Envelope{Foreign: true, Work: work, Payload: says}, Foreign},
		{"stranger", Envelope{Foreign: true, Payload: says}, Foreign},
		{"reply", Envelope{Payload: says}, Replied},
		{"nothing", Envelope{}, ""},
		{"full", Envelope{Keys: []string{"b"}, Work: work, Payload: says}, Busy},
		{"urgent", Envelope{Urgent: true, Work: work, Payload: says}, Taken},
	} {
		s.envelope(t.Context(), got, delivered(e.id, e.envelope))
		want := fmt.Sprintf("%q", e.want)
		if e.envelope.Payload == nil { // acknowledged without a word
			want = "null"
		}
		if got[e.id] != want {
			t.Errorf("%s: %s, want %s", e.id, got[e.id], want)
		}
	}
	if len(s.queue.normal) != 2 || len(s.queue.urgent) != 1 {
		t.Errorf("%d and %d are in the queue", len(s.queue.normal), len(s.queue.urgent))
	}
}

// TestWhatThereIsNoRoomForIsDeliveredAgain: unless the acknowledgement can say so.
func TestWhatThereIsNoRoomForIsDeliveredAgain(t *testing.T) {
	s, got := newSocket(), acks{}
	for n := range 3 {
		s.envelope(t.Context(), got, delivered(fmt.Sprint(n), Envelope{Keys: []string{fmt.Sprint("key ", n)}, Work: work}))
	}
	if _, acknowledged := got["2"]; acknowledged || len(got) != 2 {
		t.Errorf("acknowledged %v", got)
	}
	<-s.queue.normal
	if s.envelope(t.Context(), got, delivered("2", Envelope{Keys: []string{"key 2"}, Work: work})); len(got) != 3 || len(s.queue.normal) != 2 {
		t.Errorf("delivered again it is not taken: %v", got)
	}
}

func TestAThingThatComesInTwoEnvelopesIsDoneOnce(t *testing.T) {
	s, got := newSocket(), acks{}
	for _, id := range []string{"1", "2"} {
		s.envelope(t.Context(), got, delivered(id, Envelope{Keys: []string{"event " + id, "message D1 1.1"}, Work: work}))
	}
	if len(s.queue.normal) != 1 || len(got) != 2 {
		t.Errorf("%d in the queue, acknowledged %v", len(s.queue.normal), got)
	}
}

// ackFunc is called for an acknowledgement.
type ackFunc func()

func (f ackFunc) AckCtx(context.Context, string, any) error {
	f()
	return nil
}

func TestNoWorkBeginsBeforeTheAcknowledgement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSocket()
		var began atomic.Bool
		var workers sync.WaitGroup
		workers.Go(func() { s.queue.work(t.Context(), s.queue.normal) })
		early := false
		s.envelope(t.Context(), ackFunc(func() {
			synctest.Wait()
			early = began.Load()
		}), delivered("1", Envelope{Work: func(context.Context) { began.Store(true) }}))
		s.queue.stop()
		workers.Wait()
		if early || !began.Load() {
			t.Errorf("began before the acknowledgement: %v; ever: %v", early, began.Load())
		}
	})
}

// TestWhatIsPutOnRecordIsAcknowledgedAfterwards: else a kill in between would lose what a person believes to be done.
func TestWhatIsPutOnRecordIsAcknowledgedAfterwards(t *testing.T) {
	for name, takes := range map[string]time.Duration{"recorded": time.Second, "never recorded": time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			s, got, recorded := newSocket(), acks{}, make(chan struct{})
			timer := time.AfterFunc(takes, func() { close(recorded) })
			defer timer.Stop()
			s.envelope(t.Context(), got, delivered("click", Envelope{Work: work, Payload: says, Recorded: recorded}))
			j := <-s.queue.normal
			<-j.acknowledged // the work has begun
			began := time.Now()
			if len(got) != 0 {
				t.Errorf("%s: acknowledged at once", name)
			}
			s.confirming.Wait()
			if want := min(takes, recordFor); time.Since(began) != want || len(got) != 1 {
				t.Errorf("%s: acknowledged after %v, want %v", name, time.Since(began), want)
			}
		})
	}
}
