package render

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/button"
)

// How much of a note is shown. A log gets what a message has room for beside the rest.
const (
	maxText = 1500
	logRoom = 8000
)

// ActionNote renders a line of the history of an action: who requested what, and its state at that moment. It mentions
// the approvers while it waits for them, and the requester when somebody else has decided; all others are only named. key signs
// the buttons of the approvers; without one there are none. A request that is over has none either: it is history, and what became of
// it is the note that follows.
func ActionNote(p posted.Note, key button.Key) Message { return actionNote(p.View(), p.Line(), key) }

func actionNote(r *action.Record, n action.Note, key button.Key) Message {
	t := noteLine{r: r, n: n}
	t.text, _ = blocks.Shorten(n.Text, maxText)
	lines, notice := t.lines()
	body := []blocks.Block{blocks.Text(lines...)}
	if n.Log != "" {
		body = append(body, blocks.Code(blocks.WithoutMiddle(n.Log, logRoom))...)
	}
	var foot []blocks.Block
	if n.State == action.Waiting && r.State == action.Waiting && !key.IsZero() {
		foot = append(foot, decisionButtons(r, key))
	}
	if n.State == action.Waiting || n.State == action.Ready { // the line has it already
		t.text = ""
	}
	if n.State == action.Waiting {
		t.text = strings.Join(risks(r), "\n") // what a notification may not lack
	}
	return message(body, foot, "", notice, sanitize.App(r.App, maxTarget), t.text)
}

// noteLine is one note on its way to be a message.
type noteLine struct {
	r    *action.Record
	n    action.Note
	text string
}

func (t noteLine) lines() (line []blocks.Span, notice string) {
	switch {
	case t.n.State == action.Waiting:
		return t.waitingLine()
	case t.n.State == action.Ready:
		return t.readyLine()
	case t.n.State == action.Running && (t.n.Log != "" || t.n.From != ""):
		notice = "📜 Log of " + ShortLine(t.n.From, maxTarget) + ", saved before it is deleted"
		return t.withText(blocks.Bold(notice)), notice
	case t.n.State == action.Running:
		notice = "⏳ " + subject(t.r.By) + ": " + stepText(t.r, t.n.Step)
		return t.withText(blocks.Bold(notice)), notice
	}
	return t.endLine()
}

// withText is a line that ends with the text of the note.
func (t noteLine) withText(line ...blocks.Span) []blocks.Span {
	if t.text == "" {
		return line
	}
	return append(line, blocks.Plain("\n"+t.text))
}

// requestLine says who requested it, and what exactly was confirmed.
func (t noteLine) requestLine(lead string) (line []blocks.Span, notice string) {
	wanted := cmp.Or(ShortLine(t.r.Summary, maxWhy), actionName(t.r))
	return []blocks.Span{blocks.Bold(lead), blocks.Plain(": " + wanted)}, lead + ": " + wanted
}

// readyLine is the line of an action that needs no approval, or has it.
func (t noteLine) readyLine() (line []blocks.Span, notice string) {
	a := t.r.Approval
	if a == nil || a.By.ID == "" {
		return t.requestLine("▶️ " + subject(t.r.By) + " requested")
	}
	notice = "👍 " + subject(a.By) + " approved: " + actionName(t.r)
	return t.withText(blocks.Bold("👍 "+subject(a.By)+" approved"), blocks.Plain(": "+actionName(t.r)+", requested by "), mention(t.r.By)), notice
}

func (t noteLine) endLine() (line []blocks.Span, notice string) {
	reason := t
	if t.text != "" {
		reason.text = "Reason: " + t.text
	}
	notice = endText(t.r, t.n.State)
	line = []blocks.Span{blocks.Bold(notice)}
	a := t.r.Approval
	switch {
	case a == nil:
		line = append(line, blocks.Plain(" · "+subject(t.r.By)))
	case t.n.State == action.Denied && takenBack(t.r): // that is all there is to say
		return append(line, blocks.Plain(" · "+subject(t.r.By))), notice
	case t.n.State == action.Denied:
		return reason.withText(append(line, blocks.Plain(" · requested by "), mention(t.r.By))...), notice
	case t.n.State == action.Expired, t.n.State == action.Withdrawn:
		line = append(line, blocks.Plain(" · requested by "), mention(t.r.By))
	case a.By.ID != "":
		line = append(line, blocks.Plain(" · "+subject(t.r.By)+", approved by "+subject(a.By)))
	default:
		line = append(line, blocks.Plain(" · "+subject(t.r.By)))
	}
	return t.withText(line...), notice
}
