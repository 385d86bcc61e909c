package answer

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/incident/posted"
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
	heading := blocks.Text(heading(g)...)
	if len(g.rows) == 1 {
		return []blocks.Block{heading, blocks.Bullets(p.lines(g, g.rows)...)}
	}
	var names []blocks.Span
	for i, r := range g.rows[:min(maxNames, len(g.rows))] {
		if i > 0 {
			names = append(names, blocks.Plain(", "))
		}
		names = append(names, blocks.Link(r.Link, p.name(r)))
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
	const id = listAction + "_cause"
	return blocks.Buttons(blocks.Button{ID: id, Text: label, Value: p.key.Seal(id, v)})
}

// heading is the cause and its rule, and of several applications how many, since when the last and the first of them.
func heading(g *causeGroup) []blocks.Span {
	line := causeLine(g)
	if len(g.rows) == 1 { // its own line says the rest
		return line
	}
	return append(append(line, blocks.Plain("\n"+text.Count(len(g.rows), "application", "applications")+", latest ")), ages(g)...)
}

// onlyHeading is that of a cause that stands alone: how many there are is said above it.
func onlyHeading(g *causeGroup) []blocks.Span {
	line := causeLine(g)
	if len(g.rows) == 1 {
		return line
	}
	return append(append(line, blocks.Plain("\nLatest ")), ages(g)...)
}

func causeLine(g *causeGroup) []blocks.Span {
	if g.title == "" {
		return []blocks.Span{blocks.Mono(g.rule)}
	}
	return []blocks.Span{blocks.Bold(g.title), blocks.Plain("  "), blocks.Mono(g.rule)}
}

// ages are since when the last and the first application fail.
func ages(g *causeGroup) []blocks.Span {
	latest, first := g.rows[0].Since, g.rows[len(g.rows)-1].Since
	if first.Equal(latest) {
		return []blocks.Span{blocks.Ago(latest)}
	}
	return []blocks.Span{blocks.Ago(latest), blocks.Plain(", first "), blocks.Ago(first)}
}

// lines are applications with what is wrong with each, since when, and where it is told.
func (p page) lines(g *causeGroup, rows []posted.Row) (lines [][]blocks.Span) {
	for _, r := range rows {
		line := []blocks.Span{blocks.Bold(p.name(r))}
		if what := rowHeadline(r); what != "" && (!g.shared || len(g.rows) == 1) { // else the heading says it
			line = append(line, blocks.Plain(": "+render.ShortLine(what, maxHeadline)))
		}
		line = append(line, blocks.Plain(", since "), blocks.Ago(r.Since))
		if r.Link != "" {
			line = append(line, blocks.Plain(" · "), blocks.Link(r.Link, "thread"))
		} else {
			line = append(line, blocks.Plain(" · no thread yet"))
		}
		lines = append(lines, line)
	}
	return lines
}

// name tells an application from the others of the list.
func (p page) name(r posted.Row) string {
	if p.several && r.App.Instance != "" {
		return r.App.Full()
	}
	return r.App.Label()
}

// rowHeadline is what is wrong with an application, without its name.
func rowHeadline(r posted.Row) string {
	if r.Private {
		return posted.PrivateCause
	}
	return withoutApp(r.Headline, r.App)
}
