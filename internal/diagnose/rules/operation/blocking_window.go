package operation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// The ways in which windows block a sync.
const (
	denyWindow    = "a deny window"
	noAllowWindow = "no allow window"
	otherWindow   = "an allow window that is not open"
)

// block is what keeps windows from allowing a sync.
type block struct {
	kind string
	// window is the one that decides until when, also are the others that forbid a sync as well. open is one that is open all the same.
	window, open evidence.SyncWindow
	also         []evidence.SyncWindow
	// manual: all of them let manual syncs through.
	manual bool
	// zoned: the time zones are known. known: until is when they allow syncs again.
	zoned, known bool
	until        time.Time
}

// blocks is how windows block a sync now: active deny windows, all of which have to end; or allow windows, one of which has to open. Where
// one is open and Argo CD refuses all the same, it is a version that wants all of them open.
func blocks(w *evidence.SyncWindows, project *evidence.Project, now time.Time) block {
	if w == nil {
		return block{}
	}
	deny, open, allow := ofKind(w.ActiveWindows, "deny"), ofKind(w.ActiveWindows, "allow"), ofKind(w.AssignedWindows, "allow")
	closed := slices.DeleteFunc(slices.Clone(allow), func(a evidence.SyncWindow) bool { return slices.Contains(open, a) })
	switch {
	case len(deny) > 0:
		return blockOf(denyWindow, deny, project, now)
	case len(open) == 0 && len(allow) > 0:
		return blockOf(noAllowWindow, allow, project, now)
	case len(open) > 0 && len(closed) > 0 && w.CanSync != nil && !*w.CanSync:
		b := blockOf(otherWindow, closed, project, now)
		b.open, b.manual = open[0], false // it does refuse
		b.open.TimeZone, _ = zoneOf(open[0], project)
		return b
	}
	return block{}
}

// blockOf is the block by windows of one kind.
func blockOf(kind string, windows []evidence.SyncWindow, project *evidence.Project, now time.Time) block {
	b := block{kind: kind, manual: true, zoned: true, known: true}
	decides := -1
	all := slices.Clone(windows)
	slices.SortStableFunc(all, func(a, b evidence.SyncWindow) int { // of several that end together it is one that blocks manual syncs too
		return cmp.Compare(manualLast(a), manualLast(b))
	})
	for i := range all {
		w := &all[i]
		b.manual = b.manual && w.ManualSync
		if w.TimeZone == "" {
			zone, known := zoneOf(*w, project)
			w.TimeZone, b.zoned = zone, b.zoned && known
		}
		at, known := windowChange(*w, kind, now)
		switch {
		case !known:
			b.known = false
		case decides < 0, kind == denyWindow && at.After(b.until), kind != denyWindow && at.Before(b.until):
			decides, b.until = i, at
		}
	}
	b.window = all[max(decides, 0)]
	for _, w := range slices.Delete(all, max(decides, 0), max(decides, 0)+1) {
		if !slices.Contains(b.also, w) && w != b.window {
			b.also = append(b.also, w)
		}
	}
	return b
}

func manualLast(w evidence.SyncWindow) int {
	if w.ManualSync {
		return 1
	}
	return 0
}

func ofKind(windows []evidence.SyncWindow, kind string) (out []evidence.SyncWindow) {
	for _, w := range windows {
		if w.Kind == kind {
			out = append(out, w)
		}
	}
	return out
}

// others names the windows that forbid a sync besides the one that decides.
func (b block) others() string {
	const maxNamed = 3
	var out []string
	for _, w := range b.also {
		out = append(out, shortWindow(w, b.zoned))
	}
	switch {
	case len(out) == 0:
		return ""
	case b.kind == denyWindow && len(out) == 1:
		return " Another deny window is active as well: " + out[0] + "."
	case b.kind == denyWindow:
		return " Other deny windows are active as well: " + text.List(out, maxNamed) + "."
	case len(out) == 1:
		return " The other allow window, " + out[0] + ", opens later."
	}
	return " The other allow windows, " + text.List(out, maxNamed) + ", open later."
}

// quotes are the windows as evidence.
func (b block) quotes() []diagnose.Quote {
	out := []diagnose.Quote{{From: "sync windows", Text: b.window.Kind + " " + describeWindow(b.window, b.zoned)}}
	if b.open.Kind != "" {
		out = append(out, diagnose.Quote{From: "active sync windows", Text: b.open.Kind + " " + describeWindow(b.open, b.zoned)})
	}
	return out
}

// zoneOf is the time zone that the project has for a window, UTC where it sets none. known is false where the project was not read or
// does not tell which of its windows it is.
func zoneOf(w evidence.SyncWindow, project *evidence.Project) (zone string, known bool) {
	if project == nil {
		return "", false
	}
	known = true
	for _, own := range project.Spec.SyncWindows {
		zone := own.TimeZone
		if own.TimeZone = ""; own == w {
			return zone, true
		}
		known = known && zone == ""
	}
	return "", known
}

// describeWindow is when a window is active and what it does to manual syncs.
func describeWindow(w evidence.SyncWindow, zoned bool) string {
	manual := "manual syncs are blocked as well"
	if w.ManualSync {
		manual = "manual syncs are allowed"
	}
	if w.Kind == "allow" {
		manual = "outside it, " + manual
	}
	return shortWindow(w, zoned) + "; " + manual
}

// shortWindow is when a window is active.
func shortWindow(w evidence.SyncWindow, zoned bool) string {
	zone := ""
	if zoned {
		zone = fmt.Sprintf(" (%s)", cmp.Or(w.TimeZone, "UTC"))
	}
	return fmt.Sprintf("%q for %s%s", w.Schedule, w.Duration, zone)
}

// windowChange is when the window ends (deny) or starts (allow).
func windowChange(w evidence.SyncWindow, kind string, now time.Time) (time.Time, bool) {
	zone, err := time.LoadLocation(cmp.Or(w.TimeZone, "UTC"))
	if err != nil {
		return time.Time{}, false
	}
	if strings.Contains(w.Schedule, "TZ=") { // the zone is a field of its own; the parser panics on half of one
		return time.Time{}, false
	}
	schedule, err := cron.ParseStandard(w.Schedule)
	if err != nil {
		return time.Time{}, false
	}
	now = now.In(zone)
	if kind != denyWindow {
		next := schedule.Next(now)
		return next, !next.IsZero()
	}
	length, err := time.ParseDuration(w.Duration)
	if err != nil || length <= 0 {
		return time.Time{}, false
	}
	// Windows of one schedule may overlap (every minute for an hour): the end is where the first gap is. After a hundred
	// windows without a gap the schedule has no end worth showing.
	start := schedule.Next(now.Add(-length))
	if start.IsZero() || start.After(now) {
		return time.Time{}, false
	}
	end := start.Add(length)
	for range 100 {
		next := schedule.Next(start)
		if next.IsZero() || next.After(end) {
			return end, true
		}
		start, end = next, next.Add(length)
	}
	return time.Time{}, false
}
