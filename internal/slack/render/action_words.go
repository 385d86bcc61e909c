package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// How much of a text from outside a line has.
const (
	maxName   = 60
	maxTarget = 100
)

// PersonName is the name of a person, or else their ID: where a mention would notify them, and nobody has to look.
func PersonName(p action.Person) string {
	return ShortLine(sanitize.Name(cmp.Or(p.Name, p.ID)), maxName)
}

// subject is the person a sentence is about: it needs a word even where a record names nobody.
func subject(p action.Person) string { return cmp.Or(PersonName(p), "somebody") }

// ShortLine is a text from outside as a part of a line, in at most limit characters.
func ShortLine(s string, limit int) string {
	s, _ = blocks.Shorten(text.OneLine(s), limit)
	return s
}

// mention notifies a person, by ID; one without is named.
func mention(p action.Person) blocks.Span {
	if p.ID == "" {
		return blocks.Plain(subject(p))
	}
	return blocks.User(ShortLine(p.ID, maxName))
}

// mentions notifies all of them, groups first.
func mentions(who action.Who) []blocks.Span {
	var out []blocks.Span
	add := func(s blocks.Span) {
		if len(out) > 0 {
			out = append(out, blocks.Plain(", "))
		}
		out = append(out, s)
	}
	for _, id := range who.Groups[:min(len(who.Groups), maxListed)] {
		add(blocks.Group(ShortLine(id, maxName)))
	}
	for _, id := range who.Users[:min(len(who.Users), maxListed)] {
		add(blocks.User(ShortLine(id, maxName)))
	}
	if len(out) == 0 {
		add(blocks.Plain("somebody else"))
	}
	return out
}

// actionName names an action: "Sync to 3f2a91c".
func actionName(r *action.Record) string {
	switch r.Kind {
	case action.HardRefresh:
		return "Hard refresh"
	case action.DeleteHookJob:
		return "Deletion of " + targetName(r)
	case action.Terminate:
		return "Termination of the running operation"
	case action.Sync:
		return syncName(r)
	case action.Mute:
		if r.MuteFor <= 0 {
			return "Unmute"
		}
		return "Mute for " + text.Duration(r.MuteFor)
	}
	return cmp.Or(ShortLine(string(r.Kind), maxName), "Action")
}

// successText says that it was done: "Job db-migrate deleted".
func successText(r *action.Record) string {
	switch {
	case r.Kind == action.HardRefresh:
		return "Hard refresh done"
	case r.Kind == action.DeleteHookJob:
		return targetName(r) + " deleted"
	case r.Kind == action.Terminate:
		return "Operation terminated"
	case r.Kind == action.Mute && r.MuteFor <= 0:
		return "Unmuted"
	case r.Kind == action.Mute:
		return "Muted for " + text.Duration(r.MuteFor)
	}
	return actionName(r) + " done"
}

// stepText says what is being done: "deleting Job db-migrate".
func stepText(r *action.Record, step action.Step) string {
	switch step {
	case action.StepCheck:
		return "checking that nothing has changed since it was confirmed"
	case action.StepLogs:
		return "saving the log of " + targetName(r)
	case action.StepTerminate:
		return "terminating the operation"
	case action.StepDelete:
		return "deleting " + targetName(r)
	case action.StepDryRun:
		return "dry run of " + syncRevisions(r)
	case action.StepSync:
		return "starting the sync to " + syncRevisions(r)
	case action.StepFollow:
		return "syncing to " + syncRevisions(r)
	case action.StepRefresh:
		return "refreshing the application"
	case action.StepMute:
		return "muting reminders"
	}
	return text.LowerFirst(actionName(r))
}

func targetName(r *action.Record) string {
	t := r.Target
	return strings.TrimSpace(cmp.Or(ShortLine(t.Kind, maxName), "Job") + " " + ShortLine(t.Name, maxTarget))
}

func syncName(r *action.Record) string {
	name := "Sync to " + syncRevisions(r)
	if r.Sync.DryRun {
		name = "Dry run of " + syncRevisions(r)
	}
	if n := len(r.Sync.Resources); n > 0 {
		name += fmt.Sprintf(", only %s", text.Count(n, "resource", "resources"))
	}
	if r.Sync.Prune {
		name += ", with prune"
	}
	return name
}

// syncRevisions are those of a sync, each as people write it.
func syncRevisions(r *action.Record) string {
	return cmp.Or(ShortLine(text.Revisions(r.Revision), maxTarget), "the latest revision")
}

// State is the icon and the words of what became of an action, for everything that shows it.
func State(p posted.Record) (icon, words string) { return state(p.View(), p.View().State) }

func state(r *action.Record, s action.State) (icon, words string) {
	if s == action.Denied && takenBack(r) {
		return text.State(text.TakenBack)
	}
	return text.State(string(s))
}

// takenBack reports whether the requester withdrew it.
func takenBack(r *action.Record) bool {
	return r.Approval != nil && r.Approval.By.ID != "" && r.Approval.By.ID == r.By.ID
}

// endText says that an action is over, and how: "Sync to 3f2a91c failed".
func endText(r *action.Record, s action.State) string {
	icon, words := state(r, s)
	switch {
	case s == action.Done && r.Kind == action.Mute && r.MuteFor > 0:
		return "🔕 " + successText(r)
	case s == action.Done && r.Kind == action.Mute:
		return "🔔 " + successText(r)
	case s == action.Done:
		return icon + " " + successText(r)
	case s == action.Denied && !takenBack(r) && r.Approval != nil && r.Approval.By.ID != "":
		words += " by " + subject(r.Approval.By)
	}
	return icon + " " + actionName(r) + " " + words
}
