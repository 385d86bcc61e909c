package slack

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket" // what slack-go dials with; its dialer is the place to listen for pings
	"github.com/prometheus/client_golang/prometheus"
	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// Options are what the bot needs. Those without a default are required.
type Options struct {
	// BotToken is xoxb-…, AppToken xapp-… with connections:write.
	BotToken, AppToken string
	// Team is the ID of the only workspace that is served: T…, or E… of an organisation.
	Team string

	Backend Backend
	Viewer  Viewer
	Sender  Sender
	// Links lead to the pages of the applications.
	Links render.Links
	// Actions takes them. Key is what the values of their buttons are signed with.
	Actions Actions
	Key     button.Key
	// Registry takes the metrics; nil for none.
	Registry prometheus.Registerer
	Log      *slog.Logger

	// APIURL is the address of the Web API, "" for Slack's own. HTTP and Dial make the connections; nil for the usual.
	APIURL string
	HTTP   *http.Client
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)

	// Workers answer at the same time, and as many do what was pressed; Queue questions wait for them.
	Workers, Queue int
	// Timeout is for one answer, Drain for all that are under way when the bot is stopped.
	Timeout, Drain time.Duration
}

func (o Options) withDefaults() Options {
	set := func(at *int, to int) {
		if *at == 0 {
			*at = to
		}
	}
	wait := func(at *time.Duration, to time.Duration) {
		if *at == 0 {
			*at = to
		}
	}
	set(&o.Workers, 8)               // a diagnosis waits for Argo CD nearly all the time
	set(&o.Queue, 128)               // at two seconds each, the last of them waits half a minute
	wait(&o.Timeout, 45*time.Second) // people leave earlier; Argo CD's own limit is a minute
	wait(&o.Drain, 15*time.Second)   // Kubernetes waits 30 s before it kills
	if o.HTTP == nil {
		o.HTTP = &http.Client{Timeout: callTimeout}
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}).DialContext
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// App is the bot.
type App struct {
	Options
	api     *slack.Client
	dialer  *websocket.Dialer
	metrics *metrics
	pulse   *pulse
	seen    *seen
	// pressedNow are buttons that were pressed within the last moments: a double click is one.
	pressedNow *seen
	members    *members
	denials    denials
	views      views
	// queue are the questions, presses what has to open a modal within three seconds and must not wait behind them.
	queue, presses chan *question

	mu sync.Mutex
	// stopping: questions are no longer taken.
	stopping bool
	// self is who the bot is: known before the first envelope is read, by the goroutine that reads them.
	self identity
}

// New makes the bot; nothing is connected yet.
func New(o Options) (*App, error) {
	for _, r := range []struct {
		name    string
		missing bool
	}{
		{"BotToken", o.BotToken == ""}, {"AppToken", o.AppToken == ""}, {"Team", o.Team == ""},
		{"Backend", o.Backend == nil}, {"Viewer", o.Viewer == nil}, {"Sender", o.Sender == nil},
		{"Actions", o.Actions == nil}, {"Key", len(o.Key) == 0},
	} {
		if r.missing {
			return nil, fmt.Errorf("slack: %s is not set", r.name)
		}
	}
	o = o.withDefaults()
	a := &App{
		Options: o,
		api:     NewClient(o.BotToken, o.AppToken, o.APIURL, o.HTTP),
		metrics: newMetrics(o.Registry),
		pulse:   newPulse(),
		seen:    newSeen(seenFor),
		queue:   make(chan *question, o.Queue),
		presses: make(chan *question, o.Queue),
	}
	a.pressedNow, a.members = newSeen(doubleClick), newMembers(a.api)
	a.dialer = &websocket.Dialer{
		Proxy:            http.ProxyFromEnvironment,
		HandshakeTimeout: 20 * time.Second,
		NetDialContext:   a.pulse.dial(o.Dial),
		// An acknowledgement that does not fit the buffer goes out in several frames, which Slack does not put together
		// again: slack-go's own size.
		WriteBufferSize: 32 << 10,
	}
	return a, nil
}

// NewClient is a client of Slack's Web API without retries. appToken may be empty where no socket is opened, apiURL for
// Slack's own address, and client nil for one of its own.
func NewClient(botToken, appToken, apiURL string, client *http.Client) *slack.Client {
	if client == nil {
		client = &http.Client{Timeout: callTimeout}
	}
	options := []slack.Option{slack.OptionAppLevelToken(appToken), slack.OptionHTTPClient(client)}
	if apiURL != "" {
		options = append(options, slack.OptionAPIURL(strings.TrimSuffix(apiURL, "/")+"/"))
	}
	return slack.New(botToken, options...)
}

// callTimeout is how long one call of Slack's Web API may take.
const callTimeout = 20 * time.Second

// Run listens and answers until the context ends; then it takes nothing more, finishes what it has, for as long as
// Drain at most, and closes the socket. What it cannot finish is told to those who asked.
func (a *App) Run(ctx context.Context) error {
	// The socket and the work outlive the order to stop: acknowledgements are still to be sent, answers to be finished.
	outlive, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	work, cancelWork := context.WithCancel(outlive)
	defer cancelWork()

	var workers, socket sync.WaitGroup
	for range a.Workers {
		workers.Go(func() { a.work(work, a.queue) })
		workers.Go(func() { a.work(work, a.presses) })
	}
	socket.Go(func() { a.listen(outlive) })

	<-ctx.Done()
	a.stop()
	done := make(chan struct{})
	go func() {
		workers.Wait()
		close(done)
	}()
	timer := time.NewTimer(a.Drain)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		a.Log.Warn("answers were not finished in time", "after", a.Drain)
		cancelWork()
		<-done // they tell the person; that has a short time-out of its own
	}
	cut()
	socket.Wait()
	return nil
}

// stop closes the queues. The inbox answers by itself from now on.
func (a *App) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopping = true
	close(a.queue)
	close(a.presses)
}

// take puts a question into the queue; false when there is no room, or the bot stops.
func (a *App) take(q *question) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopping {
		return false
	}
	queue := a.queue
	if q.press != nil {
		queue = a.presses
	}
	select {
	case queue <- q:
		a.metrics.waiting.Set(float64(len(a.queue)))
		return true
	default:
		return false
	}
}

// Alive is nil while the bot hears Slack: what readiness asks. Else the error says what is wrong, and for how long.
func (a *App) Alive() error { return a.pulse.alive() }
