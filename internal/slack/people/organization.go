package people

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/slack-go/slack"
)

const (
	// listFresh is how long the workspaces of an organization are taken for granted: one that leaves it is rare, and one that
	// joins is looked for again within a minute.
	listFresh = time.Hour
	// listAgain is how soon the list is read again for a workspace that is not in it.
	listAgain = time.Minute
	// teamsPage is the most that auth.teams.list gives at a time, teamsPages bounds the largest organizations.
	// https://docs.slack.dev/reference/methods/auth.teams.list
	teamsPage, teamsPages = 1000, 20
)

// organization are the workspaces that the app was approved for.
type organization struct {
	api *slack.Client

	mu    sync.Mutex
	teams []string
	at    time.Time
}

// has reports whether a workspace is one of the organization. What Slack does not say is an error, and no yes.
func (o *organization) has(ctx context.Context, team string) (bool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	age := time.Since(o.at)
	known := slices.Contains(o.teams, team)
	if !o.at.IsZero() && (known && age < listFresh || age < listAgain) {
		return known, nil
	}
	teams, err := o.list(ctx)
	if err != nil {
		return false, fmt.Errorf("list the organization's workspaces: %w", err)
	}
	o.teams, o.at = teams, time.Now()
	return slices.Contains(teams, team), nil
}

func (o *organization) list(ctx context.Context) (teams []string, err error) {
	from := slack.ListTeamsParameters{Limit: teamsPage}
	for range teamsPages {
		page, next, err := o.api.ListTeamsContext(ctx, from)
		if err != nil {
			return nil, err
		}
		for _, t := range page {
			teams = append(teams, t.ID)
		}
		if next == "" {
			return teams, nil
		}
		from.Cursor = next
	}
	return nil, fmt.Errorf("more than %d workspaces", teamsPage*teamsPages)
}
