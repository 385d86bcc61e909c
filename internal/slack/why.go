package slack

import (
	"context"
	"errors"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// why answers where it was asked, or leads to the thread where it is being told already.
func (a *App) why(ctx context.Context, q *question, k Known) error {
	if q.thread == "" {
		joined, err := a.join(ctx, q, k)
		if joined || err != nil {
			return err
		}
	}
	report, err := a.report(ctx, q, k.App)
	if err != nil {
		return fmt.Errorf("diagnose %s: %w", k.App.Name, gone(err, k.App))
	}
	root, details := render.Report(report, a.Links, render.Controls{Offers: a.Actions.Offers(report), Key: a.Key})
	return a.openly(ctx, q, k.App, root, details)
}

// report is about the application as it is now. Asked in the thread of its own incident, that is brought up to date by
// the same reading.
func (a *App) report(ctx context.Context, q *question, app incident.App) (*diagnose.Report, error) {
	if q.thread != "" {
		i, err := a.Backend.IncidentByThread(ctx, q.channel, q.thread)
		if err == nil && i != nil && i.Live() && i.Member(app) != nil {
			i, err = a.Backend.Refresh(ctx, app)
			if err == nil && i != nil && i.Live() && i.Report != nil && i.Report.App == app {
				return i.Report, nil
			}
		}
		if err != nil && ctx.Err() == nil {
			a.Log.Warn("a thread could not be brought up to date", "question", q.id, "app", app, "error", err)
		}
	}
	return a.Backend.Why(ctx, app)
}

// gone turns the end of an application into words.
func gone(err error, app incident.App) error {
	if errors.Is(err, incident.ErrGone) {
		return &Trouble{What: fmt.Sprintf("%s does not exist any more", command.Code(app.Name)), Err: err}
	}
	return err
}

// join brings the thread of the open incident up to date and leads the person there. It reports false where there is no
// thread, or none any more.
func (a *App) join(ctx context.Context, q *question, k Known) (bool, error) {
	i, err := a.Backend.IncidentOf(ctx, k.App)
	if err != nil {
		return false, fmt.Errorf("find the incident of %s: %w", k.App.Name, err)
	}
	if i == nil || i.Thread.TS == "" {
		return false, nil
	}
	state := "It is up to date."
	fresh, err := a.Backend.Refresh(ctx, k.App)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil:
		// The thread is there all the same, and it says of when it is.
		a.Log.Warn("a thread could not be brought up to date", "question", q.id, "app", k.App, "error", err)
		state = "It could not be brought up to date now."
		if t, ok := errors.AsType[*Trouble](err); ok {
			state = "It could not be brought up to date: " + sentence(t.Error())
		}
	case fresh == nil || fresh.Thread.TS == "":
		return false, nil
	default:
		i = fresh
	}
	m := build(headline(i, k.App), []blocks.Block{
		blocks.Text(blocks.Bold(headline(i, k.App))),
		blocks.Text(blocks.Plain("It failed "), blocks.Ago(i.Since), blocks.Plain(" and is told in "), threadLink(i, "this thread"), blocks.Plain(". "+state)),
	}, "")
	if q.way != command.Mention {
		return true, a.privately(ctx, q, *m)
	}
	// Who asked aloud is answered aloud, beneath the question.
	_, err = a.Sender.Answer(ctx, q.channel, q.ts, mark{k.App, q.ts}.on(*m))
	return true, err
}

// headline is what an incident says of one application.
func headline(i *incident.Incident, app incident.App) string {
	line := i.Cause.Subject
	switch m := i.Member(app); {
	case i.Phase == incident.Recovered || m != nil && !m.Well.IsZero():
		return "🟢 " + app.Name + " is well again"
	case m != nil && m.Headline != "":
		line = m.Headline
	case i.Report != nil && (i.Report.App == app || len(i.Members) == 1):
		line = i.Report.Headline
	}
	if i.Outage() {
		return fmt.Sprintf("🔴 %s (one of %d applications)", line, len(i.Failing()))
	}
	return "🔴 " + line
}

// threadLink leads to the thread; just the words while Slack has not told its address.
func threadLink(i *incident.Incident, words string) blocks.Span {
	return blocks.Link(i.Thread.Permalink, words)
}
