package operation

import (
	"fmt"
	"slices"

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
	b := blocks(windows, nil, in.Now())
	if !b.zoned && b.kind != "" { // Argo CD leaves the time zones out of its answer
		project, _ := diagnose.Get(in, evidence.FactProject)
		b = blocks(windows, project, in.Now())
	}
	allowed := windows != nil && windows.CanSync != nil && *windows.CanSync
	if said == nil && (b.kind == "" || !in.App().AutoSync() && (windows.CanSync == nil || allowed)) {
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
	switch {
	case b.kind == otherWindow:
		closedBesideOpen(&f, b)
	case b.kind != "":
		nameWindow(in, &f, b)
	case allowed && said != nil && said.Refusal: // they have changed since
		f.Kind, f.Title = diagnose.KindForbidden, "Sync window blocked the sync"
		f.Why = fmt.Sprintf("The sync windows of project %s did not allow the sync when it was asked for. They do now.", advice.Project(in))
		f.Fix = []diagnose.Fix{advice.Sync(in, "Sync again"), f.Fix[0]}
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "the windows allow it now, and what it would change is unknown"}
	}
	if b.manual {
		f.Kind = diagnose.KindForbidden
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "the window blocks only auto-sync, and what a manual sync would change is unknown"}
	}
	if said != nil {
		if parked(in) && b.kind != "" {
			whileParked(in, &f, b)
		}
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
func nameWindow(in *diagnose.In, f *diagnose.Finding, b block) {
	when, resumes := "", b.known && b.zoned
	if resumes {
		when = " until " + text.Moment(b.until, in.Now())
		step := fmt.Sprintf("Wait about %s, then sync", remaining(in, b))
		if in.App().AutoSync() {
			step = fmt.Sprintf("Wait about %s: auto-sync resumes then", remaining(in, b))
		}
		f.Fix = slices.Concat(advice.Steps(step), f.Fix)
	}
	if when == "" {
		f.Fix[0].Text = "Wait until the window ends, or change it in the project; this lists the windows with their IDs and times"
	}
	state, effect := b.kind+" is active", "denies"
	blocked := "syncing"
	if b.manual {
		blocked = "auto-sync"
	}
	f.Title = "Deny window blocks " + blocked + when
	if b.kind == noAllowWindow {
		state, effect = b.kind+" is open", "allows"
		f.Title = text.UpperFirst(state) + when
	}
	f.Why = fmt.Sprintf("Project %s %s syncs in the window %s.", advice.Project(in), effect, describeWindow(b.window, b.zoned)) + b.others()
	if !b.zoned && b.known {
		f.Why += fmt.Sprintf(" Its time zone was not read; if that is UTC, this lasts until %s.", text.Moment(b.until, in.Now()))
	} else if !b.zoned {
		f.Why += " Its time zone was not read."
	}
	f.Evidence = b.quotes()
	f.Sync = advice.Blocked("%s%s", state, when)
	last := &f.Fix[len(f.Fix)-1]
	switch {
	case b.manual:
		*last = advice.Sync(in, "If it cannot wait, sync manually: the window allows that")
	case len(b.also) > 0:
		last.Text = "If it cannot wait, allow manual syncs in each of these windows, then sync (affects every application they cover; undo with disable-manual-sync)"
	}
}

// closedBesideOpen is about versions of Argo CD that refuse a sync in an open window for another one that is not open.
func closedBesideOpen(f *diagnose.Finding, b block) {
	f.Title = "Sync refused for a closed window, though one is open"
	f.Short = "Sync refused though a window is open"
	f.Why = fmt.Sprintf("Allow window %s is open. Argo CD refuses the sync for %s, which is not: before version 2.7 it syncs only while all allow windows of an application are open.", shortWindow(b.open, b.zoned), shortWindow(b.window, b.zoned))
	f.Evidence = b.quotes()
	f.Sync = advice.Blocked("an allow window of the application is not open, and this Argo CD wants all of them open")
	list := f.Fix[0]
	list.Text = "Or let only one allow window of the project match this application; this lists them with their IDs"
	allow := f.Fix[1]
	allow.Text = "If it cannot wait, allow manual syncs in the window that is not open, then sync (affects every application the window covers; undo with disable-manual-sync)"
	f.Fix = []diagnose.Fix{{Text: "Upgrade Argo CD to 2.7 or later, where one open allow window is enough"}, list, allow}
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
