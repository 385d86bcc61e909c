package answer

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/text"
)

const (
	// maxNames are the names that stand for more applications.
	maxNames = 3
	// maxHeadline is two or three lines of a phone; headlines are shorter but for the longest names.
	maxHeadline = 160
)

// groupBlocks are a cause among others: what it is, how many fail of it since when, and the names of the first of them, or what is
// wrong with the only one.
func (p page) groupBlocks(g *causeGroup, seen string) []blocks.Block {
	heading := blocks.Text(p.heading(g)...)
	if len(g.rows) == 1 {
		return []blocks.Block{heading, blocks.Bullets(p.lines(g, g.rows)...)}
	}
	var names []blocks.Span
	for i, r := range g.rows[:min(maxNames, len(g.rows))] {
		if i > 0 {
			names = append(names, blocks.Plain(", "))
		}
		names = append(names, blocks.Link(r.incident.Thread.Permalink, p.name(r)))
	}
	more := len(g.rows) - maxNames
	if more <= 0 {
		return []blocks.Block{heading, blocks.Text(names...)}
	}
	names = append(names, blocks.Plain(" and "+text.More(more)))
	return []blocks.Block{heading, blocks.Text(names...), p.showAll(g, seen)}
}

// showAll leads to all that fail of a cause. What everyone sees shows them to the one who clicks.
func (p page) showAll(g *causeGroup, seen string) blocks.Block {
	v := p.view
	v.Page, v.Cause, v.Seen, v.Failing = 1, causeDigest(g.key), seen, p.failing
	label := fmt.Sprintf("Show all %s", text.Number(len(g.rows)))
	if p.Public {
		label += ", only for me"
	}
	return blocks.Buttons(blocks.Button{ID: listAction + "_cause", Text: label, Value: p.key.Seal(v)})
}

// heading is the cause, its rule, how many applications fail of it, and since when the first and the last of them. Of a single one its
// line says the rest.
func (p page) heading(g *causeGroup) []blocks.Span {
	title := []blocks.Span{blocks.Bold(sanitize.Text(g.title)), blocks.Plain("  "), blocks.Mono(g.rule)}
	if g.title == "" {
		title = title[2:]
	}
	n := len(g.rows)
	if n == 1 {
		return title
	}
	title = append(title, blocks.Plain("\n"+text.Count(n, "application", "applications")+", latest "), blocks.Ago(g.rows[0].member.Since))
	if first := g.rows[n-1].member.Since; !first.Equal(g.rows[0].member.Since) {
		title = append(title, blocks.Plain(", first "), blocks.Ago(first))
	}
	return title
}

// lines are applications with what is wrong with each, since when, and where it is told.
func (p page) lines(g *causeGroup, rows []failingRow) (lines [][]blocks.Span) {
	for _, r := range rows {
		line := []blocks.Span{blocks.Bold(p.name(r))}
		if what := r.headline(); what != "" && (!g.shared || len(g.rows) == 1) { // else the heading says it
			line = append(line, blocks.Plain(": "+render.ShortLine(what, maxHeadline)))
		}
		line = append(line, blocks.Plain(", since "), blocks.Ago(r.member.Since))
		if r.incident.Thread.Permalink != "" {
			line = append(line, blocks.Plain(" · "), threadLink(r.incident, "thread"))
		} else {
			line = append(line, blocks.Plain(" · no thread yet"))
		}
		lines = append(lines, line)
	}
	return lines
}

// name tells an application from the others of the list.
func (p page) name(r failingRow) string {
	if p.several && r.known.App.Instance != "" {
		return sanitize.Text(r.known.App.Instance + "/" + r.known.App.Name)
	}
	return sanitize.Text(r.known.App.Name)
}

// headline is what is wrong with an application, without its name.
func (r failingRow) headline() string {
	line := r.member.Headline
	if line == "" && r.incident.Report != nil && r.incident.Report.App == r.known.App {
		line = r.incident.Report.Headline
	}
	return withoutApp(line, r.known.App)
}
