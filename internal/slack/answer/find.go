package answer

import (
	"cmp"
	"context"
	"fmt"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// finder finds the application that a query is about.
type finder struct {
	backend apps.Directory
	places  *audience.Places
	viewer  apps.Viewer
	threads threads
	replies *request.Replier
	readers readers
}

// find is the one application that is meant and that the person may see. If the outcome is not "answered", the person
// was told why there is none, or asked which.
func (f finder) find(ctx context.Context, q *query) (apps.Known, string, error) {
	target := cmp.Or(q.command.Target, command.Target{Name: q.command.Maybe})
	if target == (command.Target{}) {
		return f.findInThread(ctx, q)
	}
	found, err := f.backend.Find(ctx, target, f.visible(ctx, q))
	if q.command.Target == (command.Target{}) && (err != nil || len(found.Matches) == 0) { // "why broken": it names nothing
		return f.findInThread(ctx, q)
	}
	if err != nil {
		return apps.Known{}, "", fmt.Errorf("find %s: %w", target, err)
	}
	switch seen := found.Matches; {
	case len(seen) == 1:
		return f.meant(ctx, q, seen[0])
	case len(seen) > 1:
		name := command.Code(target.String())
		return apps.Known{}, outcomeAsked, f.offer(ctx, q, fmt.Sprintf("%d applications are named %s. Which one?", len(seen), name), seen)
	}
	return apps.Known{}, outcomeAsked, f.absent(ctx, q, found.Near)
}

// visible are the applications that the person may see.
func (f finder) visible(ctx context.Context, q *query) func(apps.Known) bool {
	return apps.Visible(ctx, f.viewer, q.User, q.Channel)
}

// meant is the application that is answered about. What the person may see and those who read the channel need not is for the
// person alone.
func (f finder) meant(ctx context.Context, q *query, k apps.Known) (apps.Known, string, error) {
	q.alone = f.readers.alone(ctx, q, f.viewer.May(ctx, q.User, q.Channel, k.App, k.Project))
	return k, outcomeAnswered, nil
}

// absent is said of an application that does not exist, and in the same words of one that the person may not see.
func (f finder) absent(ctx context.Context, q *query, near []apps.Known) error {
	text := fmt.Sprintf("No application named %s.", command.Code(q.command.Target.String()))
	hidden := f.viewer.Hidden(ctx, q.User, q.Channel)
	if hidden != "" {
		text = fmt.Sprintf("No application named %s that you have access to.", command.Code(q.command.Target.String()))
	}
	if q.command.Instead != "" {
		text += fmt.Sprintf(" If you meant the command, use %s.", command.Code(q.Call+" "+string(q.command.Instead)))
	}
	m := render.Text(text + " Check the name, the namespace and the Argo CD instance. The bot's Argo CD account also needs permission to see the application.")
	if len(near) > 0 {
		m = menu(q.command.Verb, q.Thread, text+" Did you mean:", near[:min(len(near), maxButtons)])
	}
	if hidden != "" {
		m.Blocks = append(m.Blocks, render.Refusal(hidden).Blocks...)
	}
	return f.replies.Privately(ctx, q.Request, *m)
}

// findInThread is the application that the thread is about.
func (f finder) findInThread(ctx context.Context, q *query) (apps.Known, string, error) {
	about, err := f.ofThread(ctx, q)
	if err != nil {
		return apps.Known{}, "", err
	}
	var seen []apps.Known
	for _, app := range about.Apps {
		found, err := f.backend.Find(ctx, command.Target{Instance: app.Instance, Namespace: app.Namespace, Name: app.Name}, f.visible(ctx, q))
		if err != nil {
			return apps.Known{}, "", fmt.Errorf("find the application of the thread: %w", err)
		}
		for _, k := range found.Matches {
			if k.App == app {
				seen = append(seen, k)
			}
		}
	}
	example := command.Code(q.Call + " " + string(q.command.Verb) + " my-app")
	switch {
	case len(seen) == 1:
		return f.meant(ctx, q, seen[0])
	case len(seen) > 1:
		return apps.Known{}, outcomeAsked, f.offer(ctx, q, "This thread is about several applications. Which one?", seen)
	case !about.None():
		gone, it := "The applications in this thread no longer exist", "them"
		if len(about.Apps) == 1 && about.Others == 0 {
			gone, it = command.Code(about.Label())+", the application in this thread, no longer exists", "it"
		}
		hidden := f.viewer.Hidden(ctx, q.User, q.Channel)
		if hidden == "" {
			return apps.Known{}, outcomeAsked, f.replies.Privately(ctx, q.Request, *render.Text(gone + "."))
		}
		m := render.Text(gone + ", or you don't have access to " + it + ".")
		m.Blocks = append(m.Blocks, render.Refusal(hidden).Blocks...)
		return apps.Known{}, outcomeAsked, f.replies.Privately(ctx, q.Request, *m)
	}
	return apps.Known{}, outcomeAsked, f.replies.Privately(ctx, q.Request, *render.Text(fmt.Sprintf("Which application? This thread is not about a known one. For example: %s", example)))
}

// ofThread are the applications that a thread is about, for the person: those of its incident that fail, else the one that was asked about in
// it last.
func (f finder) ofThread(ctx context.Context, q *query) (about posted.About, err error) {
	i, err := f.backend.IncidentByThread(ctx, q.Channel, q.Thread)
	if err != nil {
		return about, fmt.Errorf("find the incident of the thread: %w", err)
	}
	if i != nil {
		return posted.AboutIncident(f.places.Person(ctx, q.User, q.Channel), i), nil
	}
	last, err := f.threads.askedBefore(ctx, q)
	return posted.AboutAnswer(last), err
}
