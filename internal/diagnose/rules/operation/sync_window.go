package operation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// SyncWindow is the rule about sync windows. Only the drift rules know whether a window is what keeps an application out of sync:
// the list gets waitsForSync from them, which reports whether a sync would remove some of the difference.
func SyncWindow(waitsForSync func(*diagnose.In) bool) *diagnose.Rule {
	r := *syncWindow
	r.Check = func(in *diagnose.In) diagnose.Outcome { return checkSyncWindow(in, waitsForSync) }
	return &r
}

var syncWindow = &diagnose.Rule{
	ID:          "operation/sync-window",
	Needs:       []evidence.Kind{evidence.KindWindows, evidence.KindManaged, evidence.KindProject},
	ExplainedBy: diagnose.SymptomOf(diagnose.BeforeSync),
	Doc: diagnose.Doc{
		Title:    "Sync window blocks syncing",
		What:     "The project has sync windows. Either a deny window is active, or there are allow windows and none of them is active. Argo CD then does not auto-sync, and refuses a manual sync unless the window has manualSync.",
		Decisive: "Argo CD answers \"blocked by sync window\"; or the application is out of sync, nothing failed, and the windows do not allow a sync.",
		Example:  "cannot sync: blocked by sync window",
		Fix:      "Wait until the window ends, or set manualSync on the window.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync_windows/"},
	},
	Sync: advice.Blocked("a sync window blocks the sync"),
}

func checkSyncWindow(in *diagnose.In, waitsForSync func(*diagnose.In) bool) diagnose.Outcome {
	var said *diagnose.Statement
	all := in.Statements()
	for i := range all {
		if all[i].Failure.Has("sync window") {
			said = &all[i]
		}
	}
	held := isHeldBack(in)
	if said == nil && !held {
		return diagnose.Nothing
	}
	windows, ok := diagnose.Get(in, evidence.FactWindows)
	if !ok && said == nil {
		return diagnose.Unknown
	}
	w, kind := forbiddingWindow(windows)
	zoned := true
	if kind != "" && w.TimeZone == "" { // Argo CD leaves it out of its answer
		project, _ := diagnose.Get(in, evidence.FactProject)
		w.TimeZone, zoned = zoneOf(w, project)
	}
	if said == nil && (kind == "" || !in.App().AutoSync() && (windows.CanSync == nil || *windows.CanSync)) {
		return diagnose.Nothing
	}
	f := diagnose.Finding{
		Kind: diagnose.KindSyncForbidden, Confidence: diagnose.Certain,
		Title: "Sync window blocks syncing",
		Why:   fmt.Sprintf("The sync windows of project %s do not allow a sync now.", advice.Project(in)),
		Fix: []diagnose.Fix{
			{Text: "List the windows of the project with their IDs and times", Command: diagnose.Shell("argocd proj windows list %s", advice.Project(in))},
			{Text: "If it cannot wait, allow manual syncs in that window, then sync (affects every application the window covers; undo with disable-manual-sync)", Command: diagnose.Shell("argocd proj windows enable-manual-sync %s ID", advice.Project(in))},
		},
	}
	if kind != "" {
		nameWindow(in, &f, w, kind, zoned)
	}
	if w.ManualSync {
		f.Kind = diagnose.KindForbidden
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "the window blocks only auto-sync, and what a manual sync would change is unknown"}
	}
	if said != nil {
		return diagnose.Found(f.On(said))
	}
	f.Confidence = diagnose.Likely
	if !holdsBack(in, waitsForSync) {
		f.Role = diagnose.RoleNote // it blocks a sync, but is not why the application is out of sync
	} else {
		f.Why += " While that lasts, the application stays out of sync."
	}
	return diagnose.Found(f)
}

