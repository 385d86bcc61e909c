package slack

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
)

// asksAtOnce is of how many applications of an outage the service is asked at once.
const asksAtOnce = 8

// mayMute asks whether the person may silence all that fails in an incident, for who mutes an outage mutes it for everybody.
// It notes by which application the incident is muted: one of those whose mute has to be approved, if there are such.
func (a *App) mayMute(ctx context.Context, p *pressing, i *incident.Incident) (*rejected, error) {
	apps, no, err := a.seenToFail(ctx, p, i)
	if no != nil || err != nil {
		return no, err
	}
	p.value.App = apps[0].App
	if len(apps) == 1 { // the service asks the policy about the one that it is asked for
		return nil, nil
	}
	rights := make([]action.Access, len(apps))
	asking, ctx := errgroup.WithContext(ctx)
	asking.SetLimit(asksAtOnce)
	for n, k := range apps {
		asking.Go(func() error {
			list, err := a.Actions.Access(ctx, p.person, k.App, k.Project)
			if err != nil {
				return fmt.Errorf("ask who may mute %s: %w", k.App.Name, err)
			}
			if at := slices.IndexFunc(list, func(r action.Access) bool { return r.Kind == action.Mute }); at >= 0 {
				rights[n] = list[at]
			}
			return nil
		})
	}
	if err := asking.Wait(); err != nil {
		return nil, err
	}
	for n, r := range rights {
		if !r.May {
			return notForAll(apps[n], r), nil
		}
	}
	if at := slices.IndexFunc(rights, func(r action.Access) bool { return r.Approval != nil }); at >= 0 {
		p.value.App = apps[at].App
	}
	return nil, nil
}

// seenToFail are the applications that fail in an incident, or all while none does. The person may look at each of them;
// those that do not exist any more do not count, unless there are no others.
func (a *App) seenToFail(ctx context.Context, p *pressing, i *incident.Incident) (apps []Known, no *rejected, err error) {
	members := i.Failing()
	if len(members) == 0 {
		members = i.Members
	}
	gone := reject(pressGone, "The applications of this incident do not exist any more. Nothing was done.", "no such application")
	for _, m := range members {
		k, no, err := a.mayPress(ctx, p, m.App)
		switch {
		case err != nil:
			return nil, nil, err
		case no == nil:
			apps = append(apps, k)
		case no.outcome == pressGone:
			gone = no
		default:
			return nil, no, nil
		}
	}
	if len(apps) == 0 {
		return nil, gone, nil
	}
	return apps, nil, nil
}

// notForAll refuses to mute an outage for one of its applications.
func notForAll(k Known, r action.Access) *rejected {
	what := fmt.Sprintf("this would mute %s as well, which the policy does not allow you in project %s", k.App.Name, k.Project)
	if r.NotNow != "" {
		what = fmt.Sprintf("this would mute %s as well, and %s", k.App.Name, r.NotNow)
	}
	return refused(action.Mute, &action.Refusal{Code: action.NotAllowed, What: what, Could: r.Could})
}
