package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// maxWindowName and maxHookName fit into a line, with the times or a second one beside it.
const (
	maxWindowName = 60
	maxHookName   = 44
)

// windowList names the sync windows that begin or end soon.
func windowList(d *incident.Digest, limit int, several bool) []blocks.Block {
	o := d.Outlook
	switch {
	case o == nil || len(o.Windows)+o.Left.Windows == 0:
		return nil
	case limit > 0 && len(o.Windows) == 0: // none of a project that the channel sees
		return []blocks.Block{labelLine(digest.WindowsHeading(o), text.Count(o.Left.Windows, "window is", "windows are")+" not shown here")}
	case limit == 0:
		return []blocks.Block{labelLine(digest.WindowsHeading(o), text.Number(len(o.Windows)+o.Left.Windows))}
	}
	shown := o.Windows[:min(limit, len(o.Windows))]
	var lines [][]blocks.Span
	for _, w := range shown {
		lines = append(lines, windowLine(w, o, several))
	}
	out := []blocks.Block{blocks.Text(blocks.Bold(digest.WindowsHeading(o))), blocks.Bullets(lines...)}
	if more := len(o.Windows) + o.Left.Windows - len(shown); more > 0 {
		out = append(out, blocks.Context("and "+text.Count(more, "more window", "more windows"), "", never))
	}
	return out
}

// windowLine says when a window is open, each in the time zone of whoever reads it.
func windowLine(w incident.DigestWindow, o *incident.Outlook, several bool) []blocks.Span {
	spans := []blocks.Span{blocks.Plain(ShortLine(digest.WindowName(w, several), maxWindowName) + " ")}
	if w.Begins.After(o.At) {
		spans = append(spans, blocks.Clock(w.Begins), blocks.Plain(" to "))
	} else {
		spans = append(spans, blocks.Plain("active until "))
	}
	return append(spans, blocks.Clock(w.Ends), blocks.Plain(digest.WindowNote(w)))
}

// hookLines name the hooks that lack something, and what could not be read.
func hookLines(d *incident.Digest, limit int) (out []blocks.Block) {
	lists := digest.HookLists(d)
	if limit == 0 && len(lists) > 0 { // how many, where there is no room for their names
		var counts []string
		for _, l := range lists {
			counts = append(counts, l.Heading+": "+text.Number(l.All()))
		}
		out, lists = append(out, blocks.Context(joinDots(counts...), "", never)), nil
	}
	for _, l := range lists {
		var names []string
		for _, h := range l.Hooks[:min(limit, len(l.Hooks))] {
			names = append(names, ShortLine(h, maxHookName))
		}
		list := strings.Join(names, ", ")
		if more := l.All() - len(names); more > 0 {
			list += " and " + text.More(more)
		}
		out = append(out, labelLine(fmt.Sprintf("%s (%s)", l.Heading, text.Number(l.All())), strings.TrimPrefix(list, " and ")))
	}
	if unread := digest.Unread(d); unread != "" {
		out = append(out, blocks.Context(unread, "", never))
	}
	return out
}
