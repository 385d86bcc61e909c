package app

import (
	"context"
	"fmt"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/webhook"
)

// newHTTP sets up webhook, health, readiness and metrics. Tokens are in the order of the instances.
func (b *bot) newHTTP(c *config.Config, tokens []string) (*webhook.Server, error) {
	o := webhook.Options{Address: c.HTTP.Listen, MetricsAddress: c.HTTP.Metrics, Registry: b.registry, Log: b.log, Sink: b.hint}
	if t := c.HTTP.TLS; t.Given() {
		o.TLS = &webhook.Files{Cert: t.CertFile, Key: t.KeyFile}
	}
	if b.slack != nil {
		o.Checks = append(o.Checks, webhook.Check{Name: "slack", Ready: func(context.Context) error { return b.slack.Alive() }})
	}
	for i, in := range b.instances {
		o.Checks = append(o.Checks, webhook.Check{Name: "argocd " + in.Name, Ready: func(context.Context) error { return in.ConnectionState() }})
		if tokens[i] != "" {
			o.Hooks = append(o.Hooks, webhook.Hook{Instance: in.Name, Token: tokens[i]})
		}
	}
	return webhook.New(o)
}

// hint takes in what a webhook says: that it is worth looking at an application. Only what is handed over to the leader is written down: what is
// lost with the process, the watch lists again at the next start.
func (b *bot) hint(_ context.Context, app incident.App) error {
	if instanceOf(b.instances, app.Instance) == nil {
		return fmt.Errorf("no Argo CD named %q", app.Instance)
	}
	b.shards.of(app.Instance).look(app)
	return nil
}
