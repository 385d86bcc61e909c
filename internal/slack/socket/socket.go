package socket

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket" // what slack-go dials with; its dialer is the place to listen for pings
	"github.com/prometheus/client_golang/prometheus"
	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"
)

const (
	// OpenTimeout is for asking Slack for the address of a connection, identityTimeout for asking who the bot is, handshakeTimeout
	// for the greeting of WebSocket at that address. If one of them is over, listen tries again.
	OpenTimeout      = 20 * time.Second
	identityTimeout  = 20 * time.Second
	handshakeTimeout = 20 * time.Second
)

// Options are what a Socket needs. Registry may be nil, for no metrics.
type Options struct {
	// API asks who the bot is.
	API *slack.Client
	// Opener opens connections. slack-go makes that call with the context of the connection, which lasts for hours, so that the HTTP
	// client of this one has to limit it, to OpenTimeout.
	Opener *slack.Client
	Team   Team
	// Read understands an envelope. It is called by one goroutine, and nothing that takes time may happen in it.
	Read func(e socketmode.Event, self Identity) Envelope
	// Dial makes the connections.
	Dial     func(ctx context.Context, network, addr string) (net.Conn, error)
	Registry prometheus.Registerer
	Log      *slog.Logger

	// Workers do what is in the queue, and as many what is urgent; Queue pieces of work wait for them.
	Workers, Queue int
	// Drain is for all that is under way when the bot is stopped.
	Drain time.Duration
}

// Socket is a connection to Slack, and the work that came through it.
type Socket struct {
	Options
	dialer  *websocket.Dialer
	metrics *metrics
	state   *connectionState
	// delivered is what came within the last minutes: a thing delivered twice is done once.
	delivered *Seen
	// confirming are the acknowledgements that wait until something is on record.
	confirming sync.WaitGroup
	queue      *queue
	// self is who the bot is: known before the first envelope is read, by the goroutine that reads them.
	self Identity
}

// New makes a Socket; nothing is connected yet.
func New(o Options) *Socket {
	s := &Socket{Options: o, metrics: newMetrics(o.Registry), state: newConnectionState(), delivered: NewSeen(deliveredFor)}
	s.queue = newQueue(o.Queue, s.metrics.waiting)
	s.dialer = &websocket.Dialer{
		Proxy:            http.ProxyFromEnvironment,
		HandshakeTimeout: handshakeTimeout,
		NetDialContext:   s.state.dial(o.Dial),
		// An acknowledgement that does not fit the buffer goes out in several frames, which Slack does not put together
		// again: slack-go's own size.
		WriteBufferSize: 32 << 10,
	}
	return s
}

// Run listens and has work done until the context ends; then it takes nothing more, finishes what it has, for as long as Drain
// at most, and closes the connection. Work that takes longer is cancelled, and may still say so to those who asked.
func (s *Socket) Run(ctx context.Context) error {
	// The connection and the work outlive the order to stop: acknowledgements are still to be sent, answers to be finished.
	outlive, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	work, cancelWork := context.WithCancel(outlive)
	defer cancelWork()

	var workers, connection sync.WaitGroup
	for range s.Workers {
		workers.Go(func() { s.queue.work(work, s.queue.normal) })
		workers.Go(func() { s.queue.work(work, s.queue.urgent) })
	}
	connection.Go(func() { s.listen(outlive) })

	<-ctx.Done()
	s.queue.stop() // what comes from now on is refused with the acknowledgement
	done := make(chan struct{})
	go func() {
		workers.Wait()
		close(done)
	}()
	timer := time.NewTimer(s.Drain)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		s.Log.Warn("answers not finished in time", "after", s.Drain)
		cancelWork()
		<-done // they tell the person; that has a short time-out of its own
	}
	s.confirming.Wait()
	cut()
	connection.Wait()
	return nil
}

// Alive is nil while the bot hears Slack: what readiness asks. Else the error says what is wrong, and for how long.
func (s *Socket) Alive() error { return s.state.alive() }
