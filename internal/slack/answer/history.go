package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/text"
)

// maxHistory is how many deployments, and how many incidents, are shown.
const maxHistory = 8

// never is no moment.
var never time.Time

// history says what happened to an application.
type history struct {
	backend Backend
	places  *audience.Places
	post    poster
}

// answer tells the last deployments and what failed when.
func (h history) answer(ctx context.Context, q *query, k apps.Known) error {
	past, err := h.backend.History(ctx, k.App)
	if err != nil {
		return fmt.Errorf("read the history of %s: %w", k.App.Full(), goneError(err, k.App))
	}
	title := "History of " + k.App.Full()
	body := []blocks.Block{blocks.Text(blocks.Bold(title))}
	body = append(body, deployments(past.Deployments)...)
	body = append(body, failures(failuresOf(past.Incidents, k, q.audience(ctx, h.places)))...)
	return h.post.openly(ctx, q, k.App, *render.Compose(title, body, diagnose.Printed(diagnose.Shell("argocd app history %s", k.App.Label()))))
}

func deployments(list []evidence.Deployment) []blocks.Block {
	if len(list) == 0 {
		return []blocks.Block{blocks.Text(blocks.Plain("Never deployed."))}
	}
	newest := slices.Clone(list)
	slices.Reverse(newest)
	var rows [][]blocks.Span
	for i, d := range newest[:min(maxHistory, len(newest))] {
		row := []blocks.Span{blocks.Mono(text.Revision(d.At())), blocks.Plain(" deployed "), blocks.Ago(d.DeployedAt.Time)}
		if d.Source != nil && d.Source.TargetRevision != "" {
			row = append(row, blocks.Plain(" from "+d.Source.TargetRevision))
		}
		if i == 0 {
			row = append(row, blocks.Plain(", the last successful one"))
		}
		rows = append(rows, row)
	}
	out := []blocks.Block{blocks.Text(blocks.Bold("Deployments")), blocks.Bullets(rows...)}
	return append(out, before(len(list)-maxHistory)...)
}

// failuresOf are what those who read the answer see of incidents, the newest first.
func failuresOf(list []*incident.Incident, k apps.Known, who audience.Audience) (rows []posted.Row) {
	for _, i := range list {
		if row, ok := posted.RowOf(who, i, k.App, k.Project); ok {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b posted.Row) int {
		return cmp.Or(b.Opened.Compare(a.Opened), cmp.Compare(a.Incident, b.Incident))
	})
	return rows
}

func failures(list []posted.Row) []blocks.Block {
	if len(list) == 0 {
		return []blocks.Block{blocks.Text(blocks.Plain("No failures recorded."))}
	}
	var rows [][]blocks.Span
	for _, r := range list[:min(maxHistory, len(list))] {
		rows = append(rows, failureRow(r))
	}
	out := []blocks.Block{blocks.Text(blocks.Bold("Failures")), blocks.Bullets(rows...)}
	return append(out, before(len(list)-maxHistory)...)
}

func failureRow(r posted.Row) []blocks.Span {
	what := cmp.Or(r.Headline, r.Subject)
	if r.Private {
		what = posted.PrivateCause
	}
	row := []blocks.Span{blocks.Plain(withoutApp(what, r.App) + "  "), blocks.Mono(r.Rule), blocks.Plain("  "), blocks.Ago(r.Opened)}
	if r.Over.IsZero() {
		row = append(row, blocks.Plain(", ongoing"))
	} else {
		row = append(row, blocks.Plain(", lasted "+text.Duration(r.Over.Sub(r.Opened))))
	}
	if r.Link != "" {
		row = append(row, blocks.Plain(" · "), blocks.Link(r.Link, "thread"))
	}
	return row
}
