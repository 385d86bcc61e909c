package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/text"
)

const (
	// OpenID is the action of the button that opens the thread of a listed cause.
	OpenID = "argo_why_open"
	// maxNames are the applications of one cause that are named, maxOff of those that left the list.
	maxNames = 3
	maxOff   = 10
	// maxTitle is how long a failure may be: two lines of a phone. maxSubject is for the name of an application with its environment.
	maxTitle   = 90
	maxSubject = 45
)

// backlogRoot is the message that lists what failed already when the bot began to watch, by cause. It shows the present: what has
// left the list is struck through. What does not fit is counted.
func backlogRoot(i *incident.Incident, l Links, c Controls) Message {
	lines, title := i.Lines(), backlogTitle(i)
	what := "They failed before the bot began watching. New failures and new causes get a thread."
	head := []blocks.Block{blocks.Header(title), blocks.Context(what, "listed ", i.OpenedAt)}
	body, foot := head, []blocks.Block{moreCauses(lines, l), offList(i)}
	for n, line := range lines {
		more, less := append(slices.Clone(body), causeLine(line), c.openButton(i, line)), []blocks.Block{moreCauses(lines[n+1:], l), offList(i)}
		if all := slices.Concat(more, less); blocks.Height(all...) > MaxList || !blocks.Fits(all...) {
			break
		}
		body, foot = more, less
	}
	return message(body, foot, "", title, what)
}

// moreCauses counts those that are not listed, and says where they are.
func moreCauses(lines []incident.Line, l Links) blocks.Block {
	if len(lines) == 0 {
		return blocks.Text()
	}
	n := 0
	for _, line := range lines {
		n += len(line.Members)
	}
	more := fmt.Sprintf("And %s with %s: ", text.Count(len(lines), "more cause", "more causes"), text.Count(n, "application", "applications"))
	return blocks.Text(blocks.Plain(more), blocks.Mono(l.command()+" list"))
}

func backlogTitle(i *incident.Incident) string {
	left, all := len(i.Listed()), len(i.Members)
	causes := text.Count(len(i.Lines()), "cause", "causes")
	switch {
	case left == 0:
		return backlogEnd(i)
	case left < all:
		return fmt.Sprintf("🔴 %s of %s still listed as failing (%s)", text.Number(left), text.Count(all, "application", "applications"), causes)
	}
	return fmt.Sprintf("🔴 %s already failing (%s)", text.Count(all, "application was", "applications were"), causes)
}

// backlogEnd is the title when no application is listed any more: what became of them, and nothing that became of none.
func backlogEnd(i *incident.Incident) string {
	ends := map[string]int{}
	for _, m := range i.Members {
		ends[m.Note]++
	}
	icon, what := "↪️", []string{}
	if ends[incident.NoteRecovered] > 0 {
		what = append(what, "recovered")
	}
	if ends[incident.NoteDeleted] > 0 {
		what = append(what, "deleted")
	}
	if ends[incident.NoteUnwatched] > 0 {
		what = append(what, "no longer watched")
	}
	if ends[incident.NoteThread]+ends[incident.NoteOtherCause] > 0 {
		what = append(what, "continued in a thread")
	}
	if ends[incident.NoteListed] > 0 {
		what = append(what, "moved to another list")
	}
	switch len(i.Members) {
	case ends[incident.NoteRecovered]:
		icon = "🟢"
	case ends[incident.NoteUnwatched]:
		icon = "⚪"
	}
	return fmt.Sprintf("%s %s: %s", icon, text.Count(len(i.Members), "listed application", "listed applications"), text.Or(what))
}

