package render

import (
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/text"
)

// Reply renders a line of history: what happened at that moment, and nothing that changes later. key signs its buttons, see
// ActionNote.
func Reply(r incident.Reply, key button.Key) Message {
	if r.Reason == incident.Acted && r.Action != nil && r.Note != nil {
		return ActionNote(r.Action, *r.Note, key)
	}
	head, was, notes := sanitize.Text(text.OneLine(r.Headline)), sanitize.Text(text.OneLine(r.Was)), sentences(r.Notes)
	var lead string
	var line []blocks.Span
	after := func(before string) string {
		if r.Lasted <= 0 {
			return ""
		}
		return before + text.Duration(r.Lasted)
	}
	switch r.Reason {
	case incident.Opened:
		lead = "🔴 It fails"
	case incident.CauseChanged:
		lead = "🔀 Another cause"
	case incident.EvidenceChanged:
		lead = "📝 The same cause, and it shows in another way"
	case incident.RecoveredNow:
		lead, head = "🟢 Recovered"+after(" after "), ""
	case incident.Reopened:
		lead = "↩️ It is back" + after(", after it was well for ")
	case incident.Reminder:
		lead = "⏰ It still fails" + after(", for ")
	case incident.Grouped:
		lead, head = "↪️ It goes on in the thread of the common cause", ""
	case incident.MembersChanged:
		lead, head = "👥 Applications", ""
	case incident.Nothing, incident.Waiting, incident.Passed, incident.Holding, incident.Acted: // these are told nobody, or above
		lead = "ℹ️ " + string(r.Reason)
	}
	line = append(line, blocks.Bold(lead))
	if head != "" {
		line = append(line, blocks.Plain(": "+head))
	}
	if notes != "" {
		line = append(line, blocks.Plain("\n"+notes))
	}
	if was != "" {
		line = append(line, blocks.Plain("\nBefore: "), blocks.Struck(was))
	}
	if r.Link != "" {
		line = append(line, blocks.Plain("\n"), blocks.Link(r.Link, "Open that thread"))
	}
	rule := r.Rule
	if head == "" {
		rule = ""
	}
	foot := []blocks.Block{blocks.Context(rule, "", never)}
	return message([]blocks.Block{blocks.Text(line...)}, foot, "", lead, head, notes)
}
