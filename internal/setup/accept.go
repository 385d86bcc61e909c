package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/config"
)

// Slack says whether it accepts tokens. An error that wraps ErrUnanswered says nothing about the token.
type Slack interface {
	// Workspace is that of a bot token: its IDs, of which one is that of the organization, and what to show of it.
	Workspace(ctx context.Context, botToken string) (ids []string, shown string, err error)
	// Socket reports why no socket can be opened with an app-level token.
	Socket(ctx context.Context, appToken string) error
}

// ArgoCD says which account of an Argo CD a token belongs to. An error that wraps ErrUnanswered says nothing about the token.
type ArgoCD func(ctx context.Context, at *config.Instance, token string) (account string, err error)

// ErrUnanswered is in the error of a check that was not answered.
var ErrUnanswered = errors.New("not checked")

// acceptBot asks Slack about a bot token.
func (r *run) acceptBot(ctx context.Context, token string) error {
	if r.Slack == nil {
		return nil
	}
	ids, shown, err := r.Slack.Workspace(ctx, token)
	if err != nil {
		return r.unanswered(err)
	}
	if r.Answers.Team != "" && !slices.Contains(ids, r.Answers.Team) {
		return fmt.Errorf("the bot token belongs to %s, not to %s: correct --team, or use the token of that workspace", shown, r.Answers.Team)
	}
	r.Answers.Team = cmp.Or(r.Answers.Team, ids[0])
	r.say("✓ %s", shown)
	return nil
}

// acceptApp asks Slack about an app-level token.
func (r *run) acceptApp(ctx context.Context, token string) error {
	if r.Slack == nil {
		return nil
	}
	if err := r.Slack.Socket(ctx, token); err != nil {
		return r.unanswered(err)
	}
	r.say("✓ a socket can be opened")
	return nil
}

// unanswered lets a person go on without a check. Without a person that has to be said beforehand.
func (r *run) unanswered(err error) error {
	switch {
	case !errors.Is(err, ErrUnanswered):
		return err
	case r.Asker == nil:
		return fmt.Errorf("%w; --offline leaves the check out", err)
	}
	r.say("! %v", err)
	return nil
}

// acceptArgoCD asks Argo CD about a token. It may be reachable only from its cluster, or not from a pipeline: argo-why check asks again, from
// the pod.
func (r *run) acceptArgoCD(ctx context.Context, token string) error {
	if r.ArgoCD == nil {
		return nil
	}
	account, err := r.ArgoCD(ctx, r.Answers.fromOutside(), token)
	switch {
	case errors.Is(err, ErrUnanswered):
		r.say("! %v", err)
		return nil
	case err == nil:
		r.say("✓ the token of account %s", account)
	}
	return err
}
