package diagnose

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// sync is the verdict on pressing Sync now. What forbids a sync outranks what the cause says about it.
func (r *run) sync(root *Finding) Sync {
	if by := r.unattended(); by != nil && !r.leaving() {
		advice := r.unattendedSync(by)
		return Sync{Verdict: advice.Verdict, Why: advice.Why, Affects: []string{}}
	}
	advice := r.advice(root)
	if r.refusedInDryRun() {
		also := ", and"
		if advice.Verdict != SyncPointless && advice.Verdict != SyncBlocked && advice.Verdict != SyncUnknown {
			also = ", but"
		}
		advice.Why += also + " the last dry run of this revision failed"
	}
	affects := []string{}
	if advice.Verdict != SyncPointless && advice.Verdict != SyncBlocked && !r.isUncompared() {
		affects = append(affects, r.touched()...)
	}
	return Sync{Verdict: advice.Verdict, Why: advice.Why, Affects: affects, Newer: r.newerFor(root, advice)}
}

func (r *run) advice(root *Finding) Advice {
	op := r.app.Status.OperationState
	forbids := slices.IndexFunc(r.findings, func(f Finding) bool { return f.Kind == KindSyncForbidden })
	switch {
	case r.leaving():
		return Advice{SyncBlocked, "the application is being deleted"}
	case op.Running() && (root == nil || root.Sync.Verdict != SyncBlocked):
		return Advice{SyncBlocked, "an operation is running; it has to end or be terminated first"}
	case r.app.Requested() != nil && (root == nil || root.Sync.Verdict != SyncBlocked):
		return Advice{SyncBlocked, "an operation is already requested"}
	case forbids >= 0:
		return r.findings[forbids].Sync
	case root != nil && root.Kind == KindRepaired:
		return root.Sync
	case root != nil && AfterSync.Has(root.Rule):
		return r.gravest(root)
	case root != nil && root.Sync.Verdict == SyncSafe:
		return r.reallySafe(root)
	case root != nil && root.Kind == KindForbidden && root.Sync.Verdict == SyncUnknown:
		return r.onceAllowed(root)
	case root != nil:
		return r.laterUndoes(root)
	case r.isUncompared():
		return Advice{SyncUnknown, "Argo CD has not compared the application yet"}
	}
	if i := slices.IndexFunc(r.findings, func(f Finding) bool { return f.Sync.Verdict != "" }); i >= 0 {
		return r.findings[i].Sync
	}
	st := r.app.Status
	switch {
	case st.Sync.Status == "Synced":
		return Advice{SyncPointless, "the cluster already matches Git"}
	case st.Sync.Status == "OutOfSync":
		return Advice{SyncUnknown, "the cause of the difference is unknown"}
	}
	return Advice{SyncUnknown, "the state of the application is unknown"}
}

// gravity orders the verdicts by what a sync would do, the gravest first. One that helps with one difference and not with
// another still helps.
var gravity = []SyncVerdict{SyncBlocked, SyncDestructive, SyncOverwritesLive, SyncUnknown, SyncSafe, SyncPointless}

// gravest is the verdict on an application that is out of sync or not healthy for one or several causes: a sync does all
// that each of them says.
func (r *run) gravest(root *Finding) Advice {
	worst := root.Sync
	drift := false
	var undoes []string
	for _, f := range r.findings {
		if f.Role != RoleCause || f.Kind == KindWarning {
			continue
		}
		drift = drift || GroupDrift.Has(f.Rule)
		if f.Sync.Verdict == SyncOverwritesLive && !slices.Contains(undoes, f.Sync.Why) {
			undoes = append(undoes, f.Sync.Why)
		}
		if slices.Index(gravity, f.Sync.Verdict) < slices.Index(gravity, worst.Verdict) {
			worst = f.Sync
		}
	}
	if !drift && r.app.Status.Sync.Status == "OutOfSync" && r.unexplained() && slices.Index(gravity, worst.Verdict) > slices.Index(gravity, SyncUnknown) {
		return Advice{SyncUnknown, "some resources also differ from Git for an unknown reason"}
	}
	return worst.and(undoes)
}

// laterUndoes is the advice of a cause that keeps a sync from getting through, with the live changes that one undoes once it does.
func (r *run) laterUndoes(root *Finding) Advice {
	advice := root.Sync
	if advice.Verdict != SyncPointless {
		return advice
	}
	var undoes []string
	for _, f := range r.findings {
		if f.Role == RoleCause && GroupDrift.Has(f.Rule) && f.Sync.Verdict == SyncOverwritesLive && !slices.Contains(undoes, f.Sync.Why) {
			undoes = append(undoes, f.Sync.Why)
		}
	}
	if len(undoes) == 0 {
		return advice
	}
	advice.Why = strings.TrimSuffix(advice.Why, ".") + ". Once a sync gets through, " + strings.Join(undoes[:min(len(undoes), maxUndone)], "; ")
	if left := len(undoes) - maxUndone; left > 0 {
		advice.Why += "; and " + text.More(left)
	}
	return advice
}

