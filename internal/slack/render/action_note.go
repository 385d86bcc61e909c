package render

import (
	"cmp"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/button"
)

// How much of a note is shown. A log gets what a message has room for beside the rest.
const (
	maxText = 1500
	logRoom = 8000
)

// ActionNote renders a line of the history of an action: who wanted what, and what became of it at that moment. It calls those
// who may approve while it waits for them, and who asked when somebody else has decided; all others are only named. key signs
// the buttons of those who approve; without one there are none.
func ActionNote(r *action.Record, n action.Note, key button.Key) Message {
	t := noteTelling{r: r, n: n}
	t.text, _ = blocks.Shorten(sanitize.Text(n.Text), maxText)
	lines, notice := t.lines()
	body := []blocks.Block{blocks.Text(lines...)}
	if n.Log != "" {
		body = append(body, blocks.Code(blocks.WithoutMiddle(sanitize.Text(n.Log), logRoom))...)
	}
	var foot []blocks.Block
	if n.State == action.Waiting && len(key) > 0 {
		foot = append(foot, decide(r, key))
	}
	if n.State == action.Waiting || n.State == action.Ready { // the line has it already
		t.text = ""
	}
	return message(body, foot, "", notice, inLine(r.App.Name, maxTarget), t.text)
}

// decide are the buttons of those who approve. Neither stands out: this is to be read first.
func decide(r *action.Record, key button.Key) blocks.Block {
	value := func(do string) string { return key.Encode(button.Value{Do: do, App: r.App, Record: r.ID}) }
	return blocks.Buttons(
		blocks.Button{ID: ApproveID, Text: "Approve", Value: value(button.Approve)},
		blocks.Button{ID: DenyID, Text: "Deny", Value: value(button.Deny)},
	)
}

// noteTelling is one note on its way to be a message.
type noteTelling struct {
	r    *action.Record
	n    action.Note
	text string
}

func (t noteTelling) lines() (line []blocks.Span, notice string) {
	switch {
	case t.n.State == action.Waiting:
		return t.waits()
	case t.n.State == action.Ready:
		return t.ready()
	case t.n.State == action.Running && (t.n.Log != "" || t.n.From != ""):
		notice = "📜 Log of " + inLine(t.n.From, maxTarget) + ", saved before it is deleted"
		return t.said(blocks.Bold(notice)), notice
	case t.n.State == action.Running:
		notice = "⏳ " + person(t.r.By) + ": " + doing(t.r, t.n.Step)
		return t.said(blocks.Bold(notice)), notice
	}
	return t.over()
}

// said ends a line with what the note says.
func (t noteTelling) said(line ...blocks.Span) []blocks.Span {
	if t.text == "" {
		return line
	}
	return append(line, blocks.Plain("\n"+t.text))
}

// asks says who wants it, and what exactly was confirmed.
func (t noteTelling) asks(lead string) (line []blocks.Span, notice string) {
	wanted := cmp.Or(inLine(t.r.Summary, maxWhy), what(t.r))
	return []blocks.Span{blocks.Bold(lead), blocks.Plain(": " + wanted)}, lead + ": " + wanted
}

func (t noteTelling) waits() (line []blocks.Span, notice string) {
	line, notice = t.asks("🙋 " + person(t.r.By) + " asks for approval")
	if a := t.r.Approval; a != nil {
		line = append(line, blocks.Plain("\nWho may approve until "), blocks.Clock(a.Expires), blocks.Plain(": "))
		line = append(line, callAll(a.From)...)
	}
	return line, notice
}

// ready: nobody has to agree, or somebody did.
func (t noteTelling) ready() (line []blocks.Span, notice string) {
	a := t.r.Approval
	if a == nil || a.By.ID == "" {
		return t.asks("▶️ " + person(t.r.By) + " asked for")
	}
	notice = "👍 " + person(a.By) + " approved: " + what(t.r)
	return []blocks.Span{blocks.Bold("👍 " + person(a.By) + " approved"), blocks.Plain(": " + what(t.r) + ", asked for by "), called(t.r.By)}, notice
}

func (t noteTelling) over() (line []blocks.Span, notice string) {
	reason := t
	if t.text != "" {
		reason.text = "Reason: " + t.text
	}
	notice = ended(t.r, t.n.State)
	line = []blocks.Span{blocks.Bold(notice)}
	a := t.r.Approval
	switch {
	case a == nil:
		line = append(line, blocks.Plain(" · "+person(t.r.By)))
	case t.n.State == action.Denied && takenBack(t.r): // that is all there is to say
		return append(line, blocks.Plain(" · "+person(t.r.By))), notice
	case t.n.State == action.Denied:
		return reason.said(append(line, blocks.Plain(" · asked for by "), called(t.r.By))...), notice
	case t.n.State == action.Expired, t.n.State == action.Withdrawn:
		line = append(line, blocks.Plain(" · asked for by "), called(t.r.By))
	case a.By.ID != "":
		line = append(line, blocks.Plain(" · "+person(t.r.By)+", approved by "+person(a.By)))
	default:
		line = append(line, blocks.Plain(" · "+person(t.r.By)))
	}
	return t.said(line...), notice
}
