package simulator

import (
	"cmp"
	"context"
	"slices"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"k8s.io/apimachinery/pkg/watch"
)

// watches are the streams under way; guarded by the server's mutex.
type watches struct {
	opened  int           // ever
	follow  int           // those of them that asked for changes only
	changed chan struct{} // closed when the next one is opened
	streams map[int]*subscription
	muted   bool
}

func newWatches() watches {
	return watches{changed: make(chan struct{}), streams: map[int]*subscription{}}
}

type subscription struct {
	events chan event
	broken chan struct{}
}

type event struct {
	kind watch.EventType
	app  *application
}

// waiting is how many events may wait for a slow reader of a stream, as in Argo CD.
const waiting = 1000

// tell drops what cannot be sent at once, as Argo CD does. With s.mu held.
func (s *Server) tell(kind watch.EventType, app *application) {
	if s.watches.muted {
		return
	}
	for _, w := range s.watches.streams {
		select {
		case w.events <- event{kind, app}:
		default:
		}
	}
}

// Mute makes the streams stand and say nothing, or ends that.
func (s *Server) Mute(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watches.muted = on
}

// Break ends all streams with an error.
func (s *Server) Break() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, w := range s.watches.streams {
		close(w.broken)
		delete(s.watches.streams, id)
	}
}

// AwaitWatch waits until the nth stream (from 1, since the server was made) is open that asked for changes only. One that asks for
// all applications first may be just a way to list them: see [Server.AwaitStream].
func (s *Server) AwaitWatch(ctx context.Context, n int) error {
	return s.await(ctx, func(w *watches) bool { return w.follow >= n })
}

// AwaitStream waits until the nth stream of any kind listens for changes.
func (s *Server) AwaitStream(ctx context.Context, n int) error {
	return s.await(ctx, func(w *watches) bool { return w.opened >= n })
}

func (s *Server) await(ctx context.Context, enough func(*watches) bool) error {
	for {
		s.mu.Lock()
		done, changed := enough(&s.watches), s.watches.changed
		s.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (s *Server) subscribe(changesOnly bool) (*subscription, func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watches.opened++
	if changesOnly {
		s.watches.follow++
	}
	id := s.watches.opened
	close(s.watches.changed)
	s.watches.changed = make(chan struct{})
	w := &subscription{events: make(chan event, waiting), broken: make(chan struct{})}
	s.watches.streams[id] = w
	return w, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watches.streams, id)
	}
}

// Watch sends all applications first, unless a resource version is given, and only then listens for changes: the order of
// Argo CD's own server, with the gap that it has.
func (a *applicationService) Watch(q *applicationpkg.ApplicationQuery, stream applicationpkg.ApplicationService_WatchServer) error {
	wanted, err := filter(q)
	if err != nil {
		return err
	}
	send := func(e event) error {
		object := e.app.object()
		if !wanted(object) {
			return nil
		}
		return stream.Send(&v1alpha1.ApplicationWatchEvent{Type: e.kind, Application: *object})
	}
	if q.GetResourceVersion() == "" || q.GetName() != "" {
		all := a.s.all()
		slices.SortFunc(all, func(a, b *application) int {
			return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name.Name, b.Name.Name))
		})
		for _, app := range all {
			if err := send(event{watch.Added, app}); err != nil {
				return err
			}
		}
	}
	w, leave := a.s.subscribe(q.GetResourceVersion() != "")
	defer leave()
	for {
		select {
		case e := <-w.events:
			if err := send(e); err != nil {
				return err
			}
		case <-w.broken:
			return status.Error(codes.Unavailable, "simulator: the stream was broken")
		case <-stream.Context().Done():
			return nil
		}
	}
}
