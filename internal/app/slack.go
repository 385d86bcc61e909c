package app

import (
	"context"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/slack/deliver"
	"github.com/argo-why/argo-why/internal/slack/people"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// closeTimeout is how long the last messages may take to be sent when the bot ends.
const closeTimeout = 5 * time.Second

func closeSender(s *deliver.Sender) error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return s.Close(ctx)
}

func newLinks(c *config.Config) render.Links {
	links := render.Links{ArgoCD: map[string]string{}, Command: c.Slack.Command}
	for i := range c.ArgoCD {
		links.ArgoCD[c.ArgoCD[i].Name] = c.ArgoCD[i].URL
	}
	return links
}

func accessRules(all []config.Access) []audience.Rule {
	var out []audience.Rule
	for _, a := range all {
		out = append(out, audience.Rule{Instances: a.Instances, Projects: a.Projects, Users: a.Users, Groups: a.UserGroups, Channels: a.Channels, Publish: a.Answers == config.AnswersPublic})
	}
	return out
}

// guestsOf tells guests from members, or makes no difference between them where the configuration says so.
func guestsOf(c *config.Config, who *people.Directory) audience.Guests {
	if c.Slack.Guests == config.GuestsLikeMembers {
		return nil
	}
	return who.Guests()
}

// ruleTitles are the titles of all rules by ID, and that of a failure that none explains.
func ruleTitles() map[string]string {
	titles := map[string]string{reporttext.NoRule: "No known cause matched"}
	for _, r := range rules.All() {
		titles[r.ID] = r.Doc.Title
	}
	return titles
}
