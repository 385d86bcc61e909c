package operation

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// SyncWindow is the rule about sync windows. Whether a window is what keeps an application out of sync, only the drift rules
// tell: the list has waitsForSync from them, which reports whether a sync would cure some of the difference.
func SyncWindow(waitsForSync func(*diagnose.In) bool) *diagnose.Rule {
	r := *syncWindow
	r.Check = func(in *diagnose.In) diagnose.Outcome { return checkSyncWindow(in, waitsForSync) }
	return &r
}

var syncWindow = &diagnose.Rule{
	ID:          "operation/sync-window",
	Needs:       []evidence.Kind{evidence.KindWindows, evidence.KindManaged},
	ExplainedBy: diagnose.SymptomOf(diagnose.BeforeSync),
	Doc: diagnose.Doc{
		Title:    "A sync window forbids syncing now",
		What:     "The project has sync windows. A deny window is active, or there are allow windows and none is: Argo CD neither syncs by itself nor, unless the window has manualSync, when asked.",
		Decisive: "Argo CD answers \"blocked by sync window\"; or the application is out of sync, nothing failed, and the windows forbid a sync.",
		Example:  "cannot sync: blocked by sync window",
		Fix:      "Wait until the window ends, or set manualSync on the window.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync_windows/"},
	},
	Sync: advice.Blocked("a sync window forbids it"),
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
	if said == nil && (kind == "" || !in.App().AutoSync() && (windows.CanSync == nil || *windows.CanSync)) {
		return diagnose.Nothing
	}
	f := diagnose.Finding{
		Kind: diagnose.KindSyncForbidden, Confidence: diagnose.Certain,
		Title: "a sync window forbids syncing now",
		Why:   "The project's sync windows do not let Argo CD sync at this time.",
		Fix: []diagnose.Fix{
			{Text: "See the windows", Command: diagnose.Shell("argocd proj windows list %s", advice.Project(in))},
			{Text: "If it cannot wait, allow manual syncs in that window (for all applications that it covers; undo with disable-manual-sync), and sync", Command: diagnose.Shell("argocd proj windows enable-manual-sync %s ID", advice.Project(in))},
		},
	}
	if kind != "" {
		until, known := windowChange(w, kind, in.Now())
		when := ""
		if known {
			when = fmt.Sprintf(" until %s (in %s)", until.Format("Mon 15:04 MST"), text.Age(until.Sub(in.Now())))
		}
		f.Title = fmt.Sprintf("%s forbids syncing now%s", kind, when)
		f.Why = fmt.Sprintf("Project %s: %s%s.", advice.Project(in), describeWindow(w, kind), when)
		f.Evidence = []diagnose.Quote{{From: "sync windows", Text: describeWindow(w, kind)}}
		f.Sync = advice.Blocked("%s forbids it%s", kind, when)
	}
	if said != nil {
		return diagnose.Found(f.On(said))
	}
	f.Confidence = diagnose.Likely
	f.Why += " The application is out of sync, and nothing can be synced while this lasts."
	if w.ManualSync {
		f.Kind = diagnose.KindForbidden
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "the window holds auto-sync back and allows a sync by hand; what that would change is not known"}
	}
	if !holdsBack(in, waitsForSync) {
		f.Role = diagnose.RoleNote // it is not why the application is out of sync, and forbids to sync it
	}
	return diagnose.Found(f)
}

// holdsBack reports whether the application would be in sync but for the window: something waits that a sync cures, and
// somebody would have synced it.
func holdsBack(in *diagnose.In, waitsForSync func(*diagnose.In) bool) bool {
	app := in.App()
	if !app.AutoSync() {
		return app.Status.OperationState == nil // never synced; else it waits for a person anyway
	}
	return waitsForSync(in)
}

// isHeldBack: there is something to sync, and nothing failed or runs.
func isHeldBack(in *diagnose.In) bool {
	st := in.App().Status
	return st.Sync.Status == "OutOfSync" && in.App().CurrentOperation() == nil && len(in.Statements()) == 0
}

// forbiddingWindow is the window that forbids, and which way: an active deny window, or an allow window that is not active.
func forbiddingWindow(w *evidence.SyncWindows) (evidence.SyncWindow, string) {
	if w == nil {
		return evidence.SyncWindow{}, ""
	}
	allowed := false
	for _, a := range w.ActiveWindows {
		if a.Kind == "deny" {
			return a, "a deny window"
		}
		allowed = true
	}
	for _, a := range w.AssignedWindows {
		if a.Kind == "allow" && !allowed {
			return a, "the lack of an active allow window"
		}
	}
	return evidence.SyncWindow{}, ""
}

func describeWindow(w evidence.SyncWindow, kind string) string {
	manual := "manual syncs are refused, too"
	if w.ManualSync {
		manual = "manual syncs are allowed"
	}
	zone := cmp.Or(w.TimeZone, "UTC")
	return fmt.Sprintf("%s is in force (%s %q for %s, %s; %s)", kind, w.Kind, w.Schedule, w.Duration, zone, manual)
}

// windowChange is when the window ends (deny) or begins (allow).
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
	if strings.Contains(kind, "allow") {
		next := schedule.Next(now)
		return next, !next.IsZero()
	}
	length, err := time.ParseDuration(w.Duration)
	if err != nil || length <= 0 {
		return time.Time{}, false
	}
	// Windows of one schedule may overlap (every minute for an hour): the end is that of the first gap. After a hundred
	// windows without a gap the schedule has no end worth telling.
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
