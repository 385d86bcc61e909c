package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/text"
)

const (
	// maxAudit are listed, the newest; the rest is counted.
	maxAudit = 20
	// maxResult is a line of a result: twenty of them fit into a message.
	maxResult = 120
)

// audit says what was done from here.
type audit struct {
	actions Actions
	viewer  apps.Viewer
	places  *audience.Places
	finder  finder
	post    poster
}

// answer tells what was done from here: of all that the person may see, or of what was named.
func (a audit) answer(ctx context.Context, q *query) (string, error) {
	filter, about, err := a.filter(ctx, q)
	if err != nil {
		return "", err
	}
	all, err := a.actions.Audit(ctx, filter)
	if err != nil {
		return "", fmt.Errorf("read the audit log: %w", err)
	}
	var seen []*action.Record
	together := apps.Sight{May: true, Published: true}
	for _, r := range all {
		sight := a.viewer.May(ctx, q.User, q.Channel, r.App, r.Project)
		if sight.May {
			seen = append(seen, r)
			together = together.And(sight)
		}
	}
	if len(seen) == 0 { // that nothing was done is said of what nobody was given
		together.Published = false
	}
	q.alone = a.finder.readers.alone(ctx, q, together)
	slices.SortFunc(seen, func(a, b *action.Record) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.ID, b.ID)) })
	return outcomeAnswered, a.post.openly(ctx, q, incident.App{}, *auditMessage(recordsTo(q.audience(ctx, a.places), seen), a.viewer.Hidden(ctx, q.User, q.Channel) != "", about))
}

func recordsTo(who audience.Audience, records []*action.Record) (out []posted.Record) {
	for _, r := range records {
		out = append(out, posted.RecordTo(who, r))
	}
	return out
}

// filter says which applications are meant, and that in words. Those that are gone have a past, too, so that a name is not
// looked up: but for what only an Argo CD or a thread can tell.
func (a audit) filter(ctx context.Context, q *query) (filter func(action.App) bool, about string, err error) {
	t := q.command.Target
	switch {
	case t == (command.Target{}) && q.Thread != "":
		meant, err := a.finder.ofThread(ctx, q)
		if err != nil || meant.None() {
			return everyApp, "", err
		}
		return meant.Has, " on " + meant.Label(), nil
	case t.Host != "":
		found, err := a.finder.backend.Find(ctx, t, a.finder.visible(ctx, q))
		if err != nil {
			return nil, "", fmt.Errorf("find %s: %w", t, err)
		}
		return func(app action.App) bool {
			return slices.ContainsFunc(found.Matches, func(k apps.Known) bool { return k.App == app })
		}, " on " + t.Name, nil
	}
	about = scope(t)
	if t.Name != "" {
		about = " on " + t.String()
	}
	fits := func(want, have string) bool { return want == "" || want == have }
	return func(app action.App) bool {
		return fits(t.Instance, app.Instance) && fits(t.Namespace, app.Namespace) && fits(t.Name, app.Name)
	}, about, nil
}

func everyApp(action.App) bool { return true }

// auditMessage says of an application without actions, of one that does not exist and of one that the person may not see the same.
// limited: there may be some that the person may not see.
func auditMessage(records []posted.Record, limited bool, about string) *render.Message {
	title := "Actions from Slack" + about
	head := []blocks.Span{blocks.Bold(title)}
	if len(records) > maxAudit {
		head = append(head, blocks.Plain(fmt.Sprintf(", newest %d of %d", maxAudit, len(records))))
	}
	body := []blocks.Block{blocks.Text(head...)}
	switch {
	case len(records) == 0 && limited:
		body = append(body, blocks.Text(blocks.Plain("None recorded that you have access to.")))
	case len(records) == 0:
		body = append(body, blocks.Text(blocks.Plain("None recorded.")))
	}
	var rows [][]blocks.Span
	for _, r := range records[:min(maxAudit, len(records))] {
		rows = append(rows, recordRow(r))
	}
	if len(rows) > 0 {
		body = append(body, blocks.Bullets(rows...))
	}
	return render.Compose(title, body, "name an application: audit APP")
}

// recordRow is when, who, what, approved by, what became of it.
func recordRow(p posted.Record) []blocks.Span {
	r := p.View()
	words := func(s string) blocks.Span { return blocks.Plain(render.ShortLine(s, maxResult)) }
	name := r.App.Full()
	icon, state := render.State(p)
	row := []blocks.Span{
		blocks.Ago(r.At), blocks.Plain(" "), blocks.Bold(render.PersonName(r.By)), blocks.Plain(" · "), blocks.Bold(name),
		blocks.Plain(" · "), words(requestLabel(p)), blocks.Plain(" · " + icon + " " + state),
	}
	if d := r.Approval; d != nil && d.By.ID != "" {
		decided := ", approved by "
		if r.State == action.Denied {
			decided = " by "
		}
		row = append(row, blocks.Plain(decided), words(render.PersonName(d.By)))
		if d.Reason != "" && d.Reason != r.Result { // what comes of a denial is its reason
			row = append(row, blocks.Plain(": "), words(d.Reason))
		}
	}
	if r.Result != "" {
		row = append(row, blocks.Plain(": "), words(r.Result))
	}
	return row
}

// requestLabel is what was asked for, as it was confirmed.
func requestLabel(p posted.Record) string {
	switch r := p.View(); {
	case r.Summary != "":
		return r.Summary
	case r.Kind == action.Mute && r.MuteFor == 0:
		return "unmute"
	case r.Kind == action.Mute:
		return "mute for " + text.Duration(r.MuteFor)
	case r.Kind == action.DeleteHookJob:
		return "delete " + r.Target.String()
	}
	return strings.ToLower(dialog.Title(p.View().Kind))
}
