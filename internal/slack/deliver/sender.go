package deliver

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// Options of a Sender.
type Options struct {
	// Client is Slack's Web API with the bot token. Its own retries must be off (they are by default).
	Client *slack.Client
	// Team is the only workspace, or organisation, that is posted into; empty for whichever the token is of.
	Team string
	// Links say where applications can be opened.
	Links render.Links
	// Audience is who reads a channel. Nil means that nobody does: then a message says only that there is a thread.
	Audience func(ctx context.Context, channel string) audience.Audience
	// Offers are the actions of a report that somebody may do, and that the bot can; nil for none. It is asked before a message
	// is rendered, and must not wait for anybody.
	Offers func(*diagnose.Report) []diagnose.Action
	// Key signs what buttons carry. Without one there are none that act.
	Key button.Key
	// Registerer takes the metrics; nil for none.
	Registerer prometheus.Registerer
	Log        *slog.Logger
	// Timeout of a single call; 0 is 10 s. A post, which cannot simply be repeated, has twice that. The client has no time-out of its own.
	Timeout time.Duration
}

// Sender writes to Slack. It answers people, and through [Sender.Threads] it tells incidents. It is safe for parallel use.
type Sender struct {
	client  *slack.Client
	team    string
	links   render.Links
	readers func(context.Context, string) audience.Audience
	offers  func(*diagnose.Report) []diagnose.Action
	key     button.Key
	log     *slog.Logger
	timeout time.Duration
	metrics *metrics
	names   names
	self    self
	fates   fates

	mu sync.Mutex
	// gates are Slack's limits, by method and by channel; channels are the latter.
	gates    map[string]*gate
	channels []*gate
	// everywhere is shut to all threads while Slack refuses the bot.
	everywhere gate
	closed     bool
	// running are the calls of Notify, Answer and Ephemeral that have begun.
	running sync.WaitGroup
	// stop ends them when a shut-down lasts too long.
	stop   context.CancelFunc
	halted context.Context // the life of the Sender, not of a call
}

// New makes a Sender. Close ends it.
func New(o Options) *Sender {
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Audience == nil {
		o.Audience = func(context.Context, string) audience.Audience { return audience.Audience{} }
	}
	halted, stop := context.WithCancel(context.Background())
	return &Sender{
		client: o.Client, team: o.Team, links: o.Links, readers: o.Audience, offers: o.Offers, key: o.Key, log: o.Log, timeout: o.Timeout, metrics: newMetrics(o.Registerer),
		gates: map[string]*gate{}, names: names{listing: make(chan struct{}, 1)}, stop: stop, halted: halted,
	}
}

// ErrClosed says that the Sender is shutting down and takes nothing new.
var ErrClosed = errors.New("shutting down")

// enter begins a piece of work; leave ends it.
func (s *Sender) enter(parent context.Context) (ctx context.Context, leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, &incident.NotifyError{Code: "shutting_down", Certain: true, Err: ErrClosed}
	}
	s.running.Add(1)
	ctx, cancel := context.WithCancel(parent)
	unhook := context.AfterFunc(s.halted, cancel)
	return ctx, func() {
		unhook()
		cancel()
		s.running.Done()
	}, nil
}

// Close takes nothing new and lets what has begun end. When ctx is done first, it breaks off the rest and says so; what was
// not told then is due the next time.
func (s *Sender) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		s.running.Wait()
		close(done)
	}()
	defer s.stop()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		s.stop()
		<-done
		return ctx.Err()
	}
}
