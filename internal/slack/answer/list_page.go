package answer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/text"
)

// page is a message of the list while it is put together.
type page struct {
	view
	key    button.Key
	groups []*causeGroup
	// failing is how many applications there are in the groups, elsewhere how many more the filter leaves out.
	failing, elsewhere int
	// hidden: more fails that the person may not see. several: the rows are of more than one Argo CD.
	hidden, several bool
	silent          []string
	// warnings are connections that fail while no application does because of them.
	warnings []warning
	// unknown are filters that fit nothing that exists, in a sentence each.
	unknown []string
	now     time.Time
}

// message is the page of the view, or the last one where there are fewer by now.
func (p page) message() *render.Message {
	seen := seenDigest(p.groups)
	title, groups := p.title(), p.groups
	if p.Cause != "" {
		groups = slices.DeleteFunc(slices.Clone(groups), func(g *causeGroup) bool { return causeDigest(g.key) != p.Cause })
		if len(groups) == 0 {
			title = "This cause is no longer in the list"
		} else {
			title = failingIn(count(groups[0].rows), p.scope())
		}
	}
	head := append([]blocks.Block{blocks.Text(blocks.Bold(title))}, p.notes(groups, seen)...)
	var pages [][]blocks.Block
	if len(groups) == 1 {
		g := groups[0]
		head = append(head, blocks.Text(onlyHeading(g)...))
		pages = laid(slices.Concat(head, p.foot(2, 3, seen)), g.rows, func(rows []posted.Row) []blocks.Block { return []blocks.Block{blocks.Bullets(p.lines(g, rows)...)} })
	} else {
		pages = laid(slices.Concat(head, p.foot(2, 3, seen)), groups, func(groups []*causeGroup) (out []blocks.Block) {
			for _, g := range groups {
				out = append(out, p.groupBlocks(g, seen)...)
			}
			return out
		})
	}
	return p.turned(title, head, pages, seen)
}

// laid spreads items over pages, as many on each as fit on a phone and into a message with what is around them.
func laid[T any](around []blocks.Block, items []T, build func([]T) []blocks.Block) (pages [][]blocks.Block) {
	for len(items) > 0 {
		n := 1
		for n < len(items) {
			all := slices.Concat(around, build(items[:n+1]))
			if blocks.Height(all...) > render.MaxList || !blocks.Fits(all...) {
				break
			}
			n++
		}
		pages = append(pages, build(items[:n]))
		items = items[n:]
	}
	return pages
}

// turned is the message with the page that is asked for.
func (p page) turned(title string, head []blocks.Block, pages [][]blocks.Block, seen string) *render.Message {
	last := max(1, len(pages))
	at := min(p.Page, last)
	body := slices.Clone(head)
	if p.Page > last {
		body = append(body, blocks.Text(blocks.Plain(noPage(p.Page, last))))
	}
	if len(pages) > 0 {
		body = append(body, pages[at-1]...)
	}
	return render.Compose(title, append(body, p.foot(at, last, seen)...), "")
}

// foot says which page it is, of when, and leads to the others.
func (p page) foot(at, last int, seen string) []blocks.Block {
	where := ""
	if last > 1 {
		where = fmt.Sprintf("Page %d of %d, newest first", at, last)
	}
	return []blocks.Block{blocks.Keep(blocks.Context(where, "as of ", p.now)), blocks.Keep(p.buttons(at, last, seen))}
}

func noPage(wanted, last int) string {
	if last == 1 {
		return fmt.Sprintf("There is no page %d: everything is on this one.", wanted)
	}
	return fmt.Sprintf("There is no page %d. This is the last one, page %d.", wanted, last)
}

// title is how much fails, where; or how sure it is that nothing does.
func (p page) title() string {
	switch {
	case len(p.groups) > 0:
		return fmt.Sprintf("%s (%s)", failingIn(p.failing, p.scope()), text.Count(len(p.groups), "cause", "causes"))
	case len(p.unknown) > 0:
		return "❔ Nothing to list" + p.scope()
	}
	icon, what := "🟢 ", "No application is failing"
	switch {
	case len(p.silent) > 0: // a lack of evidence is no health
		icon, what = "❔ ", "No known failures"
	case p.hidden:
		icon, what = "", "Nothing that you have access to is failing"
	}
	if n := len(p.warnings); n > 0 {
		return "🟠 " + what + p.scope() + ", but Argo CD has " + connectionProblems(n)
	}
	return icon + what + p.scope()
}

func failingIn(n int, scope string) string {
	return "🔴 " + text.Count(n, "application is", "applications are") + " failing" + scope
}

// notes are what has to be known before the list is read.
func (p page) notes(groups []*causeGroup, seen string) (out []blocks.Block) {
	line := func(content string) { out = append(out, blocks.Text(render.Spans(content)...)) }
	if len(p.silent) > 0 {
		line("⚠️ Argo CD " + strings.Join(p.silent, ", ") + " is not responding: failures there may be missing from this list.")
	}
	for _, u := range p.unknown {
		line(u)
	}
	if p.Seen != "" && p.Seen != seen {
		content := "🔄 The list has changed since the previous page."
		if p.Failing != p.failing {
			content = fmt.Sprintf("🔄 The list has changed since the previous page: %s then, %s now.", text.Count(p.Failing, "application", "applications"), text.Number(p.failing))
		}
		line(content)
	}
	if p.Cause != "" && len(groups) == 0 {
		line("Its applications have recovered, were deleted, or fail for another reason now.")
	}
	out = append(out, p.warningBlocks()...)
	if len(p.groups) == 0 && p.elsewhere > 0 {
		line(fmt.Sprintf("Without the filter, %s.", text.Count(p.elsewhere, "application is failing", "applications are failing")))
	}
	return out
}

// buttons turn the pages. A page that everyone sees is turned for the one who clicks.
func (p page) buttons(at, last int, seen string) blocks.Block {
	to := func(id, label string, page int, cause string) blocks.Button {
		v := p.view
		v.Page, v.Cause, v.Seen, v.Failing = page, cause, seen, p.failing
		id = listAction + "_" + id
		return blocks.Button{ID: id, Text: label, Value: p.key.Seal(id, v)}
	}
	var all []blocks.Button
	switch {
	case p.Public && last > 1:
		return blocks.Buttons(to("alone", "Page through, only for me", 1, p.Cause))
	case p.Public:
		return blocks.Buttons()
	}
	if at > 1 {
		all = append(all, to("previous", "‹ Previous", at-1, p.Cause))
	}
	if at < last {
		all = append(all, to("next", "Next ›", at+1, p.Cause))
	}
	if p.Cause != "" {
		all = append(all, to("causes", "All causes", 1, ""))
	}
	return blocks.Buttons(all...)
}
