package setup

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/config"
)

// Slack says whether it accepts tokens. An error that wraps ErrUnanswered says nothing about the token.
type Slack interface {
	// Workspace is that of a bot token.
	Workspace(ctx context.Context, botToken string) (Workspace, error)
	// Socket reports why no socket can be opened with an app-level token.
	Socket(ctx context.Context, appToken string) error
}

// Workspace is what Slack says about one.
type Workspace struct {
	// IDs are its own, and that of its organization if it is in one.
	IDs []string
	// Host is its address: acme.slack.com.
	Host string
	// Shown is what to show of it.
	Shown string
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
	w, err := r.Slack.Workspace(ctx, token)
	if err != nil {
		return r.unanswered(err)
	}
	if named := r.Answers.Team; named != "" && named != w.Host && !slices.Contains(w.IDs, named) {
		return fmt.Errorf("the bot token belongs to %s, not to %s: correct --team, or use the token of that workspace", w.Shown, named)
	}
	if r.Answers.Team == "" || r.Answers.Team == w.Host {
		r.Answers.Team = w.IDs[0]
	}
	r.say("✓ %s", w.Shown)
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
