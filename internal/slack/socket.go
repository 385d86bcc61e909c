package slack

import (
	"cmp"
	"context"
	"encoding/json"
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
func (a *App) listen(ctx context.Context) {
	wait := time.Second
	for ctx.Err() == nil {
		began := time.Now()
		err := a.identify(ctx)
		if err == nil {
			err = a.session(ctx)
		}
		a.metrics.connected.Set(0)
		if ctx.Err() != nil {
			return
		}
		a.pulse.down(explained(err))
		if time.Since(began) > time.Minute {
			wait = time.Second
		}
		a.Log.Warn("the connection to Slack ended", "error", explained(err), "again_in", wait)
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

// explained adds what to do to the errors of auth.test and apps.connections.open that do not pass by themselves.
func explained(err error) error {
	if err == nil {
		return errors.New("the connection was closed")
	}
	refused, ok := errors.AsType[slack.SlackErrorResponse](err)
	if !ok {
		return err
	}
	switch refused.Err {
	case "invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive":
		return fmt.Errorf("%w: Slack does not take the token; make a new one and configure it", err)
	case "missing_scope", "not_allowed_token_type":
		return fmt.Errorf("%w: the app token must be an app-level one (xapp-…) with the scope connections:write", err)
	}
	return err
}

// identity is who the bot is in its workspace.
type identity struct{ user, name string }

// call is how people call the bot in a channel.
func (i identity) call() string { return "@" + cmp.Or(i.name, "argo") }

// identify asks who the bot is, once: its mention has to be known from others, and it must not answer for another
// workspace than the one that is configured.
func (a *App) identify(ctx context.Context) error {
	if a.self.user != "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	who, err := a.api.AuthTestContext(ctx)
	if err != nil {
		return fmt.Errorf("ask Slack who we are: %w", err)
	}
	if !a.home(who.TeamID, who.EnterpriseID) {
		return fmt.Errorf("the bot token is of workspace %s (%s), and %s is configured: take the token of that one, or configure this one", who.TeamID, who.Team, a.Team)
	}
	a.self = identity{user: who.UserID, name: who.User}
	return nil
}

// session runs one client of Socket Mode, which reconnects by itself, until it gives up or the watchdog does.
func (a *App) session(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	client := socketmode.New(a.api, socketmode.OptionDialer(a.dialer), socketmode.OptionPingInterval(pingEvery), socketmode.OptionReadLimit(maxEnvelope))
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
			a.event(ctx, client, event)
		case <-watch.C:
			if reason := a.pulse.dead(); reason != "" && gaveUp == nil {
				a.Log.Warn("Slack's socket is open and dead", "reason", reason)
				a.metrics.reconnects.WithLabelValues(reason).Inc()
				gaveUp = fmt.Errorf("the socket was open and dead: %s", reason)
				cancel()
			}
		}
	}
}

// acker acknowledges an envelope; of *socketmode.Client.
type acker interface {
	AckCtx(ctx context.Context, envelope string, payload any) error
}

// event is what slack-go tells: of the connection, or an envelope.
func (a *App) event(ctx context.Context, client acker, e socketmode.Event) {
	switch e.Type {
	case socketmode.EventTypeConnecting:
		a.pulse.down(nil)
		a.metrics.connected.Set(0)
	case socketmode.EventTypeConnected:
		if a.pulse.open() {
			a.metrics.reconnects.WithLabelValues("reconnect").Inc()
		}
	case socketmode.EventTypeHello:
		a.pulse.greet()
		a.metrics.connected.Set(1)
		a.Log.Info("connected to Slack", "connections", e.Request.NumConnections)
	case socketmode.EventTypeConnectionError:
		if failed, ok := e.Data.(*slack.ConnectionErrorEvent); ok && ctx.Err() == nil {
			a.pulse.down(explained(failed.ErrorObj))
			a.Log.Warn("Slack is not reachable", "error", explained(failed.ErrorObj), "again_in", failed.Backoff)
		}
	case socketmode.EventTypeErrorBadMessage:
		a.malformed(ctx, client, e)
	case socketmode.EventTypeErrorWriteFailed:
		// Slack delivers what was not acknowledged again; what we did about it already is not done twice.
		a.metrics.envelopes.WithLabelValues("ack", outcomeAckFailed).Inc()
	case socketmode.EventTypeSlashCommand, socketmode.EventTypeEventsAPI, socketmode.EventTypeInteractive:
		a.envelope(ctx, client, e)
	default:
		a.Log.Debug("event of the socket", "type", e.Type)
	}
}

// malformed acknowledges an envelope that slack-go cannot read, such as an event that it does not know yet: it will not
// be able to the next time either, and Slack would go on delivering it.
func (a *App) malformed(ctx context.Context, client acker, e socketmode.Event) {
	a.metrics.envelopes.WithLabelValues("unknown", outcomeMalformed).Inc()
	bad, ok := e.Data.(*socketmode.ErrorBadMessage)
	if !ok {
		return
	}
	a.Log.Warn("Slack sent what is not understood", "error", bad.Cause)
	var envelope struct {
		ID string `json:"envelope_id"`
	}
	if json.Unmarshal(bad.Message, &envelope) == nil && envelope.ID != "" {
		a.acknowledge(ctx, client, envelope.ID, nil)
	}
}