// maxUndone is how many live changes that a sync undoes the advice lists.
const maxUndone = 3

// and is advice that also says which live changes a sync undoes: each of them matters to whoever made it.
func (a Advice) and(undoes []string) Advice {
	undoes = slices.DeleteFunc(undoes, func(why string) bool { return why == a.Why })
	if len(undoes) == 0 || a.Verdict != SyncDestructive && a.Verdict != SyncOverwritesLive {
		return a
	}
	left := len(undoes) - min(len(undoes), maxUndone)
	also := ". Also, "
	if a.Verdict == SyncDestructive {
		also = ". Either way, " // pruned or not
	}
	a.Why = strings.TrimSuffix(a.Why, ".") + also + strings.Join(undoes[:len(undoes)-left], "; ")
	if left > 0 {
		a.Why += "; and " + text.More(left)
	}
	return a
}

// onceAllowed is the verdict where only auto-sync is forbidden: that on the differences which it would have removed.
func (r *run) onceAllowed(root *Finding) Advice {
	worst := root.Sync
	for _, f := range r.findings {
		if f.Role == RoleEffect && GroupDrift.Has(f.Rule) && (worst == root.Sync || slices.Index(gravity, f.Sync.Verdict) < slices.Index(gravity, worst.Verdict)) {
			worst = f.Sync
		}
	}
	return worst
}

// unexplained reports whether a resource is out of sync and no cause is about it: else the advice of that covers it.
func (r *run) unexplained() bool {
	covered := map[evidence.Ref]bool{}
	for _, f := range r.findings {
		if f.Role == RoleCause {
			covered[f.Resource] = true
			for _, o := range f.Others {
				covered[o] = true
			}
		}
	}
	return slices.ContainsFunc(outOfSync(r.app), func(res evidence.ResourceStatus) bool { return !covered[res.Ref()] })
}

// reallySafe: a sync is safe only if no other cause says otherwise, and nothing is left that no rule knows.
func (r *run) reallySafe(root *Finding) Advice {
	for _, f := range r.findings {
		if f.Role == RoleCause && f.Sync.Verdict != SyncSafe {
			return f.Sync
		}
	}
	if r.app.LastDeployment() == nil && r.app.Status.OperationState.Failed() {
		return Advice{SyncUnknown, "no sync of this application has succeeded yet"}
	}
	if len(r.unclaimed()) > 0 {
		return Advice{SyncUnknown, "something else also failed, and no known cause matched it"}
	}
	return root.Sync
}

// outOfSync are the resources that differ. A hook is never one of them, though Argo CD lists a finished hook as requiring pruning.
func outOfSync(app *evidence.Application) []evidence.ResourceStatus {
	var out []evidence.ResourceStatus
	for _, res := range app.Status.Resources {
		if res.Status == "OutOfSync" && !res.Hook {
			out = append(out, res)
		}
	}
	return out
}

// actions are what the findings offer, and Sync where the verdict allows it; a refused one says why.
func (r *run) actions(rep *Report) []Action {
	out := []Action{}
	for _, f := range rep.Findings {
		for _, a := range f.Offers {
			if a.RefusedBecause == "" {
				a.RefusedBecause = r.refuses(a, rep.Unattended)
			}
			if !slices.ContainsFunc(out, func(o Action) bool { return o.ID == a.ID && o.Target == a.Target }) {
				out = append(out, a)
			}
		}
	}
	if rep.Verdict == VerdictHealthy {
		return out
	}
	a := Action{ID: ActionSync, Label: "Sync…", Why: rep.Sync.Why}
	switch rep.Sync.Verdict {
	case SyncPointless, SyncBlocked, SyncUnknown:
		a.RefusedBecause = string(rep.Sync.Verdict) + ": " + rep.Sync.Why
		if r.worthOnceRepaired(rep) {
			a.Once = "the cause is fixed"
			if rep.Sync.Newer != "" {
				a.Once = text.Revision(rep.Sync.Newer) + " contains the fix"
			}
		}
	case SyncSafe, SyncOverwritesLive, SyncDestructive:
	}
	return append(out, a)
}

// worthOnceRepaired reports whether a sync is the last step of the fix: it failed, and would fail again until somebody repairs
// what it failed of, be it in Git, in the cluster or in a database. Argo CD does not see that until it tries.
func (r *run) worthOnceRepaired(rep *Report) bool {
	root := rep.Root()
	return rep.Sync.Verdict == SyncPointless && rep.Unattended == "" && root != nil && r.app.Status.OperationState.Failed() && DuringSync.Has(root.Rule)
}
