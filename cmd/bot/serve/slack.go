package serve

import (
	"context"
	"fmt"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/access"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// closeTimeout is how long what was handed over to Slack's line may still take at the end.
const closeTimeout = 5 * time.Second

// openSender sets up what posts.
func (b *bot) openSender(context.Context) error {
	token, err := b.Config.Slack.BotToken.Read()
	if err != nil {
		return fmt.Errorf("slack.botToken: %w", err)
	}
	links := render.Links{ArgoCD: map[string]string{}, Command: b.Config.Slack.Command}
	for _, in := range b.instances {
		links.ArgoCD[in.name] = in.url
	}
	b.links = links
	b.sender = deliver.New(deliver.Options{
		Client: slack.NewClient(token, "", b.Config.Slack.APIURL, nil), Team: b.Config.Slack.Team, Links: links, Registerer: b.registry, Log: b.Log,
	})
	b.closers = append(b.closers, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		return b.sender.Close(ctx)
	})
	return nil
}

// openCommands sets up what listens and answers.
func (b *bot) openCommands(context.Context) error {
	c := b.Config.Slack
	botToken, err := c.BotToken.Read()
	if err != nil {
		return fmt.Errorf("slack.botToken: %w", err)
	}
	appToken, err := c.AppToken.Read()
	if err != nil {
		return fmt.Errorf("slack.appToken: %w", err)
	}
	groups := access.NewGroups(access.Options{BotToken: botToken, APIURL: c.APIURL, Log: b.Log})
	b.slack, err = slack.New(slack.Options{
		BotToken: botToken, AppToken: appToken, Team: c.Team, APIURL: c.APIURL,
		Backend: &backend{instances: b.instances, book: b.book}, Viewer: access.New(rulesOf(b.Config.Access), groups),
		Sender: b.sender, Links: b.links, Registry: b.registry, Log: b.Log,
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
