package render

import (
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/text"
)

// Reply renders a line of history: what happened at that moment, and nothing that changes later. key signs its buttons, see
// ActionNote.
func Reply(p posted.Reply, key button.Key) Message {
	r := p.View()
	if r.Reason == incident.Acted && r.Action != nil && r.Note != nil {
		return actionNote(r.Action, *r.Note, key)
	}
	head, was, notes := cleanLine(r.Headline), cleanLine(r.Was), sentences(r.Notes)
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
		lead = "🔴 Failing"
	case incident.CauseChanged:
		lead = "🔀 New cause"
	case incident.EvidenceChanged:
		lead = "📝 Same cause, new error text"
	case incident.RecoveredNow:
		lead, head = "🟢 Recovered"+after(" after "), ""
	case incident.Deleted:
		lead, head = "⚪ Deleted"+after(" after failing for "), ""
	case incident.Over:
		lead, head = "⚪ No longer failing for this cause"+after(", after "), ""
	case incident.Unwatched:
		lead, head = "⚪ No longer watched"+after(" after failing for "), ""
	case incident.Removed:
		lead, head = "⚪ Removed from Argo CD"+after(" after failing for "), ""
	case incident.Unneeded:
		lead, head = "⚪ No application depends on it now"+after(", after failing for "), ""
	case incident.Reopened:
		lead = "↩️ Failing again" + healthy(r.Lasted)
	case incident.Reminder:
		lead = "⏰ Still " + doing(r.Rule) + after(" after ")
	case incident.Unmuted:
		lead = "🔔 No longer muted"
	case incident.Grouped:
		lead, head = "↪️ Continued in another thread", ""
	case incident.Elsewhere:
		lead = "🔗 Same cause in another channel"
	case incident.MembersChanged:
		lead, head = "👥 Affected applications", ""
	case incident.Nothing, incident.Waiting, incident.Passed, incident.Holding, incident.SeenMeanwhile, incident.Listed, incident.Acted: // these are not posted, or above
		lead = "ℹ️ " + string(r.Reason)
	}
	line = append(line, blocks.Bold(lead))
	if head != "" {
		line = append(line, blocks.Plain(": "+head))
	}
	if notes != "" {
		line = append(line, blocks.Plain("\n"+notes))
	}
	if r.Skipped > 0 {
		line = append(line, blocks.Plain("\n"+text.Count(r.Skipped, "earlier update", "earlier updates")+" not posted: too many were waiting"))
	}
	if was != "" {
		line = append(line, blocks.Plain("\nWas: "), blocks.Struck(was))
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

// doing is what goes on in an incident of a rule: a sync that takes long does not fail, nor what waits for a person.
func doing(rule string) string {
	switch rule {
	case "operation/in-progress":
		return "running"
	case "health/suspended", "health/rollout-paused":
		return "waiting"
	}
	return "failing"
}

// healthy is how long an application was healthy before it failed again.
func healthy(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return " after " + text.Duration(d) + " healthy"
}
