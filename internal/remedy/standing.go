package remedy

import (
	"context"
	"fmt"

	"github.com/argo-why/argo-why/internal/action"
)

// Standing knows whether somebody still has a say. The policy names people, and goes on doing so when they have left; and what a person
// was let see when they clicked may be hidden from them when somebody approves it, a day later.
type Standing interface {
	// Lost says of a person in the channel of a request what has taken their say, to follow their name: "no longer has …". It is "" for
	// nothing. An answer must not be old: if the error is not nil, it could not be found out, and nothing may be done in their name.
	Lost(ctx context.Context, person action.Person, channel string, app action.App, project string) (string, error)
}

// lost says why nothing may be done in the name of those who have requested and approved a record, "" where it may.
func (x examiner) lost(ctx context.Context, r *action.Record) (string, error) {
	if x.standing == nil {
		return "", nil
	}
	people := []action.Person{r.By}
	if r.Approval != nil && r.Approval.By.ID != "" {
		people = append(people, r.Approval.By)
	}
	for _, p := range people {
		why, err := x.standing.Lost(ctx, p, r.Place.Channel, r.App, r.Project)
		switch {
		case err != nil:
			return "", fmt.Errorf("find out whether %s still has a say: %w", p.ID, err)
		case why != "":
			return nameOf(p) + " " + why, nil
		}
	}
	return "", nil
}

// outdated says why a request may not be approved any more because of the person who made it, "" where it may: they have lost their say,
// or the policy does not let them now.
func (x examiner) outdated(ctx context.Context, r *action.Record) (string, error) {
	if why, err := x.lost(ctx, r); why != "" || err != nil {
		return why, err
	}
	for _, kind := range needed(r) {
		switch ruling := x.policy.Allowed(ctx, r.By, kind, r.App, r.Project); {
		case !ruling.May && ruling.Unread != nil:
			return "", ruling.Unread
		case !ruling.May && ruling.Guest:
			return nameOf(r.By) + " is now a guest of the workspace, and guests can " + kind.Verb() + " only if the bot's configuration names them", nil
		case !ruling.May:
			return "The policy no longer allows " + nameOf(r.By) + " to " + kind.Verb(), nil
		}
	}
	return "", nil
}

// needed are all that an action needs a permission for.
func needed(r *action.Record) []action.Kind {
	if r.Kind == action.DeleteHookJob && !r.Operation.IsZero() {
		return []action.Kind{r.Kind, action.Terminate}
	}
	return []action.Kind{r.Kind}
}
