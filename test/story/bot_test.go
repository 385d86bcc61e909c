package story_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/bolt"
	"github.com/argo-why/argo-why/internal/remedy"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// bot is one process: what serve ties together, without Argo CD's client and without commands.
type bot struct {
	lab    *lab
	dead   atomic.Bool
	cancel context.CancelFunc
	// alive ends when the process is killed.
	alive      context.Context //nolint:containedctx // it is what the process lives by
	kill       context.CancelFunc
	ended      sync.WaitGroup
	journal    *bolt.Journal
	sender     *deliver.Threads
	store      *incident.Store
	syncer     *incident.Syncer
	reconciler *incident.Reconciler
	actions    *remedy.Service
	places     *audience.Places
}

// start is a new process on the same disk.
func (l *lab) start() error {
	l.gone()
	journal, err := bolt.Open(l.file)
	if err != nil {
		return err
	}
	journal.DB().NoSync = true // what is killed here is a process, never the machine
	b, err := l.lead(journal)
	if err != nil {
		return err
	}
	settle()
	l.list(b)
	return nil
}

// lead is a process that begins with what the journal holds.
func (l *lab) lead(journal *bolt.Journal) (*bot, error) {
	b := &bot{lab: l, journal: journal}
	b.alive, b.kill = context.WithCancel(l.t.Context())
	ctx, cancel := context.WithCancel(l.t.Context())
	b.cancel = cancel
	held, err := b.journal.List(ctx)
	if err != nil {
		return nil, err
	}
	o := slack.Options{
		APIURL: "http://slack.internal/api/", HTTP: &http.Client{Transport: b},
		Links: render.Links{ArgoCD: map[string]string{"prod": "https://argocd.example.com"}}, Key: button.NewKey(l.app.BotToken),
	}
	sender := deliver.New(deliver.Options{
		Client: slack.NewClient(l.app.BotToken, "", o.APIURL, o.HTTP), Links: o.Links, Key: o.Key, Log: l.log,
		Offers:   func(r *diagnose.Report) []diagnose.Action { return b.actions.Offers(r) },
		Audience: func(ctx context.Context, channel string) audience.Audience { return b.places.InChannel(ctx, channel) },
	})
	b.sender = sender.Threads(nil)
	b.audiences(&o, sender.ChannelID)
	b.store = incident.NewStore(l.policy, held)
	b.store.Unwatch(l.instances(), time.Now())
	b.syncer = incident.NewSyncer(b.store, journalOf{b}, b.sender, l.log, incident.Metrics{})
	b.reconciler = incident.NewReconciler("prod", reader{b}, b.syncer, l.log, incident.Metrics{})
	if err := b.openActions(o); err != nil {
		return nil, err
	}
	b.ended.Go(func() { _ = b.actions.Run(ctx) })
	b.ended.Go(func() { _ = b.syncer.Run(ctx) })
	b.ended.Go(func() { _ = b.reconciler.Run(ctx) })
	b.ended.Go(func() { every(ctx, connectionsEvery, b.watchConnections) })
	b.ended.Go(func() { every(ctx, tokensEvery, b.watchTokens) })
	if err := b.digest(ctx); err != nil {
		return nil, err
	}
	if err := b.listen(ctx, o); err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.bot = b
	l.mu.Unlock()
	return b, nil
}

// every does something at intervals, as a scheduled job, until the context ends.
func every(ctx context.Context, interval time.Duration, do func()) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if ctx.Err() == nil {
				do()
			}
		}
	}
}

// instances are those that the configuration names.
func (l *lab) instances() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.removed {
		return nil
	}
	return []string{"prod"}
}

// look has an application looked at soon, if its Argo CD is watched.
func (b *bot) look(app incident.App) {
	if len(b.lab.instances()) > 0 {
		b.reconciler.Add(app)
	}
}

// die ends the process as kill -9 does: nothing it does from now on has any effect.
func (b *bot) die() {
	b.dead.Store(true)
	b.kill()
	b.cancel()
}

// gone waits until the process has ended, whether it was killed or asked to.
func (l *lab) gone() {
	l.succession.Wait()
	l.mu.Lock()
	b := l.bot
	l.bot = nil
	l.mu.Unlock()
	if b == nil {
		return
	}
	b.end()
	if err := b.journal.Close(); err != nil {
		l.t.Error(err)
	}
}

// end has the process finish what it can, and waits for that.
func (b *bot) end() {
	l := b.lab
	b.cancel()
	b.ended.Wait()
	b.kill()
	ctx, stop := context.WithTimeout(context.WithoutCancel(l.t.Context()), time.Second)
	defer stop()
	if err := b.sender.Close(ctx); err != nil && !b.dead.Load() {
		l.t.Error(err)
	}
}

// killed reports whether the process was killed and not started again.
func (l *lab) killed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bot != nil && l.bot.dead.Load()
}

// journalOf is the journal as one process has it.
type journalOf struct{ *bot }

func (j journalOf) do(name string, what func() error) error {
	return j.lab.around(j.bot, name, func() error {
		j.lab.mu.Lock()
		down := j.lab.logDown
		j.lab.mu.Unlock()
		if down {
			return errDown
		}
		return what()
	})
}

func (j journalOf) List(ctx context.Context) (all []*incident.Incident, err error) {
	err = j.do("list", func() error { all, err = j.journal.List(ctx); return err })
	return all, err
}

func (j journalOf) Get(ctx context.Context, id string) (i *incident.Incident, err error) {
	err = j.do("get", func() error { i, err = j.journal.Get(ctx, id); return err })
	return i, err
}

func (j journalOf) Put(ctx context.Context, i *incident.Incident) error {
	return j.do("put", func() error { return j.journal.Put(ctx, i) })
}

func (j journalOf) Delete(ctx context.Context, i *incident.Incident) error {
	return j.do("delete", func() error { return j.journal.Delete(ctx, i) })
}

// meddle writes all entries as somebody else would.
func (b *bot) meddle() error {
	all, err := b.journal.List(b.lab.t.Context())
	if err != nil {
		return err
	}
	for _, i := range all {
		if err := b.journal.Put(b.lab.t.Context(), i); err != nil {
			return fmt.Errorf("write %s: %w", i.ID, err)
		}
	}
	return nil
}
