package remedy

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Desk takes what people ask for, has it agreed to where that is needed, does it once, and tells what came of it. All that it
// knows is in the Journal: several of them, in one process or in many, share it. It is safe for parallel use.
type Desk struct {
	worlds  map[string]World
	policy  *Policy
	journal Journal
	teller  Teller
	log     *slog.Logger
	metrics metrics
	holder  string

	rights *rights
	// wake has Run look at the records before its time.
	wake chan struct{}
	// reading bounds how many plans are made at once: each reads all that Argo CD knows of an application.
	reading chan struct{}

	mu sync.Mutex
	// inHand are the records that this process works on. Their leases say the same to others.
	inHand map[string]bool
	// waiting are the applications with a waiting record, and when its plan was compared.
	waiting map[App]comparison
	// hinted are applications whose records may have changed.
	hinted map[App]bool
	// again is when a record is looked at again that something failed of.
	again map[string]time.Time
}

// Options are what a Desk works with. Registry may be nil, Log too; Holder is made up where it is "".
type Options struct {
	// Worlds are by the name of the instance.
	Worlds   map[string]World
	Policy   *Policy
	Journal  Journal
	Teller   Teller
	Log      *slog.Logger
	Registry prometheus.Registerer
	// Holder names this process in leases: no other one may have the same.
	Holder string
}

// How much is read at once, and how long a call may take.
const (
	plansAtOnce    = 4
	journalTimeout = 10 * time.Second
	readTimeout    = 15 * time.Second
	// lookTimeout includes that Argo CD compares with Git.
	lookTimeout = time.Minute
	// effectTimeout is what Argo CD gets to resolve a revision or to note a termination. Where the lease cannot be renewed, the
	// fence of the turn ends the call before somebody else may look what became of it.
	effectTimeout = 30 * time.Second
	// refreshTimeout is that of HardRefresh, which may be repeated and so may outlast a lease.
	refreshTimeout = 2 * time.Minute
)

// New makes a Desk that does nothing of itself until Run.
func New(o Options) *Desk {
	d := &Desk{
		worlds: o.Worlds, policy: o.Policy, journal: o.Journal, teller: o.Teller, log: o.Log,
		metrics: newMetrics(o.Registry), holder: o.Holder,
		wake: make(chan struct{}, 1), reading: make(chan struct{}, plansAtOnce),
		inHand: map[string]bool{}, waiting: map[App]comparison{}, hinted: map[App]bool{}, again: map[string]time.Time{},
	}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	if d.holder == "" {
		d.holder = random()
	}
	d.rights = newRights(d.lacks, func(instance string) { d.teller.Redraw(instance) })
	return d
}

// random is an ID that nobody else makes, and that may stand in a DNS label.
func random() string { return strings.ToLower(rand.Text()[:16]) }

// world is the one that an application is in.
func (d *Desk) world(app App) (World, error) {
	if w, ok := d.worlds[app.Instance]; ok {
		return w, nil
	}
	return nil, &Refusal{Code: NotOffered, What: fmt.Sprintf("this bot knows no Argo CD %q", app.Instance)}
}

// lacks asks which right the bot itself lacks.
func (d *Desk) lacks(ctx context.Context, app App, kind Kind, project string) (string, error) {
	w, ok := d.worlds[app.Instance]
	if !ok {
		return "", fmt.Errorf("there is no Argo CD %q", app.Instance)
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return w.Lacks(ctx, kind, app, project)
}

// application reads the application alone.
func (d *Desk) application(ctx context.Context, w World, app App) (*evidence.Application, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	a, err := w.Application(ctx, app)
	switch {
	case errors.Is(err, ErrGone):
		return nil, &Refusal{Code: NotOffered, What: "the application does not exist any more", Err: err}
	case err != nil:
		return nil, unreadable("the application could not be read", err)
	}
	return a, nil
}

// replan makes the plan anew. What could not be read is a *Refusal.
func (d *Desk) replan(ctx context.Context, want Want) (*Plan, *Situation, error) {
	w, err := d.world(want.App)
	if err != nil {
		return nil, nil, err
	}
	s, err := d.look(ctx, w, want)
	switch {
	case errors.Is(err, ErrGone):
		return nil, nil, &Refusal{Code: NotOffered, What: "the application does not exist any more", Err: err}
	case err != nil:
		return nil, nil, unreadable("what would happen could not be found out", err)
	case s.Application == nil:
		return nil, nil, unreadable("the application could not be read", errors.New(strings.Join(s.Unread, "; ")))
	}
	return Build(want, s, time.Now()), s, nil
}

// look reads a situation, in its turn.
func (d *Desk) look(ctx context.Context, w World, want Want) (*Situation, error) {
	select {
	case d.reading <- struct{}{}:
		defer func() { <-d.reading }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	return w.Look(ctx, want)
}

// unreadable refuses because something could not be read, with which nothing was done.
func unreadable(what string, err error) *Refusal {
	return &Refusal{Code: Unreadable, What: what + ", so nothing was done: " + line(err.Error()), Err: err}
}

// hint has Run look at the records of an application now.
func (d *Desk) hint(app App) {
	d.mu.Lock()
	d.hinted[app] = true
	d.mu.Unlock()
	select {
	case d.wake <- struct{}{}:
	default: // it will already
	}
}

// Changed says that an application has changed: what waits for approval is compared with it soon. It is cheap.
func (d *Desk) Changed(app App) {
	d.mu.Lock()
	c, waits := d.waiting[app]
	if waits {
		c.changed = true
		d.waiting[app] = c
	}
	d.mu.Unlock()
	if waits {
		d.hint(app)
	}
}
