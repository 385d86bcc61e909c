package slack

import (
	"context"
	"fmt"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/command"
)

// find is the one application that is meant and that the person may see. If the outcome is not "answered", the person
// was told why there is none, or asked which.
func (a *App) find(ctx context.Context, q *question) (Known, string, error) {
	if q.command.Target == (command.Target{}) {
		return a.findInThread(ctx, q)
	}
	found, err := a.Backend.Find(ctx, q.command.Target)
	if err != nil {
		return Known{}, "", fmt.Errorf("find %s: %w", q.command.Target, err)
	}
	seen, why := a.visible(ctx, q, found.Matches)
	name := command.Code(q.command.Target.String())
	switch {
	case len(seen) == 1:
		return seen[0], answered, nil
	case len(seen) > 1:
		return Known{}, answerAsked, a.offer(ctx, q, fmt.Sprintf("There are %d applications that are called %s. Which one?", len(seen), name), seen)
	case why != "":
		return Known{}, answerRefused, a.privately(ctx, q, *refusal(why))
	}
	near, _ := a.visible(ctx, q, found.Near) // what one may not see is not near either
	text := fmt.Sprintf("I know no application %s.", name)
	if q.command.Instead != "" {
		text += fmt.Sprintf(" If you meant the command: %s.", command.Code(q.call+" "+string(q.command.Instead)))
	}
	if len(near) == 0 {
		return Known{}, answerAsked, a.privately(ctx, q, *said(text + " Its name, namespace and Argo CD have to be right, and my account there has to be allowed to see it."))
	}
	return Known{}, answerAsked, a.offer(ctx, q, text+" Did you mean:", near[:min(len(near), maxNear)])
}

// visible are the applications that the person may see, and why not the first that it may not.
func (a *App) visible(ctx context.Context, q *question, apps []Known) (seen []Known, why string) {
	for _, k := range apps {
		ok, because := a.Viewer.May(ctx, q.user, q.channel, k.App, k.Project)
		switch {
		case ok:
			seen = append(seen, k)
		case why == "":
			why = because
		}
	}
	return seen, why
}

// findInThread is the application that the thread is about.
func (a *App) findInThread(ctx context.Context, q *question) (Known, string, error) {
	apps, err := a.ofThread(ctx, q)
	if err != nil {
		return Known{}, "", err
	}
	var all []Known
	for _, app := range apps {
		found, err := a.Backend.Find(ctx, command.Target{Instance: app.Instance, Namespace: app.Namespace, Name: app.Name})
		if err != nil {
			return Known{}, "", fmt.Errorf("find the application of the thread: %w", err)
		}
		for _, k := range found.Matches {
			if k.App == app {
				all = append(all, k)
			}
		}
	}
	seen, why := a.visible(ctx, q, all)
	example := command.Code(q.call + " " + string(q.command.Verb) + " my-app")
	switch {
	case len(seen) == 1:
		return seen[0], answered, nil
	case len(seen) > 1:
		return Known{}, answerAsked, a.offer(ctx, q, "This thread is about several applications. Which one?", seen)
	case why != "":
		return Known{}, answerRefused, a.privately(ctx, q, *refusal(why))
	case len(apps) > 0:
		return Known{}, answerAsked, a.privately(ctx, q, *said(fmt.Sprintf("%s, which this thread is about, does not exist any more.", command.Code(apps[0].Name))))
	}
	return Known{}, answerAsked, a.privately(ctx, q, *said(fmt.Sprintf("Which application? This thread is about none that I know. For example %s.", example)))
}

// ofThread are the applications that a thread is about: those of its incident that fail, else the one that was asked
// about in it last.
func (a *App) ofThread(ctx context.Context, q *question) ([]incident.App, error) {
	i, err := a.Backend.IncidentByThread(ctx, q.channel, q.thread)
	if err != nil {
		return nil, fmt.Errorf("find the incident of the thread: %w", err)
	}
	if i != nil {
		members := i.Failing()
		if len(members) == 0 {
			members = i.Members
		}
		var apps []incident.App
		for _, m := range members {
			apps = append(apps, m.App)
		}
		return apps, nil
	}
	return a.askedBefore(ctx, q)
}