// causeLine is a cause, whom it makes fail, and since when.
func causeLine(line incident.Line) blocks.Block {
	newest, oldest := line.Members[0], line.Members[len(line.Members)-1]
	lead, whom := text.Count(len(line.Members), "application", "applications"), ""
	switch {
	case len(line.Members) == 1:
		lead = sanitize.Clip(text.OneLine(newest.Headline), maxTitle)
	case line.Shared():
		lead, whom = lead+": "+listedTitle(newest), names(line.Members)+"\n"
	default: // the rule is all that they have in common
		whom = sanitize.Clip(text.OneLine(newest.Headline), maxTitle) + "\nalso " + names(line.Members[1:]) + "\n"
	}
	spans := []blocks.Span{blocks.Bold(lead), blocks.Plain(" "), blocks.Mono(sanitize.End(newest.Cause.Rule, maxSubject)), blocks.Plain("\n" + whom)}
	if oldest.Since.Equal(newest.Since) {
		return blocks.Text(append(spans, blocks.Plain("since "), blocks.Ago(newest.Since))...)
	}
	return blocks.Text(append(spans, blocks.Plain("newest "), blocks.Ago(newest.Since), blocks.Plain(", oldest "), blocks.Ago(oldest.Since))...)
}

// openButton opens the threads of a cause: one where the applications share it, else one each. There is none where somebody has asked
// for all of them.
func (c Controls) openButton(i *incident.Incident, line incident.Line) blocks.Block {
	asked := slices.DeleteFunc(slices.Clone(line.Members), func(m incident.Member) bool { return m.Wanted })
	if c.Key.IsZero() || len(asked) == 0 {
		return blocks.Buttons()
	}
	label := "Open a thread"
	if len(asked) > 1 && !line.Shared() {
		label = fmt.Sprintf("Open %s threads", text.Number(len(asked)))
	}
	v := button.Value{Do: button.Open, App: asked[0].App, Line: line.ID}
	v.Place.Incident = i.PostedID()
	return blocks.Buttons(blocks.Button{ID: OpenID, Text: label, Value: c.Key.Encode(OpenID, v)})
}

// offList names those that have left the list, by what became of them.
func offList(i *incident.Incident) blocks.Block {
	var spans []blocks.Span
	for _, end := range []struct{ note, label string }{
		{incident.NoteRecovered, "Recovered: "}, {incident.NoteThread, "In a thread now: "},
		{incident.NoteOtherCause, "Failing for another cause, in a thread: "}, {incident.NoteDeleted, "Deleted: "},
		{incident.NoteUnwatched, "No longer watched: "}, {incident.NoteListed, "In another list now: "},
	} {
		those := slices.DeleteFunc(slices.Clone(i.Members), func(m incident.Member) bool { return m.Note != end.note })
		if len(those) == 0 {
			continue
		}
		if len(spans) > 0 {
			spans = append(spans, blocks.Plain("\n"))
		}
		spans = append(spans, blocks.Plain(end.label))
		for n, m := range those[:min(maxOff, len(those))] {
			if n > 0 {
				spans = append(spans, blocks.Plain(", "))
			}
			spans = append(spans, blocks.Struck(listedName(m)))
		}
		if more := len(those) - maxOff; more > 0 {
			spans = append(spans, blocks.Plain(" and "+text.More(more)))
		}
	}
	return blocks.Text(spans...)
}

// names are those of the first applications, and how many more there are.
func names(members []incident.Member) string {
	var list []string
	for _, m := range members {
		list = append(list, listedName(m))
	}
	return text.List(list, maxNames)
}

// listedName is an application as its headline names it, with its environment.
func listedName(m incident.Member) string {
	if subject, _, ok := strings.Cut(cleanLine(m.Headline), ": "); ok {
		before := strings.TrimSuffix(subject, m.App.Name)
		return before + sanitize.End(strings.TrimPrefix(subject, before), maxSubject)
	}
	return sanitize.App(m.App, maxSubject)
}

// listedTitle is what is wrong, without the application.
func listedTitle(m incident.Member) string {
	if _, title, ok := strings.Cut(cleanLine(m.Headline), ": "); ok {
		return sanitize.Clip(title, maxTitle)
	}
	return sanitize.Clip(text.OneLine(m.Cause.Subject), maxTitle)
}

// cleanLine is a text from outside in one line, for what takes it apart: blocks makes harmless what is shown as it is.
func cleanLine(s string) string { return string(sanitize.Line(s)) }
