package world

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/workspace"
)

const (
	// Instance is what the simulated Argo CD is called, in messages and commands.
	Instance = "demo"
	// syncTakes is how long a sync takes: long enough to be seen.
	syncTakes = 3 * time.Second
	// hookTimeout is for one notification.
	hookTimeout = 10 * time.Second
)

// World is a Slack workspace, an Argo CD, and a bot between them. Its methods may be used in parallel.
type World struct {
	Slack  *workspace.Workspace
	ArgoCD *simulator.Server
	People *People

	log           io.Writer
	dir           string
	slackAPI      string // an address
	tokens        struct{ argoCD, webhook string }
	client        *http.Client
	bot           bot
	notifications *notifications
	failures      failures
	armed         armed

	closing chan struct{}
	cancel  context.CancelFunc
	workers sync.WaitGroup
	closers []func() error
}

// New makes a world without applications and without a bot. What the bot logs goes to log; nil for nowhere.
func New(ctx context.Context, log io.Writer) (w *World, err error) {
	w = &World{log: log, closing: make(chan struct{}), client: &http.Client{Timeout: hookTimeout}}
	w.bot.changed = make(chan struct{})
	ctx, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	defer func() {
		if err != nil {
			w, err = nil, errors.Join(err, w.Close())
		}
	}()
	if w.dir, err = os.MkdirTemp("", "argo-why-demo-"); err != nil {
		return w, fmt.Errorf("start the demo: %w", err)
	}
	w.tokens.argoCD, w.tokens.webhook = rand.Text(), rand.Text()
	if err = w.startSlack(ctx); err != nil {
		return w, err
	}
	w.ArgoCD, err = simulator.New(simulator.Options{Token: w.tokens.argoCD, Recent: true, Whole: true, SyncTakes: syncTakes})
	if err != nil {
		return w, err
	}
	w.closers = append(w.closers, w.ArgoCD.Close)
	w.notifications = &notifications{
		argoCD: w.ArgoCD, client: w.client, token: w.tokens.webhook, delivery: Delivered, sent: map[simulator.Name]string{},
		url: func() string { return w.hooksURL() + "/hooks/argocd/" + Instance },
	}
	w.workers.Go(func() { w.notifications.run(ctx) })
	return w, w.failures.read()
}

func (w *World) startSlack(ctx context.Context) error {
	w.Slack = workspace.New(workspace.Options{Pace: true})
	w.closers = append(w.closers, func() error { w.Slack.Close(); return nil })
	server, err := workspace.Start(ctx, "127.0.0.1:0", w.Slack)
	if err != nil {
		return err
	}
	w.closers = append(w.closers, server.Close)
	w.slackAPI, w.People = w.Slack.URL()+"/api/", populate(w.Slack)
	return nil
}

// ArgoCDToken is the token of the bot's account, for somebody who wants to see what it sees.
func (w *World) ArgoCDToken() string { return w.tokens.argoCD }

// addresses are where the bot listens.
type addresses struct{ hooks, metrics string }

// freeAddresses are two of this machine that nobody listens on at the moment.
func freeAddresses(ctx context.Context) (*addresses, error) {
	hooks, err := listen(ctx)
	if err != nil {
		return nil, err
	}
	metrics, err := listen(ctx) // while the first is held, so that they differ
	if err != nil {
		return nil, errors.Join(err, hooks.Close())
	}
	return &addresses{hooks.Addr().String(), metrics.Addr().String()}, errors.Join(hooks.Close(), metrics.Close())
}

func listen(ctx context.Context) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("find a port for the bot: %w", err)
	}
	return l, nil
}

// settings are the configuration of a replica. Asked for with w.bot.mu held, so nothing here takes a lock of Slack: a call may wait
// under that one until the bot is dead, see KillBotAt.
func (w *World) settings(o BotOptions, r *replica) *settings {
	s := &settings{
		Dir: w.dir, File: fmt.Sprintf("config-%d.yaml", r.n), Team: w.Slack.TeamID(), Channel: Channel, Command: Command, SlackAPI: w.slackAPI,
		Instance: Instance, ArgoCD: w.ArgoCD.Address(), ArgoCDPages: o.ArgoCDPages, Listen: r.at.hooks, Metrics: r.at.metrics,
		BotToken: w.People.App.BotToken, AppToken: w.People.App.AppToken, ArgoCDToken: w.tokens.argoCD, WebhookToken: w.tokens.webhook,
		Timing: o.Timing, Grants: o.Grants,
	}
	if o.Cluster != nil {
		s.Namespace, s.Leaders = o.Cluster.Namespace, o.Cluster.Leaders
	}
	return s
}

// Close ends everything, the bot at once: it loses nothing by that. What was written is removed.
func (w *World) Close() error {
	close(w.closing)
	w.cancel()
	w.workers.Wait()
	var errs []error
	for i := len(w.closers) - 1; i >= 0; i-- {
		errs = append(errs, w.closers[i]())
	}
	if w.dir != "" {
		errs = append(errs, os.RemoveAll(w.dir))
	}
	return errors.Join(errs...)
}
