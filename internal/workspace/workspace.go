package workspace

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Options of a workspace. The zero value is a usable one.
type Options struct {
	Team   string // name of the workspace; "Acme"
	Domain string // first label of its address in permalinks; "acme"
	// Enterprise is the E… of the organisation that the workspace is part of, "" for none; Workspaces are the others in it, T….
	Enterprise string
	Workspaces []string
	// URL is what response URLs and upload URLs start with; "http://slack.internal". Start sets it to its port.
	URL string
	// Now is the clock behind ts and the expiry of tickets and triggers; time.Now.
	Now func() time.Time
	// PingInterval of the sockets; 10 s.
	PingInterval time.Duration
	// Pace answers 429 to more than a message per second and channel, after a short burst, and to more calls of a method in a
	// minute than its tier allows: https://docs.slack.dev/apis/web-api/rate-limits
	Pace bool
}

// Workspace is safe for concurrent use.
type Workspace struct {
	opt    Options
	teamID string
	memory *memory
	mux    *http.ServeMux

	mu        sync.Mutex
	changed   chan struct{} // closed, and replaced, at each change
	closed    chan struct{}
	url       string
	lastID    int
	lastTS    int64 // microseconds
	users     map[string]*User
	groups    map[string]*Group
	channels  map[string]*channel
	apps      map[string]*app
	files     map[string]*file
	views     map[string]*View
	tickets   map[string]*app // one-time tickets of apps.connections.open
	triggers  map[string]*trigger
	responses map[string]*responseURL
	pending   map[string]*delivery // by envelope ID
	timers    map[*time.Timer]bool
	faults    []*Fault
	calls     []Call
	failures  []Failure
	attempts  []Attempt
	sent      map[string][]string // by channel, or by person
	sockets   []*socket
	dials     dialFaults
	pace      map[string]*pacer
	minutes   map[string]*minute // by app and method
}

// New makes an empty workspace. Close it when it has been reached in memory or has sockets.
func New(opt Options) *Workspace {
	opt.Team = cmp.Or(opt.Team, "Acme")
	opt.Domain = cmp.Or(opt.Domain, "acme")
	opt.URL = strings.TrimSuffix(cmp.Or(opt.URL, "http://slack.internal"), "/")
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.PingInterval == 0 {
		opt.PingInterval = 10 * time.Second
	}
	w := &Workspace{
		opt: opt, url: opt.URL, changed: make(chan struct{}), closed: make(chan struct{}),
		users: map[string]*User{}, groups: map[string]*Group{}, channels: map[string]*channel{}, apps: map[string]*app{},
		files: map[string]*file{}, views: map[string]*View{}, tickets: map[string]*app{}, triggers: map[string]*trigger{},
		responses: map[string]*responseURL{}, pending: map[string]*delivery{}, timers: map[*time.Timer]bool{},
		pace: map[string]*pacer{}, minutes: map[string]*minute{}, sent: map[string][]string{},
	}
	w.teamID = w.newID("T")
	w.memory = newMemory(w)
	w.mux = w.routes()
	return w
}

// Close ends all sockets, hanging calls and in-memory connections.
func (w *Workspace) Close() {
	w.mu.Lock()
	select {
	case <-w.closed:
		w.mu.Unlock()
		return
	default:
	}
	close(w.closed)
	for timer := range w.timers {
		timer.Stop()
	}
	sockets := slices.Clone(w.sockets)
	w.mu.Unlock()
	for _, s := range sockets {
		s.cut()
	}
	w.memory.close()
}

// TeamID is the T… of the workspace.
func (w *Workspace) TeamID() string { return w.teamID }

// URL is where the workspace is; its API is below /api/.
func (w *Workspace) URL() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.url
}

// Await returns nil once the condition holds, and the context's error if it does not come true. The condition is asked
// after each change and may use everything of the workspace.
func (w *Workspace) Await(ctx context.Context, condition func() bool) error {
	for {
		w.mu.Lock()
		changed := w.changed
		w.mu.Unlock()
		if condition() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("await a change of the workspace: %w", context.Cause(ctx))
		}
	}
}

// do runs a change under the lock and tells those who wait.
func (w *Workspace) do(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
	w.tell()
}

func (w *Workspace) tell() {
	close(w.changed)
	w.changed = make(chan struct{})
}

// after runs a change later, unless the workspace has been closed by then.
func (w *Workspace) after(d time.Duration, change func()) *time.Timer {
	var timer *time.Timer
	timer = time.AfterFunc(d, func() {
		w.do(func() {
			delete(w.timers, timer)
			select {
			case <-w.closed:
			default:
				change()
			}
		})
	})
	w.timers[timer] = true
	return timer
}

func (w *Workspace) stop(timer *time.Timer) {
	if timer != nil {
		timer.Stop()
		delete(w.timers, timer)
	}
}

func (w *Workspace) newID(prefix string) string {
	w.lastID++
	return fmt.Sprintf("%s%09d", prefix, w.lastID)
}

// newTS is unique and increases in the whole workspace, also when the clock stands still: "1700000000.000123".
func (w *Workspace) newTS() string {
	w.lastTS = max(w.lastTS+1, w.opt.Now().UnixMicro())
	return formatTS(w.lastTS)
}

func formatTS(micro int64) string {
	return fmt.Sprintf("%d.%06d", micro/1e6, micro%1e6)
}

func sorted[V any](m map[string]V) []V {
	var all []V
	for _, key := range slices.Sorted(maps.Keys(m)) {
		all = append(all, m[key])
	}
	return all
}
