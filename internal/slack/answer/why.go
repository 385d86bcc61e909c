package answer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// why says why an application is failing, and what helps.
type why struct {
	backend Backend
	places  *audience.Places
	actions Actions
	post    poster
	links   render.Links
	key     button.Key
	log     *slog.Logger
}

// answer answers where it was asked, or leads to the thread where it is being told already.
func (w why) answer(ctx context.Context, q *query, k apps.Known) error {
	if q.Thread == "" {
		joined, err := w.join(ctx, q, k)
		if joined || err != nil {
			return err
		}
	}
	report, err := w.report(ctx, q, k.App)
	if err != nil {
		return fmt.Errorf("diagnose %s: %w", k.App.Full(), goneError(err, k.App))
	}
	controls := render.Controls{Offers: w.actions.Offers(report), Key: w.key.In(q.Channel).Once(time.Now())}
	if q.alone != "" { // every action is told in its thread, and this is none
		controls = render.Controls{}
	}
	root, details := render.Report(posted.ReportTo(q.audience(ctx, w.places), report), w.links, controls)
	return w.post.openly(ctx, q, k.App, root, details)
}

// report is about the application as it is now. Asked in the thread of its own incident, that is brought up to date by
// the same reading.
func (w why) report(ctx context.Context, q *query, app incident.App) (*diagnose.Report, error) {
	if q.Thread != "" {
		i, err := w.backend.IncidentByThread(ctx, q.Channel, q.Thread)
		if err == nil && i != nil && i.Live() && i.Member(app) != nil {
			i, err = w.backend.Refresh(ctx, app)
			if err == nil && i != nil && i.Live() && i.Report != nil && i.Report.App == app {
				return i.Report, nil
			}
		}
		if err != nil && ctx.Err() == nil {
			w.log.Warn("thread not updated", "question", q.ID, "app", app, "error", err)
		}
	}
	return w.backend.Why(ctx, app, q.audience(ctx, w.places))
}

// goneError says in words that an application does not exist any more; other errors stay as they are.
func goneError(err error, app incident.App) error {
	if errors.Is(err, incident.ErrGone) {
		return &request.Error{What: fmt.Sprintf("%s no longer exists", command.Code(app.Full())), Err: err}
	}
	return err
}

// join brings the thread of the open incident up to date and leads the person there. It reports false where there is no
// thread, or none any more.
func (w why) join(ctx context.Context, q *query, k apps.Known) (bool, error) {
	i, err := w.backend.IncidentOf(ctx, k.App)
	if err != nil {
		return false, fmt.Errorf("find the incident of %s: %w", k.App.Full(), err)
	}
	if i == nil || i.Thread.TS == "" {
		return false, nil
	}
	state := "The thread is up to date."
	fresh, err := w.backend.Refresh(ctx, k.App)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil:
		// The thread is there all the same, and it says of when it is.
		w.log.Warn("thread not updated", "question", q.ID, "app", k.App, "error", err)
		state = "The thread could not be updated just now."
		if t, ok := errors.AsType[*request.Error](err); ok {
			state = "The thread could not be updated: " + render.Sentence(t.Error())
		}
	case fresh == nil || fresh.Thread.TS == "":
		return false, nil
	default:
		i = fresh
	}
	row, ok := posted.RowOf(q.audience(ctx, w.places), i, k.App, k.Project)
	if !ok {
		return false, nil
	}
	m := joined(row, state)
	if q.Way != command.Mention || q.alone != "" {
		return true, w.post.Privately(ctx, q.Request, *m)
	}
	// Whoever asked aloud is answered aloud, beneath the message that asked.
	_, err = w.post.Sender.Answer(ctx, q.Channel, q.TS, mark{k.App, q.TS}.on(*m))
	return true, err
}

// joined points to the thread that already covers an application.
func joined(row posted.Row, state string) *render.Message {
	head := headline(row)
	failed, since := "It failed ", ". Follow it in "
	if row.Parent {
		failed, since = row.App.Full()+" is failing because of this application, which failed ", ". Follow both in "
	}
	return render.Compose(head, []blocks.Block{
		blocks.Text(blocks.Bold(head)),
		blocks.Text(blocks.Plain(failed), blocks.Ago(row.Opened), blocks.Plain(since), blocks.Link(row.Link, "its thread"), blocks.Plain(". "+state)),
	}, "")
}

// headline is what an incident says of one application.
func headline(row posted.Row) string {
	switch name := row.App.Full(); {
	case row.Private:
		return "🔴 " + name + " is " + posted.PrivateCause
	case row.Note == incident.NoteDeleted:
		return "⚪ " + name + " was deleted"
	case row.Note == incident.NoteUnwatched:
		return "⚪ " + name + " is no longer watched"
	case row.Well:
		return "🟢 " + name + " is healthy again"
	case row.Outage:
		return fmt.Sprintf("🔴 %s (one of %d applications)", row.Thread, row.Failing)
	}
	return "🔴 " + row.Thread
}
