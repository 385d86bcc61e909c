package story_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

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
	world  *world
	dead   atomic.Bool
	cancel context.CancelFunc
	// alive ends when the process is killed.
	alive      context.Context //nolint:containedctx // it is what the process lives by
	kill       context.CancelFunc
	ended      sync.WaitGroup
	journal    *bolt.Journal
	sender     *deliver.Sender
	book       *incident.Store
	keeper     *incident.Syncer
	reconciler *incident.Reconciler
	actions    *remedy.Service
}

// start is a new process on the same disk.
func (w *world) start() error {
	w.gone()
	b := &bot{world: w}
	b.alive, b.kill = context.WithCancel(w.t.Context())
	var err error
	if b.journal, err = bolt.Open(w.file); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	b.cancel = cancel
	held, err := b.journal.List(ctx)
	if err != nil {
		return err
	}
	o := slack.Options{
		APIURL: "http://slack.internal/api/", HTTP: &http.Client{Transport: b},
		Links: render.Links{ArgoCD: map[string]string{"prod": "https://argocd.example.com"}}, Key: button.NewKey(w.app.BotToken),
	}
	b.sender = deliver.New(deliver.Options{
		Client: slack.NewClient(w.app.BotToken, "", o.APIURL, o.HTTP), Links: o.Links, Key: o.Key, Log: w.log,
		Offers: func(r *diagnose.Report) []diagnose.Action { return b.actions.Offers(r) },
	})
	b.book = incident.NewStore(w.policy, held)
	b.keeper = incident.NewSyncer(b.book, journalOf{b}, b.sender, w.log, incident.Metrics{})
	b.reconciler = incident.NewReconciler("prod", w, b.keeper, w.log, incident.Metrics{})
	if err := b.openActions(o); err != nil {
		return err
	}
	b.ended.Go(func() { _ = b.actions.Run(ctx) })
	b.ended.Go(func() { _ = b.keeper.Run(ctx) })
	b.ended.Go(func() { _ = b.reconciler.Run(ctx) })
	if err := b.listen(ctx, o); err != nil {
		return err
	}
	w.mu.Lock()
	w.bot = b
	w.mu.Unlock()
	settle()
	w.list(b)
	return nil
}

// die ends the process as kill -9 does: nothing it does from now on has any effect.
func (b *bot) die() {
	b.dead.Store(true)
	b.kill()
	b.cancel()
}

// gone waits until the process has ended, whether it was killed or asked to.
func (w *world) gone() {
	w.mu.Lock()
	b := w.bot
	w.bot = nil
	w.mu.Unlock()
	if b == nil {
		return
	}
	b.cancel()
	b.ended.Wait()
	b.kill()
	ctx, stop := context.WithTimeout(context.WithoutCancel(w.t.Context()), time.Second)
	defer stop()
	if err := b.sender.Close(ctx); err != nil && !b.dead.Load() {
		w.t.Error(err)
	}
	if err := b.journal.Close(); err != nil {
		w.t.Error(err)
	}
}

// killed reports whether the process was killed and not started again.
func (w *world) killed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bot != nil && w.bot.dead.Load()
}

// journalOf is the journal as one process has it.
type journalOf struct{ *bot }

func (j journalOf) do(name string, what func() error) error {
	return j.world.around(j.bot, name, func() error {
		j.world.mu.Lock()
		down := j.world.logDown
		j.world.mu.Unlock()
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
	all, err := b.journal.List(b.world.t.Context())
	if err != nil {
		return err
	}
	for _, i := range all {
		if err := b.journal.Put(b.world.t.Context(), i); err != nil {
			return fmt.Errorf("write %s: %w", i.ID, err)
		}
	}
	return nil
}
