package render

import (
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/blocks"
)

// maxResult is how much of a result stands in the root message; all of it is in the thread.
const maxResult = 160

// muted is the mark that nobody is reminded.
func muted(i *incident.Incident) []blocks.Block {
	if i.Muted == nil {
		return nil
	}
	return []blocks.Block{blocks.Text(blocks.Bold("🔕 Muted"), blocks.Plain(" by "+person(i.Muted.By)+" until "), blocks.Clock(i.Muted.Until))}
}

// acting is what people do about it: all that is under way, what the operation does, and what was done last.
func acting(i *incident.Incident) []blocks.Block {
	var out []blocks.Block
	var last *action.Record
	now := i.Progress
	for _, r := range i.Actions {
		switch {
		case !r.State.Over():
			out = append(out, blocks.Text(live(r, now)...))
			if follows(r) { // its line says how far it is
				now = ""
			}
		case r.Kind != action.Mute && !over(r).Before(begun(i)): // that it is muted is said above
			if last == nil || !over(r).Before(over(last)) {
				last = r
			}
		}
	}
	out = append(out, progress(now)...)
	if last != nil {
		out = append(out, blocks.Text(was(last)...))
	}
	return out
}

// begun is when the present failure was told.
func begun(i *incident.Incident) time.Time {
	if i.ReopenedAt.After(i.OpenedAt) {
		return i.ReopenedAt
	}
	return i.OpenedAt
}

// over is when an action was.
func over(r *action.Record) time.Time {
	if r.Ended.IsZero() {
		return r.At
	}
	return r.Ended
}

// progress is how far the operation is that runs.
func progress(line string) []blocks.Block {
	if line == "" {
		return nil
	}
	return []blocks.Block{blocks.Text(blocks.Bold("⏳ Now "), blocks.Plain(inLine(line, maxWhy)))}
}

// follows reports whether what runs in Argo CD is what the action has started.
func follows(r *action.Record) bool {
	return r.State == action.Running && r.Step == action.StepFollow
}

// live is the line of an action that is not over, and now how far the operation is that runs.
func live(r *action.Record, now string) []blocks.Span {
	icon, words := State(r, r.State)
	switch {
	case follows(r) && now != "":
		return []blocks.Span{blocks.Bold("⏳ " + person(r.By)), blocks.Plain(": " + inLine(now, maxWhy))}
	case r.State == action.Waiting && r.Approval != nil:
		line := []blocks.Span{blocks.Bold(icon + " " + what(r)), blocks.Plain(" asked for by " + person(r.By) + ", " + words + " by ")}
		line = append(line, callAll(r.Approval.From)...)
		return append(line, blocks.Plain(" until "), blocks.Clock(r.Approval.Expires))
	case r.State == action.Running:
		return []blocks.Span{blocks.Bold("⏳ " + person(r.By)), blocks.Plain(": " + doing(r, r.Step))}
	}
	return []blocks.Span{blocks.Bold(icon + " " + what(r)), blocks.Plain(" asked for by " + person(r.By) + ", " + words)}
}

// was is the line of an action that is over.
func was(r *action.Record) []blocks.Span {
	line := []blocks.Span{blocks.Bold(ended(r, r.State)), blocks.Plain(" · " + person(r.By) + " · "), blocks.Ago(over(r))}
	if r.State == action.Done || r.Result == "" {
		return line
	}
	return append(line, blocks.Plain("\n"+inLine(r.Result, maxResult)))
}
