package incident

import "k8s.io/client-go/util/workqueue"

func newQueue[K comparable](order workqueue.Queue[K]) workqueue.TypedRateLimitingInterface[K] {
	return workqueue.NewTypedRateLimitingQueueWithConfig(workqueue.NewTypedItemExponentialFailureRateLimiter[K](firstRetry, lastRetry), workqueue.TypedRateLimitingQueueConfig[K]{
		DelayingQueue: workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[K]{
			Queue: workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[K]{Queue: order}),
		}),
	})
}

// urgentFirst is the order in which incidents are saved: those that nobody knows of yet, then the others.
type urgentFirst struct {
	workqueue.Queue[string] // the others
	urgent                  workqueue.Queue[string]
	is                      func(id string) bool
}

// Push implements workqueue.Queue.
func (q urgentFirst) Push(id string) {
	if q.is(id) {
		q.urgent.Push(id)
		return
	}
	q.Queue.Push(id)
}

// Len implements workqueue.Queue.
func (q urgentFirst) Len() int { return q.urgent.Len() + q.Queue.Len() }

// Pop implements workqueue.Queue.
func (q urgentFirst) Pop() string {
	if q.urgent.Len() > 0 {
		return q.urgent.Pop()
	}
	return q.Queue.Pop()
}
