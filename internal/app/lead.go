package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/slack/deliver"
)

// lead leads while it is this process's turn, and stands by while it is not.
func (s *shard) lead(ctx context.Context) error {
	var failed error
	standby := s.standBy(ctx, false)
	err := s.election.Run(ctx, func(leading context.Context) {
		standby.end()
		s.hold(true)
		failed = s.term(leading)
		s.hold(false)
		if ctx.Err() == nil {
			if failed != nil {
				s.log.Error("stopped leading", "error", failed)
				s.failed.Store(time.Now().UnixNano())
				pause(ctx, time.Second)
			}
			standby = s.standBy(ctx, true)
		}
	})
	standby.end()
	return errors.Join(err, failed)
}

// term leads until the context ends, or something fails that it cannot do without. The syncer ends after the actions: what comes of one while
// it is finished is to be posted, too.
func (s *shard) term(ctx context.Context) error {
	if err := s.takeOver(ctx); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	syncing, stopSyncing := context.WithCancel(context.WithoutCancel(ctx))
	group.Go(func() error { return s.syncer.Run(syncing) })
	group.Go(func() error { defer stopSyncing(); return s.act(ctx) })
	for _, in := range s.instances {
		group.Go(func() error { return in.reconciler.Run(ctx) })
	}
	if s.cluster != nil {
		group.Go(func() error { s.takeIn(ctx); return nil })
		if s.actions != nil {
			group.Go(func() error { s.cluster.Actions().Follow(ctx, s.log, s.actions.Hint); return nil })
		}
	}
	s.begin()
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { s.end(); close(ended) })
	err := group.Wait()
	if stop() {
		s.end()
	} else {
		<-ended
	}
	if errors.Is(err, kube.ErrNotLeading) {
		return nil // what was not saved in time the next leader finds out
	}
	return err
}

// takeOver begins with what the journal holds now. Where this process is alone with it, it has read it already.
func (s *shard) takeOver(ctx context.Context) error {
	if s.cluster != nil {
		held, damaged, err := s.readIncidents(ctx)
		if err != nil {
			return err
		}
		if err := s.awaitOthers(held); err != nil {
			return err
		}
		s.beginWith(held, damaged)
		s.forgetReplicas(ctx, held)
	}
	s.unwatch()
	return nil
}

// leftOver is how long after a replica wrote that it leads single Argo CDs it may still do so.
const leftOver = 20 * time.Second

// awaitOthers is an error while other replicas lead single Argo CDs, where this one is to lead all: of the time before the configuration was
// changed.
func (s *shard) awaitOthers(held []*incident.Incident) error {
	if s.spread {
		return nil
	}
	for _, i := range held {
		if i.Phase == incident.HandedOver && i.Leads > 0 && time.Since(i.Changed) < leftOver {
			return fmt.Errorf("replica %s still leads %d Argo CDs by itself", i.Cause.Subject, i.Leads)
		}
	}
	return nil
}

// forgetReplicas deletes the entries of replicas that were killed long ago.
func (s *shard) forgetReplicas(ctx context.Context, held []*incident.Incident) {
	for _, i := range held {
		if i.Phase != incident.HandedOver || s.Leading() != nil || i.Expires.After(time.Now()) {
			continue
		}
		if err := s.cluster.Delete(ctx, i); err != nil {
			s.log.Debug("entry of a former replica not deleted", "incident", i.ID, "error", err)
		}
	}
}

func (s *shard) begin() {
	s.led.Store(time.Now().UnixNano())
	s.leading.Store(true)
	live := s.incidents.LiveApps()
	for _, in := range s.instances {
		in.begin(live)
	}
}

func (s *shard) end() {
	s.leading.Store(false)
	for _, in := range s.instances {
		in.end()
	}
}

// hold notes that this process has the Lease, or not any more, and has the other replicas know.
func (s *shard) hold(holds bool) {
	s.holds.Store(holds)
	if s.crew != nil {
		s.handOver.Changed()
	}
}

// act does what people ask for. A dry run does not.
func (s *shard) act(ctx context.Context) error {
	if s.actions == nil {
		<-ctx.Done()
		return nil
	}
	return s.actions.Run(ctx)
}

// takeIn takes in what other replicas hand over.
func (s *shard) takeIn(ctx context.Context) {
	var inbox incident.Inbox
	var asking sync.WaitGroup
	defer asking.Wait()
	s.cluster.FollowHandOvers(ctx, s.log, func(i *incident.Incident) {
		if i.Backlog() {
			s.takeWanted(i)
			return
		}
		for _, m := range inbox.Take(i) {
			switch in := instanceOf(s.instances, m.App.Instance); {
			case in == nil: // another leader's
			case m.Wanted:
				asking.Go(func() { s.confirm(ctx, in, m.App) })
			default:
				in.reconciler.Add(m.App)
			}
		}
	})
}

// takeWanted opens the threads that somebody asked another replica for.
func (s *shard) takeWanted(backlog *incident.Incident) {
	_, touched := s.incidents.TakeWanted(backlog, time.Now())
	s.syncer.Touch(touched...)
	for _, m := range backlog.Listed() {
		if m.Wanted {
			s.lookFirst(m.App)
		}
	}
}

// confirm looks at an application for somebody who waits for that in front of another replica.
func (s *shard) confirm(ctx context.Context, in *instance, app incident.App) {
	if err := in.reconciler.Look(ctx, app); err != nil { // they hear that it took too long
		s.log.Warn("application not read for another replica", "app", app, "error", err)
		return
	}
	s.syncer.Confirm(app)
}

// look has an application looked at soon: here, or by the leader.
func (s *shard) look(app incident.App) {
	switch in := instanceOf(s.instances, app.Instance); {
	case in == nil:
	case s.handsOver():
		s.handOver.Add(app)
	default:
		in.reconciler.Add(app)
	}
}

// lookFirst has the leader look at an application for somebody who waits for what comes of it.
func (s *shard) lookFirst(app incident.App) {
	if in := instanceOf(s.instances, app.Instance); in != nil {
		in.reconciler.AddFirst(app)
	}
}

// standBy keeps what people are answered from as the leader writes it. A process that has just led knows the newest itself.
func (s *shard) standBy(ctx context.Context, led bool) *background {
	g := &background{}
	if s.cluster == nil {
		return g
	}
	following := ctx
	ctx, g.cancel = context.WithCancel(ctx)
	g.done.Go(func() {
		s.mirror.join(following, s, !led)
		<-ctx.Done()
		s.mirror.leave(s)
	})
	if s.actions != nil {
		g.done.Go(func() { s.actions.Standby(ctx) })
	}
	return g
}

// restore takes over what the leader has written.
func (s *shard) restore(held []*incident.Incident) { s.incidents.Restore(held, nil, time.Now()) }

// spreadEvenly follows which replicas there are, and hands a shard on where this one leads too many, until the context ends.
func (b *bot) spreadEvenly(ctx context.Context) {
	var following sync.WaitGroup
	defer following.Wait()
	following.Go(func() { b.cluster.FollowReplicas(ctx, b.log, b.crew.there, b.crew.gone) })
	given := map[*shard]time.Time{}
	b.crew.keepEven(ctx, func() (again bool) {
		for _, s := range slices.Backward(b.shards) {
			if s.leads() {
				again = !given[s].IsZero() && time.Since(given[s]) < evenAgainAfter
				given[s] = time.Now()
				s.Resign()
				return again
			}
		}
		return false
	})
}

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
