package render

import (
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/blocks"
)

// maxResult is how much of a result the root message shows; all of it is in the thread.
const maxResult = 160

// muteMark says that there are no reminders.
func muteMark(i *incident.Incident) []blocks.Block {
	mute := i.Silenced()
	if mute == nil {
		return nil
	}
	line := []blocks.Span{blocks.Bold("🔕 Muted"), blocks.Plain(" by " + subject(mute.By) + " until "), blocks.Clock(mute.Until)}
	if mute.Each {
		line = []blocks.Span{blocks.Bold("🔕 Muted"), blocks.Plain(" until "), blocks.Clock(mute.Until), blocks.Plain(", because each of its applications is")}
	}
	if i.Phase == incident.Recovered {
		line = append(line, blocks.Plain(", also if it fails again"))
	}
	return []blocks.Block{blocks.Text(line...)}
}

// actionLines is what people do about it: everything that is under way, what the operation does, and what was done last.
func actionLines(i *incident.Incident) []blocks.Block {
	var out []blocks.Block
	var last *action.Record
	now := i.Progress
	for _, r := range i.Actions {
		switch {
		case !r.State.Over():
			out = append(out, blocks.Text(liveLine(r, now)...))
			if follows(r) { // its line says how far it is
				now = ""
			}
		case r.Kind != action.Mute && !endTime(r).Before(lastOpened(i)): // a mute has a line of its own
			if last == nil || !endTime(r).Before(endTime(last)) {
				last = r
			}
		}
	}
	out = append(out, progress(now)...)
	if last != nil {
		out = append(out, blocks.Text(endedLine(last)...))
	}
	return out
}

// lastOpened is when the present failure was reported: the last time that the incident was opened.
func lastOpened(i *incident.Incident) time.Time {
	if i.ReopenedAt.After(i.OpenedAt) {
		return i.ReopenedAt
	}
	return i.OpenedAt
}

// endTime is when an action ended; one that has not is as old as its request.
func endTime(r *action.Record) time.Time {
	if r.Ended.IsZero() {
		return r.At
	}
	return r.Ended
}

// progress is how far the running operation is.
func progress(line string) []blocks.Block {
	if line == "" {
		return nil
	}
	return []blocks.Block{blocks.Text(blocks.Bold("⏳ Now "), blocks.Plain(ShortLine(line, maxWhy)))}
}

// follows reports whether what runs in Argo CD is what the action has started.
func follows(r *action.Record) bool {
	return r.State == action.Running && r.Step == action.StepFollow
}

// liveLine is the line of an action that is not over, and now how far the running operation is.
func liveLine(r *action.Record, now string) []blocks.Span {
	icon, words := state(r, r.State)
	switch {
	case follows(r) && now != "":
		return []blocks.Span{blocks.Bold("⏳ " + subject(r.By)), blocks.Plain(": " + ShortLine(now, maxWhy))}
	case r.State == action.Waiting && r.Approval != nil:
		line := []blocks.Span{blocks.Bold(icon + " " + actionName(r)), blocks.Plain(" requested by " + subject(r.By) + ", " + words + " by ")}
		line = append(line, mentions(r.Approval.From)...)
		return append(line, blocks.Plain(" until "), blocks.Clock(r.Approval.Expires))
	case r.State == action.Running:
		return []blocks.Span{blocks.Bold("⏳ " + subject(r.By)), blocks.Plain(": " + stepText(r, r.Step))}
	}
	return []blocks.Span{blocks.Bold(icon + " " + actionName(r)), blocks.Plain(" requested by " + subject(r.By) + ", " + words)}
}

// endedLine is the line of an action that is over.
func endedLine(r *action.Record) []blocks.Span {
	line := []blocks.Span{blocks.Bold(endText(r, r.State)), blocks.Plain(" · " + subject(r.By) + " · "), blocks.Ago(endTime(r))}
	if r.State == action.Done || r.Result == "" {
		return line
	}
	return append(line, blocks.Plain("\n"+ShortLine(r.Result, maxResult)))
}
