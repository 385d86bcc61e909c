package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// How much of a text from outside stands in a line.
const (
	maxName   = 60
	maxTarget = 100
)

// person names somebody without calling them.
func person(p action.Person) string {
	return cmp.Or(inLine(p.Name, maxName), inLine(p.ID, maxName), "somebody")
}

func inLine(s string, limit int) string {
	s, _ = blocks.Shorten(sanitize.Text(text.OneLine(s)), limit)
	return s
}

// called calls a person, by ID; one without is named.
func called(p action.Person) blocks.Span {
	if p.ID == "" {
		return blocks.Plain(person(p))
	}
	return blocks.User(inLine(p.ID, maxName))
}

// callAll calls all of them, groups first.
func callAll(who action.Who) []blocks.Span {
	var out []blocks.Span
	add := func(s blocks.Span) {
		if len(out) > 0 {
			out = append(out, blocks.Plain(", "))
		}
		out = append(out, s)
	}
	for _, id := range who.Groups[:min(len(who.Groups), maxListed)] {
		add(blocks.Group(inLine(id, maxName)))
	}
	for _, id := range who.Users[:min(len(who.Users), maxListed)] {
		add(blocks.User(inLine(id, maxName)))
	}
	if len(out) == 0 {
		add(blocks.Plain("somebody else"))
	}
	return out
}

// what names an action: "Sync of 3f2a91c".
func what(r *action.Record) string {
	switch r.Kind {
	case action.HardRefresh:
		return "Hard refresh"
	case action.DeleteHookJob:
		return "Deletion of " + target(r)
	case action.Terminate:
		return "Termination of the operation"
	case action.Sync:
		return syncOf(r)
	case action.Mute:
		if r.MuteFor <= 0 {
			return "Unmuting"
		}
		return "Mute for " + text.Duration(r.MuteFor)
	}
	return cmp.Or(inLine(string(r.Kind), maxName), "Action")
}

// done says that it was done: "Job db-migrate deleted".
func done(r *action.Record) string {
	switch {
	case r.Kind == action.HardRefresh:
		return "Hard refresh done"
	case r.Kind == action.DeleteHookJob:
		return target(r) + " deleted"
	case r.Kind == action.Terminate:
		return "Operation terminated"
	case r.Kind == action.Mute && r.MuteFor <= 0:
		return "Unmuted"
	case r.Kind == action.Mute:
		return "Muted for " + text.Duration(r.MuteFor)
	}
	return what(r) + " done"
}

// doing says what is being done: "deleting Job db-migrate".
func doing(r *action.Record, step action.Step) string {
	switch step {
	case action.StepCheck:
		return "looking whether what was confirmed is still true"
	case action.StepLogs:
		return "saving the log of " + target(r)
	case action.StepTerminate:
		return "terminating the operation"
	case action.StepDelete:
		return "deleting " + target(r)
	case action.StepDryRun:
		return "dry run of " + revisions(r)
	case action.StepSync:
		return "starting the sync of " + revisions(r)
	case action.StepFollow:
		return "syncing " + revisions(r)
	case action.StepRefresh:
		return "having Argo CD render and compare anew"
	case action.StepMute:
		return "muting"
	}
	return text.LowerFirst(what(r))
}

func target(r *action.Record) string {
	t := r.Target
	return strings.TrimSpace(cmp.Or(inLine(t.Kind, maxName), "Job") + " " + inLine(t.Name, maxTarget))
}

func syncOf(r *action.Record) string {
	name := "Sync of " + revisions(r)
	if r.Sync.DryRun {
		name = "Dry run of " + revisions(r)
	}
	if n := len(r.Sync.Resources); n > 0 {
		name += fmt.Sprintf(", only %s", text.Count(n, "resource", "resources"))
	}
	if r.Sync.Prune {
		name += ", with prune"
	}
	return name
}

// revisions are those of a sync, each as people write it.
func revisions(r *action.Record) string {
	return cmp.Or(inLine(text.Revisions(r.Revision), maxTarget), "the newest revision")
}

// State is the icon and the words of a state that an action had, for all that show it.
func State(r *action.Record, s action.State) (icon, words string) {
	if s == action.Denied && takenBack(r) {
		return text.State(text.TakenBack)
	}
	return text.State(string(s))
}

// takenBack reports whether who asked for it wanted it no more.
func takenBack(r *action.Record) bool {
	return r.Approval != nil && r.Approval.By.ID != "" && r.Approval.By.ID == r.By.ID
}

// ended says that an action is over, and how: "Sync of 3f2a91c failed".
func ended(r *action.Record, s action.State) string {
	icon, words := State(r, s)
	switch {
	case s == action.Done && r.Kind == action.Mute && r.MuteFor > 0:
		return "🔕 " + done(r)
	case s == action.Done && r.Kind == action.Mute:
		return "🔔 " + done(r)
	case s == action.Done:
		return icon + " " + done(r)
	case s == action.Denied && !takenBack(r) && r.Approval != nil && r.Approval.By.ID != "":
		words += " by " + person(r.Approval.By)
	}
	return icon + " " + what(r) + " " + words
}