// nameWindow says in a finding which window blocks a sync, until when, and what helps.
// zoned is false where its time zone is not known.
func nameWindow(in *diagnose.In, f *diagnose.Finding, w evidence.SyncWindow, kind string, zoned bool) {
	when := ""
	until, known := windowChange(w, kind, in.Now())
	if known && zoned {
		when = " until " + text.Moment(until, in.Now())
		step := fmt.Sprintf("Wait about %s, then sync", text.Duration(until.Sub(in.Now())))
		if in.App().AutoSync() {
			step = fmt.Sprintf("Wait about %s: auto-sync resumes then", text.Duration(until.Sub(in.Now())))
		}
		f.Fix = slices.Concat(advice.Steps(step), f.Fix)
	}
	if when == "" {
		f.Fix[0].Text = "Wait until the window ends, or change it in the project; this lists the windows with their IDs and times"
	}
	state, effect := kind+" is active", "denies"
	blocked := "syncing"
	if w.ManualSync {
		blocked = "auto-sync"
	}
	f.Title = "Deny window blocks " + blocked + when
	if kind == noAllowWindow {
		state, effect = kind+" is open", "allows"
		f.Title = text.UpperFirst(state) + when
	}
	f.Why = fmt.Sprintf("Project %s %s syncs in the window %s.", advice.Project(in), effect, describeWindow(w, zoned))
	if !zoned && known {
		f.Why += fmt.Sprintf(" Its time zone was not read; if that is UTC, this lasts until %s.", text.Moment(until, in.Now()))
	} else if !zoned {
		f.Why += " Its time zone was not read."
	}
	f.Evidence = []diagnose.Quote{{From: "sync windows", Text: w.Kind + " " + describeWindow(w, zoned)}}
	f.Sync = advice.Blocked("%s%s", state, when)
	if w.ManualSync {
		f.Fix[len(f.Fix)-1] = advice.Sync(in, "If it cannot wait, sync manually: the window allows that")
	}
}

// holdsBack reports whether the application would be in sync without the window: a sync would remove some of the difference, and
// would have been run.
func holdsBack(in *diagnose.In, waitsForSync func(*diagnose.In) bool) bool {
	app := in.App()
	if !app.AutoSync() {
		return app.Status.OperationState == nil // never synced; otherwise it waits for a person anyway
	}
	return waitsForSync(in)
}

// isHeldBack reports whether there is something to sync, and nothing failed or is running.
func isHeldBack(in *diagnose.In) bool {
	st := in.App().Status
	return st.Sync.Status == "OutOfSync" && in.App().CurrentOperation() == nil && len(in.Statements()) == 0
}

// The ways in which windows block a sync.
const (
	denyWindow    = "a deny window"
	noAllowWindow = "no allow window"
)

// forbiddingWindow is the window that blocks a sync, and how: an active deny window, or an allow window that is not active. Of several
// it is one that blocks manual syncs as well: Argo CD allows those only where all windows do.
func forbiddingWindow(w *evidence.SyncWindows) (evidence.SyncWindow, string) {
	if w == nil {
		return evidence.SyncWindow{}, ""
	}
	if deny, ok := strictest(w.ActiveWindows, "deny"); ok {
		return deny, denyWindow
	}
	if allow, ok := strictest(w.AssignedWindows, "allow"); ok && len(w.ActiveWindows) == 0 {
		return allow, noAllowWindow
	}
	return evidence.SyncWindow{}, ""
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

// strictest is the first window of a kind that does not allow manual syncs, else the first; ok is false where there is none.
func strictest(windows []evidence.SyncWindow, kind string) (w evidence.SyncWindow, ok bool) {
	for _, other := range windows {
		switch {
		case other.Kind != kind:
		case !other.ManualSync:
			return other, true
		case !ok:
			w, ok = other, true
		}
	}
	return w, ok
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
	zone := ""
	if zoned {
		zone = fmt.Sprintf(" (%s)", cmp.Or(w.TimeZone, "UTC"))
	}
	return fmt.Sprintf("%q for %s%s; %s", w.Schedule, w.Duration, zone, manual)
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
	if kind == noAllowWindow {
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
