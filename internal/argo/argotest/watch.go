package argotest

import (
	"slices"
	"testing"
	"time"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"k8s.io/apimachinery/pkg/watch"
)

// watches are the streams under way; guarded by the server's mutex.
type watches struct {
	opened  int           // ever
	changed chan struct{} // closed when the next one is opened
	streams map[int]*subscription
	muted   bool
}

type subscription struct {
	events chan *v1alpha1.ApplicationWatchEvent
	broken chan struct{}
}

// documents is what the server knows at this moment.
func (s *Server) documents() []*document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.docs)
}

// Put takes in a case file, in place of the one of the same application, and tells who watches.
func (s *Server) Put(t testing.TB, text []byte) {
	t.Helper()
	d := parse(t, text)
	s.mu.Lock()
	defer s.mu.Unlock()
	event := watch.Modified
	if i := s.index(d.Application.Namespace, d.Application.Name); i >= 0 {
		s.docs[i] = d
	} else {
		s.docs, event = append(s.docs, d), watch.Added
	}
	s.tell(event, d)
}

// Remove deletes an application, and tells who watches.
func (s *Server) Remove(t testing.TB, namespace, name string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.index(namespace, name)
	if i < 0 {
		t.Fatalf("argotest: there is no application %s/%s", namespace, name)
	}
	d := s.docs[i]
	s.docs = slices.Delete(s.docs, i, i+1)
	s.tell(watch.Deleted, d)
}

func (s *Server) index(namespace, name string) int {
	return slices.IndexFunc(s.docs, func(d *document) bool {
		return d.Application != nil && d.Application.Namespace == namespace && d.Application.Name == name
	})
}

// tell drops what cannot be sent at once, as Argo CD does.
func (s *Server) tell(event watch.EventType, d *document) {
	if s.watches.muted {
		return
	}
	for _, w := range s.watches.streams {
		select {
		case w.events <- &v1alpha1.ApplicationWatchEvent{Type: event, Application: *d.Application}:
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

// AwaitWatch waits until the nth stream (from 1, since the server was made) is open.
func (s *Server) AwaitWatch(t testing.TB, n int) {
	t.Helper()
	for {
		s.mu.Lock()
		opened, changed := s.watches.opened, s.watches.changed
		s.mu.Unlock()
		if opened >= n {
			return
		}
		select {
		case <-changed:
		case <-time.After(20 * time.Second):
			t.Fatalf("argotest: %d streams were opened, want %d", opened, n)
		}
	}
}

func (s *Server) subscribe() (*subscription, func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watches.opened++
	id := s.watches.opened
	close(s.watches.changed)
	s.watches.changed = make(chan struct{})
	w := &subscription{events: make(chan *v1alpha1.ApplicationWatchEvent, 1000), broken: make(chan struct{})}
	s.watches.streams[id] = w
	return w, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watches.streams, id)
	}
}

// Watch sends all applications first, unless a resource version is given, and only then listens for changes: the order of
// Argo CD's own server, with the gap that it has.
func (a *applications) Watch(q *applicationpkg.ApplicationQuery, stream applicationpkg.ApplicationService_WatchServer) error {
	if q.GetResourceVersion() == "" {
		for _, d := range a.s.documents() {
			if d.Application == nil {
				continue
			}
			if err := stream.Send(&v1alpha1.ApplicationWatchEvent{Type: watch.Added, Application: *d.Application}); err != nil {
				return err
			}
		}
	}
	w, leave := a.s.subscribe()
	defer leave()
	for {
		select {
		case event := <-w.events:
			if err := stream.Send(event); err != nil {
				return err
			}
		case <-w.broken:
			return status.Error(codes.Unavailable, "argotest: the stream was broken")
		case <-stream.Context().Done():
			return nil
		}
	}
}
