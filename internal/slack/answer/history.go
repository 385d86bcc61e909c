package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
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
		return fmt.Errorf("read the history of %s: %w", k.App.Name, goneError(err, k.App))
	}
	title := "History of " + k.App.Name
	body := []blocks.Block{blocks.Text(blocks.Bold(title))}
	body = append(body, deployments(past.Deployments)...)
	body = append(body, incidents(past.Incidents, k.App, q.audience(ctx, h.places))...)
	return h.post.openly(ctx, q, k.App, *render.Compose(title, body, diagnose.Printed(diagnose.Shell("argocd app history %s", k.App.Name))))
}

func deployments(list []evidence.Deployment) []blocks.Block {
	if len(list) == 0 {
		return []blocks.Block{blocks.Text(blocks.Plain("Never deployed."))}
	}
	newest := slices.Clone(list)
	slices.Reverse(newest)
	var rows [][]blocks.Span
	for i, d := range newest[:min(maxHistory, len(newest))] {
		revision := d.Revision
		if len(d.Revisions) > 0 {
			revision = strings.Join(d.Revisions, " ")
		}
		row := []blocks.Span{blocks.Mono(text.Revision(revision)), blocks.Plain(" deployed "), blocks.Ago(d.DeployedAt.Time)}
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

func incidents(list []*incident.Incident, app incident.App, who audience.Audience) []blocks.Block {
	if len(list) == 0 {
		return []blocks.Block{blocks.Text(blocks.Plain("No failures recorded."))}
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b *incident.Incident) int {
		return cmp.Or(b.Since.Compare(a.Since), cmp.Compare(a.ID, b.ID))
	})
	var rows [][]blocks.Span
	for _, i := range list[:min(maxHistory, len(list))] {
		rows = append(rows, incidentRow(i, app, who))
	}
	out := []blocks.Block{blocks.Text(blocks.Bold("Failures")), blocks.Bullets(rows...)}
	return append(out, before(len(list)-maxHistory)...)
}

func incidentRow(i *incident.Incident, app incident.App, who audience.Audience) []blocks.Span {
	what := cmp.Or(i.Cause.Subject, i.Cause.Resource.String())
	if !who.SeesAll(i.Named(app)) {
		what = privateCause
	} else if m := i.Member(app); m != nil && m.Headline != "" {
		what = m.Headline
	} else if i.Report != nil && i.Report.App == app {
		what = i.Report.Headline
	}
	row := []blocks.Span{blocks.Plain(withoutApp(what, app) + "  "), blocks.Mono(i.Cause.Rule), blocks.Plain("  "), blocks.Ago(i.Since)}
	if over := ended(i, app); !over.IsZero() {
		row = append(row, blocks.Plain(", lasted "+text.Duration(over.Sub(i.Since))))
	} else {
		row = append(row, blocks.Plain(", ongoing"))
	}
	if i.Thread.Permalink != "" {
		row = append(row, blocks.Plain(" · "), threadLink(i, "thread"))
	}
	return row
}

// ended is when the application was well again, zero while it is not.
func ended(i *incident.Incident, app incident.App) time.Time {
	if m := i.Member(app); m != nil && !m.Well.IsZero() {
		return m.Well
	}
	if i.Phase == incident.Recovered {
		return i.RecoveredAt
	}
	return never
}
