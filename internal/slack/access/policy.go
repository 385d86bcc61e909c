package access

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/incident"
)

// Rule lets some people see some applications.
type Rule struct {
	// Instances and Projects are globs. Empty: all.
	Instances, Projects []string
	// Users are IDs, U…; Groups are IDs of user groups, S…; Channels are IDs, C…: whoever asks there may see the answer,
	// because everybody there can read it. One of the three is enough; without any it is everybody.
	Users, Groups, Channels []string
}

// Members knows who is in a user group.
type Members interface {
	// Members are the IDs of the users in a group.
	Members(ctx context.Context, group string) ([]string, error)
}

// Policy is a list of rules.
type Policy struct {
	rules  []Rule
	groups Members
}

// New makes a policy. groups is asked only if a rule names one.
func New(rules []Rule, groups Members) *Policy { return &Policy{rules: rules, groups: groups} }

// May reports whether the person may see the application, asked for in the channel. If not, why says so in a sentence,
// and who could: as <@U…>, <!subteam^S…>, <#C…>.
func (p *Policy) May(ctx context.Context, user, channel string, app incident.App, project string) (ok bool, why string) {
	if len(p.rules) == 0 {
		return true, ""
	}
	var could []string
	unread := false
	for _, r := range p.rules {
		if !r.covers(app, project) {
			continue
		}
		in, err := p.admits(ctx, r, user, channel)
		if in {
			return true, ""
		}
		unread = unread || err != nil
		could = append(could, r.who()...)
	}
	why = fmt.Sprintf("You don't have access to the applications of project %s", cmp.Or(project, "unknown"))
	if app.Instance != "" {
		why += " in " + app.Instance
	}
	if len(could) == 0 {
		return false, why + ": no rule under access in the bot's configuration covers them. Ask the people who run the bot to add one."
	}
	slices.Sort(could)
	why += ". People with access: " + strings.Join(slices.Compact(could), ", ") + "."
	if unread {
		why += " Slack did not return the members of the user groups just now. If you are in one of them, ask again in a moment."
	}
	return false, why
}

func (r Rule) covers(app incident.App, project string) bool {
	return (len(r.Instances) == 0 || anyFits(r.Instances, app.Instance)) && (len(r.Projects) == 0 || anyFits(r.Projects, project))
}

// admits fails closed: an error is a no.
func (p *Policy) admits(ctx context.Context, r Rule, user, channel string) (bool, error) {
	if len(r.Users) == 0 && len(r.Groups) == 0 && len(r.Channels) == 0 {
		return true, nil
	}
	if slices.Contains(r.Users, user) || slices.Contains(r.Channels, channel) {
		return true, nil
	}
	var failed error
	for _, g := range r.Groups {
		members, err := p.groups.Members(ctx, g)
		if err != nil {
			failed = err
			continue
		}
		if slices.Contains(members, user) {
			return true, nil
		}
	}
	return false, failed
}

// who are those that a rule admits.
func (r Rule) who() []string {
	var out []string
	for _, list := range []struct {
		form string
		ids  []string
	}{{"<!subteam^%s>", r.Groups}, {"<@%s>", r.Users}, {"anyone who asks in <#%s>", r.Channels}} {
		for _, id := range list.ids {
			out = append(out, fmt.Sprintf(list.form, id))
		}
	}
	return out
}

func anyFits(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, name)
		return ok && err == nil
	})
}
