package incident

import (
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// rank is how soon an application is read among those that wait for it: the smaller, the sooner.
type rank int

const (
	// urgent: a person waits for it, or it has failed for long enough to be posted.
	urgent rank = iota
	ordinary
	// alike: most likely it fails of what people were told already. They learn no more than a number from it.
	alike
	ranks
)

// readOrder is the order in which the applications of one Argo CD are read. In a storm thousands wait: the first of them is to be
// posted before the last is read, and what is no part of the storm must not wait for it. It implements workqueue.Queue.
type readOrder struct {
	queues [ranks]workqueue.Queue[App]
	at     map[App]rank
	rank   func(App) rank
}

func newReadOrder(of func(App) rank) *readOrder {
	q := &readOrder{at: map[App]rank{}, rank: of}
	for r := range q.queues {
		q.queues[r] = workqueue.DefaultQueue[App]()
	}
	return q
}

// Push implements workqueue.Queue.
func (q *readOrder) Push(app App) { q.put(app, q.rank(app)) }

func (q *readOrder) put(app App, r rank) {
	q.at[app] = r
	q.queues[r].Push(app)
}

// Touch implements workqueue.Queue: what was added again may be more urgent now. Its former place is left empty.
func (q *readOrder) Touch(app App) {
	if r := q.rank(app); r < q.at[app] {
		q.put(app, r)
	}
}

// Len implements workqueue.Queue.
func (q *readOrder) Len() int { return len(q.at) }

// Pop implements workqueue.Queue. What was added before the outage was posted steps back when its turn comes.
func (q *readOrder) Pop() (app App) {
	for r := range ranks {
		for q.queues[r].Len() > 0 {
			app = q.queues[r].Pop()
			if at, waits := q.at[app]; !waits || at != r {
				continue
			}
			if now := q.rank(app); now > r {
				q.put(app, now)
				continue
			}
			delete(q.at, app)
			return app
		}
	}
	return app
}

// expected are the applications that are to be read, with what decides how soon.
type expected struct {
	mu   sync.Mutex
	apps map[App]expectation
	// posted are the outages that applications were read to be part of, by how Argo CD lists these applications.
	posted map[string]string
}

// expectation is what is known of an application before it is read.
type expectation struct {
	// hinted: somebody said that it is worth looking. asked: a person waits for it.
	hinted, asked bool
	// looks is how Argo CD lists it, see [Reconciler.AddAs]. It says nothing about a cause, but what fails alike looks alike.
	looks string
	// due is when it will have failed for long enough to be posted; zero where nobody waits for that.
	due time.Time
}

func newExpected() *expected {
	return &expected{apps: map[App]expectation{}, posted: map[string]string{}}
}

// add notes why an application is to be read.
func (x *expected) add(app App, e expectation) {
	x.mu.Lock()
	defer x.mu.Unlock()
	was := x.apps[app]
	e.hinted, e.asked = e.hinted || was.hinted, e.asked || was.asked
	if e.looks == "" {
		e.looks = was.looks
	}
	if e.due.IsZero() {
		e.due = was.due
	}
	x.apps[app] = e
}

// take returns what was known of an application that is read now.
func (x *expected) take(app App) expectation {
	x.mu.Lock()
	defer x.mu.Unlock()
	e := x.apps[app]
	delete(x.apps, app)
	return e
}

// isPosted notes that applications that look like that were read to be part of an outage that people know of.
func (x *expected) isPosted(looks, outage string) {
	if looks == "" {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.posted[looks] = outage
}

// rank is how soon an application is to be read.
func (x *expected) rank(app App, store *Store) rank {
	x.mu.Lock()
	e := x.apps[app]
	outage := x.posted[e.looks]
	x.mu.Unlock()
	switch {
	case e.asked, !e.due.IsZero() && !e.due.After(time.Now()):
		return urgent
	case store.counted(app), store.isOpen(outage):
		return alike
	}
	return ordinary
}

// counted reports whether an application is a member of an open outage, and failed of that when it was read last.
func (s *Store) counted(app App) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[s.outages[app]]
	if e == nil || e.dropped || e.Phase != Open {
		return false
	}
	m := e.Member(app)
	return m != nil && m.Well.IsZero()
}

// isOpen reports whether an incident goes on.
func (s *Store) isOpen(id string) bool {
	if id == "" {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[id]
	return e != nil && !e.dropped && e.Phase == Open
}
