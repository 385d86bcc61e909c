package remedy

import (
	"crypto/rand"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/internal/action"
)

// Service takes what people ask for, has it approved where that is needed, does it once, and reports what came of it. All that
// it knows is in the Journal: several of them, in one process or in many, share it. It is safe for parallel use.
type Service struct {
	gateways map[string]Gateway
	policy   *action.Policy
	store    store
	examiner examiner
	rights   *rights
	notifier Notifier
	mute     func(app action.App, by action.Person, until time.Time) bool
	look     func(action.App)
	owns     func(action.App) bool
	log      *slog.Logger
	metrics  metrics
	holder   string

	// wake has Run look at the records before its time.
	wake chan struct{}

	mu sync.Mutex
	// claimed are the records that this process works on. Their leases say the same to others.
	claimed map[string]bool
	// waiting are the applications with a waiting record, and when its plan was compared.
	waiting map[action.App]comparison
	// hinted are applications whose records may have changed.
	hinted map[action.App]bool
	// alarms are the waiting records whose expiry is awaited.
	alarms map[string]bool
	// again is when a record is looked at again after something about it failed.
	again map[string]time.Time
	// forgetNext is when old logs are deleted again after that has failed.
	forgetNext time.Time
}

// Options are what a Service works with. Registry may be nil, Log too; Holder is made up where it is "".
type Options struct {
	// Gateways are by the name of the instance.
	Gateways map[string]Gateway
	Policy   *action.Policy
	// Standing is asked about whoever requested and approved, when somebody approves and before it is done; nil asks nobody.
	Standing Standing
	Journal  action.Journal
	Notifier Notifier
	// Mute silences the incident of the application, or ends that (until is zero). It reports false when there is none.
	Mute func(app action.App, by action.Person, until time.Time) bool
	// Look has the application looked at soon, for its incident.
	Look     func(app action.App)
	Log      *slog.Logger
	Registry prometheus.Registerer
	// Owns are the applications whose requests Run looks after; nil is all. Requests are taken for all.
	Owns func(app action.App) bool
	// Holder names this process in leases: no other one may have the same.
	Holder string
}

// New makes a Service that does nothing of itself until Run.
func New(o Options) *Service {
	s := &Service{
		gateways: o.Gateways, policy: o.Policy, store: store{o.Journal}, examiner: newExaminer(o.Gateways, o.Policy, o.Standing),
		notifier: o.Notifier, mute: o.Mute, look: o.Look, owns: o.Owns, log: o.Log, metrics: newMetrics(o.Registry), holder: o.Holder,
		wake:    make(chan struct{}, 1),
		claimed: map[string]bool{}, waiting: map[action.App]comparison{}, hinted: map[action.App]bool{}, alarms: map[string]bool{}, again: map[string]time.Time{},
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.owns == nil {
		s.owns = func(action.App) bool { return true }
	}
	if s.holder == "" {
		s.holder = random()
	}
	s.rights = newRights(s.examiner.lacks, func(instance string) { s.notifier.Redraw(instance) })
	return s
}

// random is an ID that nobody else makes, and that may stand in a DNS label.
func random() string { return strings.ToLower(rand.Text()[:16]) }

// Hint has Run look at the records of an application now: something about them has changed, here or in another process.
func (s *Service) Hint(app action.App) {
	if !s.owns(app) {
		return
	}
	s.mu.Lock()
	s.hinted[app] = true
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default: // it will already
	}
}

// Changed says that an application has changed: what waits for approval is compared with it soon. It is cheap.
func (s *Service) Changed(app action.App) {
	s.mu.Lock()
	c, waits := s.waiting[app]
	if waits {
		c.changed, c.unseen = true, true
		s.waiting[app] = c
	}
	s.mu.Unlock()
	if waits {
		s.Hint(app)
	}
}
