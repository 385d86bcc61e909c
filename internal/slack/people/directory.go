package people

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/slack/answered"
)

// Directory asks Slack who people are, with the scope users:read, and remembers it for a while.
type Directory struct {
	api  *slack.Client
	home string
	log  *slog.Logger

	known answered.Answers[person]
	org   organization
}

// New asks nothing yet. home is the ID of the workspace that is served, T…, or of the organization, E….
func New(api *slack.Client, home string, log *slog.Logger) *Directory {
	return &Directory{api: api, home: home, log: log, org: organization{api: api}}
}

// Kind is what a person is. claim is the workspace or organization that the payload says they are of, "" where it says nothing:
// one that is not theirs makes a stranger of them. If Slack does not say who it is, the error does.
func (d *Directory) Kind(ctx context.Context, user, claim string) (Kind, error) {
	return d.kind(ctx, user, claim, answered.Stale)
}

// FreshKind is Kind for actions: an answer of a while ago does not count when Slack fails.
func (d *Directory) FreshKind(ctx context.Context, user, claim string) (Kind, error) {
	return d.kind(ctx, user, claim, answered.Fresh)
}

// Guests tells guests from members, for looking.
func (d *Directory) Guests() Guests { return Guests{d.Kind} }

// FreshGuests tells guests from members, for actions.
func (d *Directory) FreshGuests() Guests { return Guests{d.FreshKind} }

// Guests says who is no full member.
type Guests struct {
	kind func(ctx context.Context, user, claim string) (Kind, error)
}

// Guest reports whether somebody is a guest, or less than that.
func (g Guests) Guest(ctx context.Context, user string) (bool, error) {
	kind, err := g.kind(ctx, user, "")
	return kind != Member, err
}

func (d *Directory) kind(ctx context.Context, user, claim string, maxAge time.Duration) (Kind, error) {
	p, err := d.person(ctx, user, maxAge)
	switch {
	case err != nil:
		return "", err
	case claim != "" && claim != d.home && !slices.Contains(p.teams, claim):
		return Stranger, nil
	}
	return p.kind, nil
}

func (d *Directory) person(ctx context.Context, user string, maxAge time.Duration) (person, error) {
	p, err := d.known.Get(ctx, user, maxAge, func(ctx context.Context) (person, error) {
		p, err := d.ask(ctx, user)
		if err != nil {
			d.log.Warn("person not looked up", "user", user, "error", err)
		}
		return p, err
	})
	if err != nil {
		return person{}, fmt.Errorf("look up %s: %w", user, err)
	}
	return p, nil
}

// ask asks for the person and, where Slack does not say which organization they are of, for the workspaces of ours.
func (d *Directory) ask(ctx context.Context, user string) (person, error) {
	u, err := d.api.GetUserInfoContext(ctx, user)
	refused, ok := errors.AsType[slack.SlackErrorResponse](err)
	switch {
	case ok && slices.Contains([]string{"user_not_found", "user_not_visible", "users_not_found"}, refused.Err):
		return person{kind: Stranger}, nil
	case err != nil:
		return person{}, err
	}
	var unread error
	p := of(u, d.home, func(team string) bool {
		if d.home[0] != 'E' {
			return false
		}
		in, err := d.org.has(ctx, team)
		unread = err
		return in
	})
	return p, unread
}
