package app

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/slack/deliver"
)

// election says which replica leads: it alone looks at applications, posts, and does what was asked for.
type election interface {
	// Run calls lead each time this process becomes the leader, never twice at once, until the context ends.
	Run(ctx context.Context, lead func(context.Context)) error
	// Leading is nil while nobody else can lead.
	Leading() error
}

// alone is the election where there is one process: it has the journal to itself.
type alone struct{}

// Run implements election.
func (alone) Run(ctx context.Context, lead func(context.Context)) error {
	lead(ctx)
	return nil
}

// Leading implements election.
func (alone) Leading() error { return nil }

// replicas is what this process shares with others of its kind.
type replicas struct {
	election
	journals
	// handOver tells the leader which applications to look at; nil where this process is alone.
	handOver *incident.HandOver
	leading  atomic.Bool
	log      *slog.Logger
}

func newReplicas(j journals, log *slog.Logger) *replicas {
	if j.cluster == nil {
		return &replicas{election: alone{}, journals: j, log: log}
	}
	name := identity()
	election := j.cluster.Election(name, log)
	j.incidents = &fencedJournal{j.incidents, election.Leading}
	return &replicas{election: election, journals: j, log: log, handOver: incident.NewHandOver(j.cluster, name, log)}
}

// leads reports whether this process does.
func (r *replicas) leads() bool { return r.leading.Load() && r.Leading() == nil }

// handsOver reports whether another process leads, or may.
func (r *replicas) handsOver() bool { return r.handOver != nil && !r.leads() }

// identity is a name that no other process has, nor this one after a restart: what it knew then it has to read again.
func identity() string {
	host, err := os.Hostname() // the name of the pod
	if err != nil {
		host = "replica"
	}
	return host + "-" + strings.ToLower(rand.Text()[:6])
}

// lead leads while it is this process's turn, and stands by while it is not.
func (b *bot) lead(ctx context.Context) error {
	var failed error
	standby := b.standBy(ctx)
	err := b.election.Run(ctx, func(leading context.Context) {
		standby.end()
		failed = b.term(leading)
		if ctx.Err() == nil {
			if failed != nil {
				b.log.Error("stopped leading", "error", failed)
				pause(ctx, time.Second)
			}
			standby = b.standBy(ctx)
		}
	})
	standby.end()
	return errors.Join(err, failed)
}

// term leads until the context ends, or something fails that it cannot do without. The syncer ends after the actions: what comes of one while
// it is finished is to be posted, too.
func (b *bot) term(ctx context.Context) error {
	if err := b.takeOver(ctx); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	syncing, stopSyncing := context.WithCancel(context.WithoutCancel(ctx))
	group.Go(func() error { return b.syncer.Run(syncing) })
	group.Go(func() error { defer stopSyncing(); return b.act(ctx) })
	for _, in := range b.instances {
		group.Go(func() error { return in.reconciler.Run(ctx) })
	}
	if b.cluster != nil {
		group.Go(func() error { b.takeIn(ctx); return nil })
		if b.actions != nil {
			group.Go(func() error { b.cluster.Actions().Follow(ctx, b.log, b.actions.Hint); return nil })
		}
	}
	b.begin()
	defer context.AfterFunc(ctx, b.end)()
	err := group.Wait()
	b.end()
	if errors.Is(err, kube.ErrNotLeading) {
		return nil // what was not saved in time the next leader finds out
	}
	return err
}

// takeOver begins with what the journal holds now. Where this process is alone with it, it has read it already.
func (b *bot) takeOver(ctx context.Context) error {
	if b.cluster != nil {
		if err := b.readIncidents(ctx); err != nil {
			return err
		}
	}
	b.unwatch()
	return nil
}

// forgetReplicas deletes the entries of replicas that were killed long ago.
func (b *bot) forgetReplicas(ctx context.Context, held []*incident.Incident) {
	for _, i := range held {
		if i.Phase != incident.HandedOver || b.Leading() != nil || i.Expires.After(time.Now()) {
			continue
		}
		if err := b.cluster.Delete(ctx, i); err != nil {
			b.log.Debug("entry of a former replica not deleted", "incident", i.ID, "error", err)
		}
	}
}

