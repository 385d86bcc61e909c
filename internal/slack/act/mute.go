package act

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// asksAtOnce is how many applications of an outage the service is asked about at once.
const asksAtOnce = 8

// mayMute asks whether the person may silence all that fails in an incident, because muting an outage mutes it for everybody.
// It notes by which application the incident is muted: one of those whose mute has to be approved, if there are such.
func (a admission) mayMute(ctx context.Context, c *click, i *incident.Incident) (*rejected, error) {
	failing, no, err := a.seenToFail(ctx, c, i)
	if no != nil || err != nil {
		return no, err
	}
	c.value.App = failing[0].App
	if len(failing) == 1 { // the service asks the policy about the one that it is asked for
		return nil, nil
	}
	rights := make([]action.Access, len(failing))
	asking, ctx := errgroup.WithContext(ctx)
	asking.SetLimit(asksAtOnce)
	for n, k := range failing {
		asking.Go(func() error {
			list, err := a.actions.Access(ctx, c.person, k.App, k.Project)
			if err != nil {
				return fmt.Errorf("check who can mute %s: %w", k.App.Full(), err)
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
			return nil, notForAll(failing[n], r)
		}
	}
	if at := slices.IndexFunc(rights, func(r action.Access) bool { return r.Approval != nil }); at >= 0 {
		c.value.App = failing[at].App
	}
	return nil, nil
}

// seenToFail are the applications that fail in an incident, or all while none does. The person may look at each of them;
// those that do not exist any more do not count, unless there are no others.
func (a admission) seenToFail(ctx context.Context, c *click, i *incident.Incident) (failing []apps.Known, no *rejected, err error) {
	gone := reject(outcomeGone, "The applications of this incident no longer exist. Nothing was done.", "no such application")
	about := posted.AboutIncident(a.places.Person(ctx, c.person.ID, c.place.Channel), i)
	if about.Others > 0 { // how they are called is not for this person
		m := render.Text("This would also mute applications that no longer exist or that you don't have access to. Nothing was done.")
		if hidden := a.viewer.Hidden(ctx, c.person.ID, c.place.Channel); hidden != "" {
			m.Blocks = append(m.Blocks, render.Refusal(hidden).Blocks...)
		}
		return nil, &rejected{outcomeNotSeen, m, "it is about applications without access to them"}, nil
	}
	for _, app := range about.Apps {
		k, no, err := a.maySee(ctx, c, app)
		switch {
		case err != nil:
			return nil, nil, err
		case no == nil:
			failing = append(failing, k)
		case no.outcome == outcomeGone:
			gone = no
		default:
			return nil, no, nil
		}
	}
	if len(failing) == 0 {
		return nil, gone, nil
	}
	return failing, nil, nil
}

// notForAll refuses to mute an outage for one of its applications.
func notForAll(k apps.Known, r action.Access) *action.Refusal {
	what := sanitize.Sprintf("this would also mute %s, and the policy does not allow you to mute incidents in project %s", k.App.Full(), k.Project)
	if r.NotNow != "" {
		what = sanitize.Sprintf("this would also mute %s, and %s", k.App.Full(), r.NotNow)
	}
	return &action.Refusal{Code: action.NotAllowed, What: what, Could: r.Could}
}
