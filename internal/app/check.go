package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/slack/probe"
)

// CheckOptions say what to check.
type CheckOptions struct {
	Version string
	// Post: what the bot does all the time is done once, and undone. A message is posted in each channel, the bot that runs here gets a webhook
	// from each Argo CD that sends them, and an entry is written to the journal.
	Post bool
}

// Checks are what `bot check` asks of a configuration that is valid, and the bot itself when it starts.
func Checks(c *config.Config, o CheckOptions) []preflight.Check {
	version := o.Version
	checks := []preflight.Check{
		checkSlack(c, o.Post),
		checkJournal(c, version),
	}
	for i := range c.ArgoCD {
		checks = append(checks,
			checkInstance(&c.ArgoCD[i], c, version),
			preflight.Given(preflight.CheckWebhookToken(c.ArgoCD[i].Name, c.ArgoCD[i].WebhookToken.Given(), c.ArgoCD[i].WebhookToken)),
			preflight.Given(checkCertificate(&c.ArgoCD[i])...),
			preflight.Given(checkKubeconfig(&c.ArgoCD[i])...),
		)
	}
	if o.Post {
		checks = append(checks, proofs(c, version)...)
	}
	return append(checks, preflight.Given(whoMay(c.Actions)...), preflight.Given(checkJobs(c, time.Now())...))
}

// checkRulePatterns finds patterns that no rule fits: the rules are known here, not to the configuration.
func checkRulePatterns(c *config.Config) []preflight.Finding {
	all := []string{"unknown"} // what a failure is called that no rule explains
	for _, r := range rules.All() {
		all = append(all, r.ID)
	}
	var found []preflight.Finding
	look := func(key, pattern string) {
		if !slices.ContainsFunc(all, func(id string) bool { return config.FitsRule(pattern, id) }) {
			found = append(found, preflight.Finding{What: key, Problem: fmt.Sprintf("no rule named %s", pattern), Remedy: "run '" + program.Name() + " rules' to list them"})
		}
	}
	for _, pattern := range slices.Sorted(maps.Keys(c.Incidents.OpenAfterByRule)) {
		look("incidents.openAfterByRule", pattern)
	}
	for _, pattern := range c.Incidents.Ignore {
		look("incidents.ignore", pattern)
	}
	return found
}

func checkSlack(c *config.Config, post bool) preflight.Check {
	return func(ctx context.Context) []preflight.Finding {
		var found []preflight.Finding
		read := func(what string, s config.Secret) string {
			value, f := preflight.ReadSecret(what, s)
			if !f.OK() {
				found = append(found, f)
			}
			return value
		}
		o := probe.Options{
			APIURL: c.Slack.APIURL, Team: c.Slack.Team, Channels: c.Channels(), Post: post, UserGroups: c.UserGroups(),
			BotToken: read("slack bot token", c.Slack.BotToken), AppToken: read("slack socket", c.Slack.AppToken),
		}
		return append(found, probe.Run(ctx, o)...)
	}
}

// checkKubeconfig finds out whether a kubeconfig that was named can be used. It asks no cluster: which one it is depends on
// the application, and a report says what could not be read there.
func checkKubeconfig(a *config.Instance) []preflight.Finding {
	if err := gatewayOptions(a, "", "").CheckKubeconfig(); err != nil {
		text := strings.NewReplacer("--kubeconfig ", "kubeconfig ", "--kube-context ", "context ").Replace(err.Error())
		return []preflight.Finding{{What: "argocd " + a.Name + " kubernetes", Problem: text}}
	}
	return nil
}
