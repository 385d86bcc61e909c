package simulator

import (
	"context"
	"maps"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
)

// calls are those that were made, and what is to happen to the next ones.
type calls struct {
	mu       sync.Mutex
	counts   map[string]int
	timeouts map[string]time.Duration
	latency  map[string]time.Duration
	errs     map[string]error
	running  int
	overlap  int
	meeting  *meeting
	// interrupts are what the next call of a method goes through.
	interrupts map[string]func(call func() error) error
}

// meeting holds calls until enough of them are under way.
type meeting struct {
	size int
	held chan struct{} // closed when they are
}

func newCalls() calls {
	return calls{counts: map[string]int{}, timeouts: map[string]time.Duration{}, latency: map[string]time.Duration{}, errs: map[string]error{}, interrupts: map[string]func(func() error) error{}}
}

// Calls is how often each method was called since the last Reset, e.g. "Get", "ResourceTree"; "project.Get" and
// "repository.ListRepositories" carry their service.
func (s *Server) Calls() map[string]int {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	return maps.Clone(s.calls.counts)
}

// Overlap is how many calls were under way at once, at most, since the last Reset.
func (s *Server) Overlap() int {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	return s.calls.overlap
}

// CallerTimeout is the time-out with which a method was called last; 0: without one.
func (s *Server) CallerTimeout(method string) time.Duration {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	return s.calls.timeouts[method]
}

// Reset forgets the counts.
func (s *Server) Reset() {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	s.calls.counts, s.calls.overlap = map[string]int{}, 0
}

// Delay makes a method answer after d; "" stands for every method that has no delay of its own.
func (s *Server) Delay(method string, d time.Duration) {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	s.calls.latency[method] = d
}

// Fail makes a method answer with an error, usually a gRPC status; nil ends that. "" stands for every method that has no
// error of its own.
func (s *Server) Fail(method string, err error) {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	if err == nil {
		delete(s.calls.errs, method)
		return
	}
	s.calls.errs[method] = err
}

// Interrupt has the next call of a method go through f, which may do something before or after the call, leave it out, or answer with
// another error than it did. Of two the later one counts; nil takes it back.
func (s *Server) Interrupt(method string, f func(call func() error) error) {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	if f == nil {
		delete(s.calls.interrupts, method)
		return
	}
	s.calls.interrupts[method] = f
}

// interrupt is what a call has to go through, once; nil for most.
func (c *calls) interrupt(method string) func(call func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.interrupts[method]
	delete(c.interrupts, method)
	return f
}

// Gather holds every call until n are under way at once, and lets all go on from then on. It shows without a clock what is
// called at once: calls that are made one after the other wait until their caller gives up.
func (s *Server) Gather(n int) {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	s.calls.meeting = &meeting{size: n, held: make(chan struct{})}
}

// gather waits for the others where that was ordered.
func (c *calls) gather(ctx context.Context) error {
	c.mu.Lock()
	m := c.meeting
	if m != nil && c.running >= m.size {
		close(m.held)
		c.meeting = nil
	}
	c.mu.Unlock()
	if m == nil {
		return nil
	}
	select {
	case <-m.held:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// begin counts a call.
func (c *calls) begin(ctx context.Context, method string) (delay time.Duration, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[method]++
	c.timeouts[method] = 0
	if deadline, ok := ctx.Deadline(); ok {
		c.timeouts[method] = time.Until(deadline)
	}
	c.running++
	c.overlap = max(c.overlap, c.running)
	delay, ok := c.latency[method]
	if !ok {
		delay = c.latency[""]
	}
	err, ok = c.errs[method]
	if !ok {
		err = c.errs[""]
	}
	return delay, err
}

func (c *calls) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
}

// enter counts a call, waits and fails as ordered, and checks the token. The call ends with s.calls.end.
func (s *Server) enter(ctx context.Context, fullMethod string) error {
	delay, err := s.calls.begin(ctx, methodName(fullMethod))
	if err := s.calls.gather(ctx); err != nil {
		return err
	}
	if delay > 0 {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err != nil {
		return err
	}
	return s.authenticate(ctx)
}

func (s *Server) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	defer s.calls.end()
	if err := s.enter(ctx, info.FullMethod); err != nil {
		return nil, err
	}
	f := s.calls.interrupt(methodName(info.FullMethod))
	if f == nil {
		return handler(ctx, req)
	}
	var answer any
	err := f(func() (err error) {
		answer, err = handler(ctx, req)
		return err
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

func (s *Server) stream(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	defer s.calls.end()
	if err := s.enter(ss.Context(), info.FullMethod); err != nil {
		return err
	}
	return handler(srv, ss)
}

// methodName shortens "/application.ApplicationService/Get" to "Get", and keeps the package of the other services.
func methodName(full string) string {
	service, method, _ := strings.Cut(strings.TrimPrefix(full, "/"), "/")
	if pkg, _, _ := strings.Cut(service, "."); pkg != "application" {
		return pkg + "." + method
	}
	return method
}
