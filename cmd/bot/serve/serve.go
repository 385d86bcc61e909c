// Package serve is the bot: it ties Argo CD, the diagnosis, the life of incidents and Slack together, and runs them.
//
//	Argo CD webhook ─┐
//	Argo CD watch  ──┼─► reconciler ─► book ─► keeper ─► journal, then Slack
//	cron sweep     ──┤
//	/argo why      ──┘
//
//	button ─► slack ─► desk ─► action log, then Argo CD or the cluster, then the book
package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/remedy"
	"github.com/argo-why/argo-why/internal/schedule"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/access"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/webhook"
)

// gatherFor is how long an application with a cause that others may share waits for them. An outage shows in all of them
// within seconds; a person notices no three of these.
const gatherFor = 3 * time.Second

// sweepTimeout is for one sweep, of all instances at the same time.
const sweepTimeout = time.Minute

// Options are what a run needs.
type Options struct {
	Config  *config.Config
	Version string
	Log     *slog.Logger
}

// bot is a run in the making: what is set up is closed in the opposite order.
type bot struct {
	Options
	registry  *prometheus.Registry
	closers   []func() error
	instances []*instance
	book      *incident.Store
	keeper    *incident.Syncer
	botToken  string
	appToken  string
	links     render.Links
	viewer    slack.Viewer
	groups    *access.Groups
	sender    *deliver.Sender
	// actionLogs are the journal of desk, where people have things done.
	actionLogs action.Journal
	desk       *remedy.Service
	slack      *slack.App
	http       *webhook.Server
	schedule   *schedule.Schedule
}

// Run sets the bot up and runs it until the context ends, or something fails that it cannot do without. Then it finishes
// what it has begun.
func Run(ctx context.Context, o Options) (err error) {
	b := &bot{Options: o, registry: prometheus.NewRegistry()}
	b.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	defer func() {
		for i := len(b.closers) - 1; i >= 0; i-- {
			err = errors.Join(err, b.closers[i]())
		}
	}()
	// The order is that of need: each step uses what the ones before have set up.
	for _, step := range []func(context.Context) error{b.openInstances, b.openSlack, b.openBook, b.openDesk, b.openCommands, b.openSchedule, b.openHTTP} {
		if err := step(ctx); ctx.Err() != nil {
			return nil // asked to stop before it began
		} else if err != nil {
			return err
		}
	}
	b.Log.Info("started", "version", o.Version, "instances", len(b.instances), "channel", o.Config.Slack.Channel)
	return b.run(ctx)
}

// run runs everything that was set up. The first that fails ends the others. The keeper ends after the desk: what an action
// comes to while it is finished is to be told, too.
func (b *bot) run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	telling, lastWord := context.WithCancel(context.WithoutCancel(ctx))
	group.Go(func() error { return b.http.Run(ctx) })
	group.Go(func() error { return b.slack.Run(ctx) })
	group.Go(func() error { return b.keeper.Run(telling) })
	group.Go(func() error { defer lastWord(); return b.desk.Run(ctx) })
	group.Go(func() error { b.schedule.Run(ctx); return nil })
	for _, in := range b.instances {
		group.Go(func() error { return in.reconciler.Run(ctx) })
		group.Go(func() error {
			if err := in.Follow(ctx, b.book.Live, b.desk.Changed); ctx.Err() == nil {
				return err
			}
			return nil
		})
	}
	err := group.Wait()
	b.Log.Info("stopped")
	return err
}

func (b *bot) openInstances(ctx context.Context) error {
	engine, err := diagnose.New(rules.All())
	if err != nil {
		return err
	}
	engine.Timeout = factTimeout
	for i := range b.Config.ArgoCD {
		in, err := connect(ctx, &b.Config.ArgoCD[i], engine, b.Version, b.Log)
		if err != nil {
			return err
		}
		b.closers = append(b.closers, in.client.Close)
		b.instances = append(b.instances, in)
	}
	return nil
}

// openBook reads the journal, and sets up what decides, remembers and tells.
func (b *bot) openBook(ctx context.Context) error {
	journals, err := openJournals(b.Config.Journal, b.Version)
	if err != nil {
		return err
	}
	if journals.close != nil {
		b.closers = append(b.closers, journals.close)
	}
	b.actionLogs = journals.actions
	held, err := journals.incidents.List(ctx)
	if err != nil {
		return fmt.Errorf("read the journal: %w", err)
	}
	b.book = incident.NewStore(policyOf(b.Config), held)
	metrics := incident.NewMetrics(b.registry, b.book)
	b.keeper = incident.NewSyncer(b.book, journals.incidents, b.sender, b.Log, metrics)
	for _, in := range b.instances {
		in.book = b.book
		in.reconciler = incident.NewReconciler(in.name, in, b.keeper, in.log, metrics)
	}
	b.Log.Info("journal read", "incidents", len(held))
	return nil
}

func policyOf(c *config.Config) incident.Policy {
	i := c.Incidents
	return incident.Policy{
		OpenAfter: i.OpenAfterOf, Ignored: i.Ignores, Channel: c.Channel, HoldFor: i.HoldFor, ReopenWithin: i.ReopenWithin,
		RemindAfter: i.RemindAfter, GroupFrom: i.GroupFrom, GatherFor: gatherFor, KeepFor: i.ExpireAfter,
	}
}

// openSchedule plans the sweep, once at the start and then as the configuration says.
func (b *bot) openSchedule(context.Context) error {
	sweep := schedule.Job{Name: "sweep", Spec: b.Config.Sweep, Timeout: sweepTimeout, Run: b.sweep}
	var err error
	b.schedule, err = schedule.New(b.Log, nil, sweep)
	return err
}

// sweep looks for what webhook and watch missed. An Argo CD that does not answer does not keep the others from being swept.
func (b *bot) sweep(ctx context.Context) error {
	b.keeper.Expire(time.Now())
	live := b.book.LiveApps()
	errs := make([]error, len(b.instances))
	var group sync.WaitGroup
	for i, in := range b.instances {
		group.Go(func() { errs[i] = in.Sweep(ctx, live) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// openHTTP sets up webhook, health, readiness and metrics.
func (b *bot) openHTTP(context.Context) error {
	o := webhook.Options{Address: b.Config.HTTP.Listen, Registry: b.registry, Log: b.Log, Sink: b.hint}
	o.Checks = append(o.Checks, webhook.Check{Name: "slack", Ready: func(context.Context) error { return b.slack.Alive() }})
	for i, in := range b.instances {
		o.Checks = append(o.Checks, webhook.Check{Name: "argocd " + in.name, Ready: func(context.Context) error { return in.hears() }})
		secret := b.Config.ArgoCD[i].WebhookToken
		if !secret.Given() {
			continue
		}
		token, err := secret.Read()
		if err != nil {
			return fmt.Errorf("argocd %s: webhookToken: %w", in.name, err)
		}
		o.Hooks = append(o.Hooks, webhook.Hook{Instance: in.name, Token: token})
	}
	var err error
	b.http, err = webhook.New(o)
	return err
}

// hint takes in what a webhook says: that it is worth looking at an application. It is not written down: what is lost with
// the process, the watch lists again at the next start.
func (b *bot) hint(_ context.Context, app incident.App) error {
	for _, in := range b.instances {
		if in.name == app.Instance {
			in.reconciler.Add(app)
			return nil
		}
	}
	return fmt.Errorf("no Argo CD %q", app.Instance)
}
