package socket

import (
	"context"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// queue holds what is acknowledged and not done yet. What is urgent stands in a line of its own, as it must not wait behind
// requests that take long.
type queue struct {
	normal, urgent chan job
	// waiting is how many are in the normal line.
	waiting prometheus.Gauge

	mu sync.Mutex
	// stopping: nothing is taken any more.
	stopping bool
}

// job is a piece of work in the queue.
type job struct {
	do func(context.Context)
	// acknowledged is closed when the acknowledgement is on its way: the work begins after it.
	acknowledged chan struct{}
}

func newQueue(size int, waiting prometheus.Gauge) *queue {
	return &queue{normal: make(chan job, size), urgent: make(chan job, size), waiting: waiting}
}

// take puts work into the queue; false when there is no room, or the bot stops. acknowledged has to be called once the
// acknowledgement is on its way.
func (q *queue) take(do func(context.Context), urgent bool) (acknowledged func(), ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopping {
		return nil, false
	}
	line := q.normal
	if urgent {
		line = q.urgent
	}
	j := job{do: do, acknowledged: make(chan struct{})}
	select {
	case line <- j:
		q.waiting.Set(float64(len(q.normal)))
		return func() { close(j.acknowledged) }, true
	default:
		return nil, false
	}
}

// work does what stands in a line until the queue was stopped and the line is empty.
func (q *queue) work(ctx context.Context, line <-chan job) {
	for j := range line {
		q.waiting.Set(float64(len(q.normal)))
		<-j.acknowledged
		j.do(ctx)
	}
}

// stop closes the queue. What is in it is still to be done.
func (q *queue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopping = true
	close(q.normal)
	close(q.urgent)
}
