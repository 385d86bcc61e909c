package serve

import (
	"context"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/access"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// closeTimeout is how long what was handed over to Slack's line may still take at the end.
const closeTimeout = 5 * time.Second

// openSlack reads the tokens, and sets up what posts and who may look.
func (b *bot) openSlack(context.Context) (err error) {
	c := b.Config.Slack
	if b.botToken, err = c.BotToken.Read(); err != nil {
		return fmt.Errorf("slack.botToken: %w", err)
	}
	if b.appToken, err = c.AppToken.Read(); err != nil {
		return fmt.Errorf("slack.appToken: %w", err)
	}
	api := slack.NewClient(b.botToken, "", c.APIURL, nil)
	b.links = render.Links{ArgoCD: map[string]string{}, Command: c.Command}
	for _, in := range b.instances {
		b.links.ArgoCD[in.name] = in.url
	}
	b.sender = deliver.New(deliver.Options{
		Client: api, Team: c.Team, Links: b.links, Key: button.NewKey(b.botToken), Registerer: b.registry, Log: b.Log,
		// The desk tells through the sender, and so is made after it.
		Offers: func(r *diagnose.Report) []diagnose.Action { return b.desk.Offers(r) },
	})
	b.groups = access.NewGroups(api, b.Log)
	b.viewer = access.New(rulesOf(b.Config.Access), b.groups)
	b.closers = append(b.closers, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		return b.sender.Close(ctx)
	})
	return nil
}

// openCommands sets up what listens and answers.
func (b *bot) openCommands(context.Context) (err error) {
	c := b.Config.Slack
	b.slack, err = slack.New(slack.Options{
		BotToken: b.botToken, AppToken: b.appToken, Team: c.Team, APIURL: c.APIURL,
		Backend: &backend{instances: b.instances, book: b.book}, Viewer: b.viewer,
		Sender: b.sender, Actions: b.desk, Key: button.NewKey(b.botToken), Links: b.links, Registry: b.registry, Log: b.Log,
	})
	return err
}

func rulesOf(all []config.Access) []access.Rule {
	var out []access.Rule
	for _, a := range all {
		out = append(out, access.Rule{Instances: a.Instances, Projects: a.Projects, Users: a.Users, Groups: a.UserGroups, Channels: a.Channels})
	}
	return out
}
