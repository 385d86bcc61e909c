package app

import (
	"context"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/remedy"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/access"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/slack/shared"
)

// setUp makes the parts of the bot, each of those before it, and starts nothing. What it opens is closed by the clean-ups, also
// where a later part fails.
func setUp(ctx context.Context, o Options, cleanUps *cleanUps) (*bot, error) {
	c := o.Config
	secrets, err := readSecrets(c)
	if err != nil {
		return nil, err
	}
	engine, err := diagnose.New(rules.All())
	if err != nil {
		return nil, err
	}
	b := &bot{log: o.Log, registry: newRegistry()}

	journals, err := openJournals(ctx, c.Journal, o)
	if err != nil {
		return nil, err
	}
	cleanUps.add("the journal", journals.close)
	b.replicas = newReplicas(journals, c.Journal, b.log)
	held, damaged, err := b.readIncidents(ctx)
	if err != nil {
		return nil, err
	}
	b.shards = b.newShards(c, b.registry)
	if b.crew != nil {
		b.crew.leads, b.handOver.Leads = b.shards.held, b.shards.held
	}
	for _, s := range b.shards {
		s.beginWith(held, damaged)
	}

	for i := range c.ArgoCD {
		s := b.shards.of(c.ArgoCD[i].Name)
		in, err := connect(ctx, &c.ArgoCD[i], secrets.argoCD[i], engine, s.incidents, o)
		if err != nil {
			return nil, err
		}
		cleanUps.add("the connection to Argo CD "+in.Name, in.connection.Close)
		b.instances, s.instances = append(b.instances, in), append(s.instances, in)
	}

	if o.DryRun {
		for _, s := range b.shards {
			b.places = b.newPlaces(c, audience.NewPolicy(accessRules(c.Access), nil, nil), unshared{})
			s.watch(&deliver.DryRun{Links: newLinks(c), Audience: b.places.InChannel, Log: s.log}, b.places)
		}
	} else {
		key, err := buttonKey(ctx, journals.keys, secrets.bot, o.ReplaceButtonKey, b.log)
		if err != nil {
			return nil, err
		}
		b.renewKey = func(ctx context.Context) { renewKey(ctx, journals.keys, key, b.log) }
		if err := b.talk(c, secrets, key, cleanUps); err != nil {
			return nil, err
		}
	}
	b.schedule, err = b.newSchedule(c)
	if err != nil {
		return nil, err
	}
	b.http, err = b.newHTTP(c, secrets.hooks)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// watch sets up what looks at applications, and posts what there is to say.
func (s *shard) watch(notifier incident.Notifier, places *audience.Places) {
	metrics := incident.NewMetrics(s.registry, s.incidents)
	s.syncer = incident.NewSyncer(s.incidents, s.journal, notifier, s.log, metrics)
	for _, in := range s.instances {
		in.reconciler = incident.NewReconciler(in.Name, channelReader{in, s.incidents, places}, s.syncer, in.log, metrics)
		in.reconciler.Wanted = func(app incident.App) uint64 {
			e, _ := in.Directory.Entry(app)
			return e.Wanted
		}
	}
}

// talk sets up what posts to Slack, answers people there, and does what they ask for.
func (b *bot) talk(c *config.Config, secrets secrets, key button.Key, cleanUps *cleanUps) (err error) {
	key = key.Of(c.Slack.Team)
	api := slack.NewClient(secrets.bot, "", c.Slack.APIURL, nil)
	links := newLinks(c)
	sender := deliver.New(deliver.Options{
		Client: api, Team: c.Slack.Team, Links: links, Key: key, Registerer: b.registry, Log: b.log,
		// The actions report through the sender, and so are made after it.
		Offers: b.shards.Offers,
		// So are the audiences.
		Audience: func(ctx context.Context, channel string) audience.Audience { return b.places.InChannel(ctx, channel) },
	})
	cleanUps.add("the connection to Slack", func() error { return closeSender(sender) })
	groups, who := access.NewGroups(api, b.log), people.New(api, c.Slack.Team, b.log)
	viewer := audience.NewPolicy(accessRules(c.Access), groups, guestsOf(c, who))
	channels := shared.New(api, b.log)
	channels.ID = sender.ChannelID
	b.places = b.newPlaces(c, viewer, channels)

	policy := action.NewPolicy(actionGrants(c.Actions), groups.Fresh(), who.FreshGuests())
	asking := access.Standing{People: who, Viewer: audience.NewPolicy(accessRules(c.Access), groups.Fresh(), nil)}
	for _, s := range b.shards {
		threads := sender.Threads(slack.NewClient(secrets.bot, "", c.Slack.APIURL, fencedClient(s.Leading)))
		s.watch(threads, b.places)
		s.actions = remedy.New(remedy.Options{
			Gateways: s.gateways(b.places), Journal: b.journals.actions, Log: s.log, Registry: s.registry, Policy: policy, Standing: asking, Owns: s.owns,
			Notifier: notes{deliver.Notes{Syncer: s.syncer, Threads: threads}, s.leads}, Mute: s.syncer.Mute, Look: s.lookFirst,
		})
	}

	b.slack, err = slack.New(slack.Options{
		BotToken: secrets.bot, AppToken: secrets.app, Team: c.Slack.Team, APIURL: c.Slack.APIURL,
		Backend: &slackBackend{instances: b.instances, shards: b.shards, rules: ruleTitles()}, Viewer: viewer, Acting: viewer.Acting(), Places: b.places,
		People: who, Sender: sender, Actions: b.shards, Key: key, Links: links, Jobs: jobsOf(c), Registry: b.registry, Log: b.log,
	})
	return err
}

// secrets are what the configuration says where to find.
type secrets struct {
	bot, app string
	argoCD   []string // in the order of the instances
	hooks    []string // the same; "" where an instance has no webhook
}

func readSecrets(c *config.Config) (secrets, error) {
	var s secrets
	for i := range c.ArgoCD {
		token, err := c.ArgoCD[i].Token.Read()
		if err != nil {
			return secrets{}, fmt.Errorf("argocd %s: token: %w", c.ArgoCD[i].Name, err)
		}
		hook := ""
		if c.ArgoCD[i].WebhookToken.Given() {
			if hook, err = c.ArgoCD[i].WebhookToken.Read(); err != nil {
				return secrets{}, fmt.Errorf("argocd %s: webhookToken: %w", c.ArgoCD[i].Name, err)
			}
		}
		s.argoCD, s.hooks = append(s.argoCD, token), append(s.hooks, hook)
	}
	var err error
	if s.bot, err = c.Slack.BotToken.Read(); err != nil {
		return secrets{}, fmt.Errorf("slack.botToken: %w", err)
	}
	if s.app, err = c.Slack.AppToken.Read(); err != nil {
		return secrets{}, fmt.Errorf("slack.appToken: %w", err)
	}
	return s, nil
}

func newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}
