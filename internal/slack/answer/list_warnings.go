package answer

import (
	"context"
	"slices"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/text"
)

// maxWarnings are named one by one; the rest is a number.
const maxWarnings = 3

// warning is a connection of Argo CD that fails while no application does because of it.
type warning struct {
	// seen is what those who read the list see of it.
	seen posted.Incident
	// dependents is how many applications depend on it that the list is about and the person may see.
	dependents int
}

// warnings are those that concern an application that the list is about and that the person may see, the newest first. Without them the list
// would be green until the first application fails.
func (l list) warnings(ctx context.Context, q *query, v view, who audience.Audience, failing []Failing) (out []warning) {
	for _, f := range failing {
		if len(f.Incident.Disconnected()) == 0 || len(f.Incident.Failing()) > 0 {
			continue // else its applications are in the list
		}
		w := warning{seen: posted.To(who, f.Incident)}
		for _, k := range f.Dependents {
			if v.fits(k, f.Incident.Cause.Rule) && l.mayRead(ctx, q, v, l.viewer.May(ctx, q.User, q.Channel, k.App, k.Project)) {
				w.dependents++
			}
		}
		if w.dependents > 0 {
			out = append(out, w)
		}
	}
	slices.SortStableFunc(out, func(a, b warning) int { return b.seen.View().Begun().Compare(a.seen.View().Begun()) })
	return out
}

// mayRead reports whether everyone who reads the list may see what the person sees.
func (l list) mayRead(ctx context.Context, q *query, v view, s apps.Sight) bool {
	return s.May && (!v.Public || l.readers.alone(ctx, q, s) == "")
}

// warningBlocks name what fails and how many applications depend on it, and link to its thread.
func (p page) warningBlocks() []blocks.Block {
	if len(p.warnings) == 0 {
		return nil
	}
	var items [][]blocks.Span
	for _, w := range p.warnings[:min(maxWarnings, len(p.warnings))] {
		item := []blocks.Span{
			blocks.Bold(render.WarningHeadline(w.seen)),
			blocks.Plain(", since "), blocks.Ago(w.seen.View().Begun()), blocks.Plain(" · " + text.Count(w.dependents, "application depends", "applications depend") + " on it"),
		}
		if link := w.seen.View().Thread.Permalink; link != "" {
			item = append(item, blocks.Plain(" · "), blocks.Link(link, "thread"))
		}
		items = append(items, item)
	}
	if more := len(p.warnings) - maxWarnings; more > 0 {
		items = append(items, []blocks.Span{blocks.Plain("and " + text.More(more))})
	}
	out := []blocks.Block{blocks.Bullets(items...)}
	if len(p.groups) > 0 { // else the title says it
		out = append([]blocks.Block{blocks.Text(blocks.Plain("🟠 Argo CD also has " + connectionProblems(len(p.warnings)) + ":"))}, out...)
	}
	return out
}

func connectionProblems(n int) string {
	return text.Count(n, "connection problem", "connection problems")
}
