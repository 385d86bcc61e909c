package socket

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"
)

const (
	// watchEvery is how often the watchdog looks.
	watchEvery = 5 * time.Second
	// maxEnvelope is the largest envelope that is read: a click carries the message that was clicked, which Slack keeps
	// under 20 KB by far. It bounds what a broken peer can make us hold.
	maxEnvelope = 4 << 20
)

// listen keeps a connection to Slack until the context ends. A token that Slack refuses does not end it: threads can
// still be told of failures without a socket, readiness tells of the trouble, and a person may repair the token.
func (s *Socket) listen(ctx context.Context) {
	wait := time.Second
	for ctx.Err() == nil {
		began := time.Now()
		err := s.identify(ctx)
		if err == nil {
			err = s.session(ctx)
		}
		s.metrics.connected.Set(0)
		if ctx.Err() != nil {
			return
		}
		s.state.down(explain(err))
		if time.Since(began) > time.Minute {
			wait = time.Second
		}
		s.Log.Warn("connection to Slack lost", "error", explain(err), "again_in", wait)
		// Jitter: all replicas lose the connection at the same moment.
		timer := time.NewTimer(wait/2 + rand.N(wait/2)) //nolint:gosec // a pause is no secret
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		wait = min(2*wait, time.Minute)
	}
}

// explain adds what to do to the errors of auth.test and apps.connections.open that do not pass by themselves.
func explain(err error) error {
	if err == nil {
		return errors.New("the connection was closed")
	}
	refused, ok := errors.AsType[slack.SlackErrorResponse](err)
	if !ok {
		return err
	}
	switch refused.Err {
	case "invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive":
		return fmt.Errorf("%w: Slack rejects the app token; create a new one and configure it", err)
	case "missing_scope", "not_allowed_token_type":
		return fmt.Errorf("%w: the app token must be an app-level token (xapp-…) with the scope connections:write", err)
	}
	return err
}

// session runs one client of Socket Mode, which reconnects by itself, until it gives up or the watchdog does.
func (s *Socket) session(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	client := socketmode.New(s.Opener, socketmode.OptionDialer(s.dialer), socketmode.OptionPingInterval(pingEvery), socketmode.OptionReadLimit(maxEnvelope))
	ended := make(chan error, 1)
	go func() { ended <- client.RunContext(ctx) }()

	watch := time.NewTicker(watchEvery)
	defer watch.Stop()
	var gaveUp error
	for {
		select {
		case err := <-ended:
			if gaveUp != nil {
				return gaveUp
			}
			return err
		case event := <-client.Events:
			s.event(ctx, client, event)
		case <-watch.C:
			if reason := s.state.dead(); reason != "" && gaveUp == nil {
				s.Log.Warn("socket to Slack is open but dead", "reason", reason)
				s.metrics.reconnects.WithLabelValues(reason).Inc()
				gaveUp = fmt.Errorf("the socket was open but dead: %s", reason)
				cancel()
			}
		}
	}
}

// event is what slack-go tells: of the connection, or an envelope.
func (s *Socket) event(ctx context.Context, client acker, e socketmode.Event) {
	switch e.Type {
	case socketmode.EventTypeConnecting:
		s.state.down(nil)
		s.metrics.connected.Set(0)
	case socketmode.EventTypeConnected:
		if s.state.open() {
			s.metrics.reconnects.WithLabelValues("reconnect").Inc()
		}
	case socketmode.EventTypeHello:
		s.state.greet()
		s.metrics.connected.Set(1)
		s.Log.Info("connected to Slack", "connections", e.Request.NumConnections)
	case socketmode.EventTypeConnectionError:
		if failed, ok := e.Data.(*slack.ConnectionErrorEvent); ok && ctx.Err() == nil {
			s.state.down(explain(failed.ErrorObj))
			s.Log.Warn("Slack is not reachable", "error", explain(failed.ErrorObj), "again_in", failed.Backoff)
		}
	case socketmode.EventTypeErrorBadMessage:
		s.malformed(ctx, client, e)
	case socketmode.EventTypeErrorWriteFailed:
		// Slack delivers what was not acknowledged again; what we did about it already is not done twice.
		s.metrics.count("ack", ackFailed)
	case socketmode.EventTypeSlashCommand, socketmode.EventTypeEventsAPI, socketmode.EventTypeInteractive:
		s.envelope(ctx, client, e)
	default:
		s.Log.Debug("socket event", "type", e.Type)
	}
}
