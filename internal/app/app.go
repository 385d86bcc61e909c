package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/schedule"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/webhook"
)

// Options are what a run needs.
type Options struct {
	// Config names all endpoints, and where the secrets are.
	Config  *config.Config
	Version string
	// Log is written to; see NewLog.
	Log *slog.Logger
	// DryRun: it reads and decides as always, and logs what it would post. It posts nothing, writes no journal, and takes no
	// commands.
	DryRun bool
	// ReplaceButtonKey: buttons are signed with a new key; those signed with the one before still work.
	ReplaceButtonKey bool
}

// bot is everything that was set up, and runs.
type bot struct {
	*replicas
	log       *slog.Logger
	registry  *prometheus.Registry
	shards    shards
	instances []*instance // of all shards
	// places say who reads what is posted.
	places   *audience.Places
	slack    *slack.App // nil in a dry run
	schedule *schedule.Schedule
	http     *webhook.Server
	// renewKey follows the key of buttons, which replicas share.
	renewKey func(context.Context)
}

// Run sets the bot up and runs it until the context ends, or something fails that it cannot do without. Then it finishes
// what it has begun.
func Run(ctx context.Context, o Options) (err error) {
	endChecks := startChecks(ctx, o.Log, func() []preflight.Check {
		// bot check has them as problems of the file, each with its line. Here a rule that was renamed must not stop the bot.
		return append([]preflight.Check{preflight.Given(checkRulePatterns(o.Config)...)}, Checks(o.Config, CheckOptions{Version: o.Version})...)
	})
	defer endChecks()
	var cleanUps cleanUps
	defer func() { err = errors.Join(err, cleanUps.run()) }()
	b, err := setUp(ctx, o, &cleanUps)
	switch {
	case ctx.Err() != nil:
		return nil // asked to stop before it began
	case err != nil:
		return err
	}
	if o.DryRun {
		b.log.Info("dry run: nothing is posted, no journal is written, and commands and clicks are not received")
	}
	b.log.Info("started", "version", o.Version, "instances", len(b.instances), "channel", o.Config.Slack.Channel)
	return b.run(ctx)
}

// run runs everything that was set up. The first that fails ends the others.
func (b *bot) run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return b.http.Run(ctx) })
	// The entry of this replica goes last: while it is there, others know that this one may still lead.
	handingOver, stopHandingOver := context.WithCancel(context.WithoutCancel(ctx))
	defer stopHandingOver()
	var leads sync.WaitGroup
	for _, s := range b.shards {
		leads.Add(1)
		group.Go(func() error { defer leads.Done(); return s.lead(ctx) })
	}
	group.Go(func() error { b.schedule.Run(ctx); return nil })
	if b.slack != nil { // a dry run answers nobody
		group.Go(func() error { return b.slack.Run(ctx) })
	}
	if b.handOver != nil {
		group.Go(func() error { b.handOver.Run(handingOver); return nil })
		group.Go(func() error { leads.Wait(); stopHandingOver(); return nil })
		group.Go(func() error { b.renewKey(ctx); return nil })
	}
	if b.crew != nil {
		group.Go(func() error { b.spreadEvenly(ctx); return nil })
	}
	for _, in := range b.instances {
		group.Go(func() error {
			if err := in.follow(ctx, b.shards.of(in.Name).incidents.Live, b.changed); ctx.Err() == nil {
				return err
			}
			return nil
		})
	}
	err := group.Wait()
	b.log.Info("stopped")
	return err
}

// changed has the requests looked at that are about an application.
func (b *bot) changed(app incident.App) {
	if s := b.shards.of(app.Instance); s.actions != nil {
		s.actions.Changed(app)
	}
}

// startChecks logs what `bot check` would find. It runs beside the start: what is wrong may be repaired while the bot runs, and
// none of it stops what works. After end nothing is logged. A check that goes on is not waited for: some read files, and a file
// of a server that hangs has no context to end it.
func startChecks(ctx context.Context, log *slog.Logger, checks func() []preflight.Check) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	found := make(chan []preflight.Finding, 1)
	go func() { found <- preflight.Run(ctx, checks()) }()
	var logging sync.WaitGroup
	logging.Go(func() {
		select {
		case <-ctx.Done():
		case all := <-found:
			for _, f := range all {
				switch {
				case f.OK() || ctx.Err() != nil:
				case f.Optional:
					log.Info("preflight", "what", f.What, "optional", f.Problem, "remedy", f.Remedy)
				default:
					log.Error("preflight", "what", f.What, "problem", f.Problem, "remedy", f.Remedy)
				}
			}
		}
	})
	return func() {
		cancel()
		logging.Wait()
	}
}

// cleanUps are what ends the parts of a bot, in the opposite order of their set-up.
type cleanUps []cleanUp

type cleanUp struct {
	part  string
	close func() error
}

func (c *cleanUps) add(part string, closePart func() error) {
	*c = append(*c, cleanUp{part, closePart})
}

func (c *cleanUps) run() error {
	var errs []error
	for i := len(*c) - 1; i >= 0; i-- {
		if err := (*c)[i].close(); err != nil {
			errs = append(errs, fmt.Errorf("close %s: %w", (*c)[i].part, err))
		}
	}
	return errors.Join(errs...)
}