func (b *bot) begin() {
	b.leading.Store(true)
	live := b.incidents.LiveApps()
	for _, in := range b.instances {
		in.begin(live)
	}
}

func (b *bot) end() {
	b.leading.Store(false)
	for _, in := range b.instances {
		in.end()
	}
}

// act does what people ask for. A dry run does not.
func (b *bot) act(ctx context.Context) error {
	if b.actions == nil {
		<-ctx.Done()
		return nil
	}
	return b.actions.Run(ctx)
}

// takeIn takes in what other replicas hand over.
func (b *bot) takeIn(ctx context.Context) {
	var inbox incident.Inbox
	var asking sync.WaitGroup
	defer asking.Wait()
	b.cluster.FollowHandOvers(ctx, b.log, func(i *incident.Incident) {
		if i.Backlog() {
			b.takeWanted(i)
			return
		}
		for _, m := range inbox.Take(i) {
			if m.Wanted {
				asking.Go(func() { b.confirm(ctx, m.App) })
				continue
			}
			b.look(m.App)
		}
	})
}

// takeWanted opens the threads that somebody asked another replica for.
func (b *bot) takeWanted(backlog *incident.Incident) {
	_, touched := b.incidents.TakeWanted(backlog, time.Now())
	b.syncer.Touch(touched...)
	for _, m := range backlog.Listed() {
		if m.Wanted {
			b.lookFirst(m.App)
		}
	}
}

// confirm looks at an application for somebody who waits for that in front of another replica.
func (b *bot) confirm(ctx context.Context, app incident.App) {
	in := instanceOf(b.instances, app.Instance)
	if in == nil {
		return
	}
	if err := in.reconciler.Look(ctx, app); err != nil { // they hear that it took too long
		b.log.Warn("application not read for another replica", "app", app, "error", err)
		return
	}
	b.syncer.Confirm(app)
}

// look has an application looked at soon: here, or by the leader.
func (b *bot) look(app incident.App) {
	switch in := instanceOf(b.instances, app.Instance); {
	case in == nil:
	case b.handsOver():
		b.handOver.Add(app)
	default:
		in.reconciler.Add(app)
	}
}

// lookFirst has the leader look at an application for somebody who waits for what comes of it.
func (b *bot) lookFirst(app incident.App) {
	if in := instanceOf(b.instances, app.Instance); in != nil {
		in.reconciler.AddFirst(app)
	}
}

// background is something that goes on until its end. The zero value has ended.
type background struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

func (g *background) end() {
	if g.cancel != nil {
		g.cancel()
	}
	g.done.Wait()
}

// standBy keeps what people are answered from as the leader writes it.
func (b *bot) standBy(ctx context.Context) *background {
	g := &background{}
	if b.cluster == nil {
		return g
	}
	ctx, g.cancel = context.WithCancel(ctx)
	g.done.Go(func() { b.cluster.Follow(ctx, b.log, b.mirror) })
	if b.actions != nil {
		g.done.Go(func() { b.actions.Standby(ctx) })
	}
	return g
}

// mirror takes over what the leader has written.
func (b *bot) mirror(held []*incident.Incident) { b.incidents.Restore(held, nil, time.Now()) }

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// notes are those of actions, which the leader alone shows: a replica that stands by has only a copy of the incidents.
type notes struct {
	deliver.Notes
	leads func() bool
}

// Show implements remedy.Notifier. What another replica took down, the leader shows when it reads it.
func (n notes) Show(r *action.Record) {
	if n.leads() {
		n.Notes.Show(r)
	}
}

// Redraw implements remedy.Notifier.
func (n notes) Redraw(instance string) {
	if n.leads() {
		n.Notes.Redraw(instance)
	}
}
