package access

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/apps"
)

// Rule lets some people see some applications.
type Rule struct {
	// Instances and Projects are globs. Empty: all.
	Instances, Projects []string
	// Users are IDs, U…; Groups are IDs of user groups, S…; Channels are IDs, C…: whoever asks there may see the answer,
	// because everybody there can read it. One of the three is enough; without any it is everybody.
	Users, Groups, Channels []string
	// Publish: what a person may see by this rule is shown to everybody in the channel where they ask. Of a channel that people from
	// other organizations read, that is so only if Channels has it.
	Publish bool
}

// Members knows who is in a user group.
type Members interface {
	// Members are the IDs of the users in a group.
	Members(ctx context.Context, group string) ([]string, error)
}

// Guests knows who is a guest of the workspace. Whoever cannot be asked about is one.
type Guests interface {
	Guest(ctx context.Context, user string) (bool, error)
}

// Policy is a list of rules.
type Policy struct {
	rules  []Rule
	groups Members
	guests Guests
}

// New makes a policy. groups is asked only if a rule names one. guests are only let see what a rule gives to them by user or to the
// channel; nil makes no difference between them and members.
func New(rules []Rule, groups Members, guests Guests) *Policy {
	return &Policy{rules: rules, groups: groups, guests: guests}
}

// Acting is the policy for those who press a button: guests are like members in it. They press what they read in their channel, and
// the policy of actions lets only those who are named do so.
func (p *Policy) Acting() *Policy { return New(p.rules, p.groups, nil) }

// May implements apps.Viewer.
func (p *Policy) May(ctx context.Context, user, channel string, app incident.App, project string) apps.Sight {
	asker := p.asker(ctx, user, channel)
	if len(p.rules) == 0 {
		return apps.Sight{May: !asker.guest}
	}
	if slices.ContainsFunc(p.rules, func(r Rule) bool { return r.covers(app, project) && r.published(channel) }) {
		return apps.Sight{May: true, Published: true}
	}
	var sight apps.Sight
	for _, r := range p.rules {
		if !r.covers(app, project) {
			continue
		}
		switch in, _ := p.admits(ctx, r, asker); {
		case in && (r.Publish || !r.personal(channel)):
			return apps.Sight{May: true}
		case in:
			sight = apps.Sight{May: true, Personal: true}
		}
	}
	return sight
}

// Admits reports whether a person may see an application in a channel. Unlike May it tells a no from what could not be found out, which
// is the error.
func (p *Policy) Admits(ctx context.Context, user, channel string, app incident.App, project string) (bool, error) {
	asker := p.asker(ctx, user, channel)
	if len(p.rules) == 0 {
		return !asker.guest, asker.err
	}
	var unread error
	for _, r := range p.rules {
		if !r.covers(app, project) {
			continue
		}
		in, err := p.admits(ctx, r, asker)
		if in {
			return true, nil
		}
		unread = errors.Join(unread, err)
	}
	return false, unread
}

// maxNamed is how many of those who have access are named.
const maxNamed = 12

// Hidden implements apps.Viewer. All rules are asked, whatever was looked for: neither the words nor the time that they take say
// anything about one application.
func (p *Policy) Hidden(ctx context.Context, user, channel string) string {
	asker := p.asker(ctx, user, channel)
	unread, everything := asker.err != nil, len(p.rules) == 0 && !asker.guest
	var could []string
	for _, r := range p.rules {
		in, err := p.admits(ctx, r, asker)
		everything = everything || in && r.all()
		unread = unread || err != nil
		could = append(could, r.who()...)
	}
	if everything {
		return ""
	}
	var said []string
	if asker.guest && asker.err == nil {
		said = append(said, "As a guest of this workspace you see only the applications that an entry under access in the bot's configuration gives to you by name or to this channel.")
	}
	slices.Sort(could)
	could = slices.Compact(could)
	switch {
	case len(could) == 0:
		said = append(said, "Ask the people who run the bot for access.")
	case len(could) <= maxNamed:
		said = append(said, "Access to applications is given to "+strings.Join(could, ", ")+".")
	default:
		said = append(said, "Who has access is defined under access in the bot's configuration.")
	}
	if unread {
		said = append(said, "Slack did not return the members of the user groups just now. If you are in one of them, ask again in a moment.")
	}
	return strings.Join(said, " ")
}

// asker is who asks, and where.
type asker struct {
	user, channel string
	guest         bool
	// err is why Slack does not say whether it is a guest; then it counts as one.
	err error
}

func (p *Policy) asker(ctx context.Context, user, channel string) asker {
	a := asker{user: user, channel: channel}
	if p.guests == nil {
		return a
	}
	a.guest, a.err = p.guests.Guest(ctx, user)
	a.guest = a.guest || a.err != nil
	return a
}

func (r Rule) covers(app incident.App, project string) bool {
	return (len(r.Instances) == 0 || anyFits(r.Instances, app.Instance)) && (len(r.Projects) == 0 || anyFits(r.Projects, project))
}

// all reports whether the rule is about every application.
func (r Rule) all() bool { return len(r.Instances) == 0 && len(r.Projects) == 0 }

func (r Rule) everybody() bool {
	return len(r.Users) == 0 && len(r.Groups) == 0 && len(r.Channels) == 0
}

// published reports whether the rule is about everybody who reads the channel, whichever organization they are of.
func (r Rule) published(channel string) bool {
	return r.Publish && slices.Contains(r.Channels, channel)
}

// personal reports whether the rule admits some people and not all who read the channel.
func (r Rule) personal(channel string) bool {
	return !r.everybody() && !slices.Contains(r.Channels, channel)
}

// admits fails closed: an error is a no.
func (p *Policy) admits(ctx context.Context, r Rule, a asker) (bool, error) {
	switch {
	case slices.Contains(r.Users, a.user) || slices.Contains(r.Channels, a.channel):
		return true, nil
	case a.guest:
		return false, a.err
	case r.everybody():
		return true, nil
	}
	var failed error
	for _, g := range r.Groups {
		members, err := p.groups.Members(ctx, g)
		if err != nil {
			failed = err
			continue
		}
		if slices.Contains(members, a.user) {
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
