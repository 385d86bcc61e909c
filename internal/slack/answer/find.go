package answer

import (
	"context"
	"fmt"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// finder finds the application that a query is about.
type finder struct {
	backend apps.Directory
	viewer  apps.Viewer
	threads threads
	replies *request.Replier
}

// find is the one application that is meant and that the person may see. If the outcome is not "answered", the person
// was told why there is none, or asked which.
func (f finder) find(ctx context.Context, q *query) (apps.Known, string, error) {
	if q.command.Target == (command.Target{}) {
		return f.findInThread(ctx, q)
	}
	found, err := f.backend.Find(ctx, q.command.Target)
	if err != nil {
		return apps.Known{}, "", fmt.Errorf("find %s: %w", q.command.Target, err)
	}
	seen, why := f.visible(ctx, q, found.Matches)
	name := command.Code(q.command.Target.String())
	switch {
	case len(seen) == 1:
		return seen[0], outcomeAnswered, nil
	case len(seen) > 1:
		return apps.Known{}, outcomeAsked, f.offer(ctx, q, fmt.Sprintf("%d applications are named %s. Which one?", len(seen), name), seen)
	case why != "":
		return apps.Known{}, outcomeRefused, f.replies.Privately(ctx, q.Request, *render.Refusal(why))
	}
	near, _ := f.visible(ctx, q, found.Near) // what one may not see is not near either
	text := fmt.Sprintf("No application named %s.", name)
	if q.command.Instead != "" {
		text += fmt.Sprintf(" If you meant the command, use %s.", command.Code(q.Call+" "+string(q.command.Instead)))
	}
	if len(near) == 0 {
		return apps.Known{}, outcomeAsked, f.replies.Privately(ctx, q.Request, *render.Text(text + " Check the name, the namespace and the Argo CD instance. The bot's Argo CD account also needs permission to see the application."))
	}
	return apps.Known{}, outcomeAsked, f.offer(ctx, q, text+" Did you mean:", near[:min(len(near), maxButtons)])
}

// visible are the applications that the person may see, and why not the first that it may not.
func (f finder) visible(ctx context.Context, q *query, list []apps.Known) (seen []apps.Known, why string) {
	for _, k := range list {
		ok, because := f.viewer.May(ctx, q.User, q.Channel, k.App, k.Project)
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
func (f finder) findInThread(ctx context.Context, q *query) (apps.Known, string, error) {
	about, err := f.ofThread(ctx, q)
	if err != nil {
		return apps.Known{}, "", err
	}
	var all []apps.Known
	for _, app := range about {
		found, err := f.backend.Find(ctx, command.Target{Instance: app.Instance, Namespace: app.Namespace, Name: app.Name})
		if err != nil {
			return apps.Known{}, "", fmt.Errorf("find the application of the thread: %w", err)
		}
		for _, k := range found.Matches {
			if k.App == app {
				all = append(all, k)
			}
		}
	}
	seen, why := f.visible(ctx, q, all)
	example := command.Code(q.Call + " " + string(q.command.Verb) + " my-app")
	switch {
	case len(seen) == 1:
		return seen[0], outcomeAnswered, nil
	case len(seen) > 1:
		return apps.Known{}, outcomeAsked, f.offer(ctx, q, "This thread is about several applications. Which one?", seen)
	case why != "":
		return apps.Known{}, outcomeRefused, f.replies.Privately(ctx, q.Request, *render.Refusal(why))
	case len(about) > 0:
		return apps.Known{}, outcomeAsked, f.replies.Privately(ctx, q.Request, *render.Text(fmt.Sprintf("%s, the application in this thread, no longer exists.", command.Code(about[0].Name))))
	}
	return apps.Known{}, outcomeAsked, f.replies.Privately(ctx, q.Request, *render.Text(fmt.Sprintf("Which application? This thread is not about a known one. For example: %s", example)))
}

// ofThread are the applications that a thread is about: those of its incident that fail, else the one that was asked
// about in it last.
func (f finder) ofThread(ctx context.Context, q *query) ([]incident.App, error) {
	i, err := f.backend.IncidentByThread(ctx, q.Channel, q.Thread)
	if err != nil {
		return nil, fmt.Errorf("find the incident of the thread: %w", err)
	}
	if i != nil {
		members := i.Failing()
		if len(members) == 0 {
			members = i.Members
		}
		var failing []incident.App
		for _, m := range members {
			failing = append(failing, m.App)
		}
		return failing, nil
	}
	return f.threads.askedBefore(ctx, q)
}
