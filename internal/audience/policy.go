package audience

import (
	"context"
	"errors"
	"slices"
	"strings"
)

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

// NewPolicy makes a policy. groups is asked only if a rule names one. guests are only let see what a rule gives to them by user or to the
// channel; nil makes no difference between them and members.
func NewPolicy(rules []Rule, groups Members, guests Guests) *Policy {
	return &Policy{rules: rules, groups: groups, guests: guests}
}

// Acting is the policy for those who press a button: guests are like members in it. They press what they read in their channel, and
// the policy of actions lets only those who are named do so.
func (p *Policy) Acting() *Policy { return NewPolicy(p.rules, p.groups, nil) }

// May says what the person may see of an application when they ask in the channel.
func (p *Policy) May(ctx context.Context, user, channel string, app App, project string) Sight {
	asker := p.asker(ctx, user, channel)
	if len(p.rules) == 0 {
		return Sight{May: !asker.guest}
	}
	if slices.ContainsFunc(p.rules, func(r Rule) bool { return r.covers(app, project) && r.published(channel) }) {
		return Sight{May: true, Published: true}
	}
	var sight Sight
	for _, r := range p.rules {
		if !r.covers(app, project) {
			continue
		}
		switch in, _ := p.admits(ctx, r, asker); {
		case in && (r.Publish || !r.personal(channel)):
			return Sight{May: true}
		case in:
			sight = Sight{May: true, Personal: true}
		}
	}
	return sight
}

// Admits reports whether a person may see an application in a channel. Unlike May it tells a no from what could not be found out, which
// is the error.
func (p *Policy) Admits(ctx context.Context, user, channel string, app App, project string) (bool, error) {
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

// Hidden says in words who has access, for somebody whom some applications are hidden from; "" for somebody who sees all. People stand in
// it as <@U…>, <!subteam^S…>, <#C…>. All rules are asked, whatever was looked for: neither the words nor the time that they take say
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

// asker is who asks, and where. Nobody in particular asks for what is posted by itself: user is "" then.
type asker struct {
	user, channel string
	guest         bool
	// err is why Slack does not say whether it is a guest; then it counts as one.
	err error
}

func (p *Policy) asker(ctx context.Context, user, channel string) asker {
	a := asker{user: user, channel: channel}
	if p.guests == nil || user == "" {
		return a
	}
	a.guest, a.err = p.guests.Guest(ctx, user)
	a.guest = a.guest || a.err != nil
	return a
}

// admits fails closed: an error is a no.
func (p *Policy) admits(ctx context.Context, r Rule, a asker) (bool, error) {
	switch {
	case a.user != "" && slices.Contains(r.Users, a.user) || a.channel != "" && slices.Contains(r.Channels, a.channel):
		return true, nil
	case a.guest:
		return false, a.err
	case r.everybody():
		return true, nil
	case a.user == "":
		return false, nil
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
