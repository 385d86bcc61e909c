package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// touch is what a sync would do to one resource.
type touch struct {
	ref  evidence.Ref
	what string
	// rank orders what a sync does by what it may cost: 0 loses data, then what is deleted, replaced, changed, created, run.
	rank int
}

// touched lists what a sync would do to which resource, what may lose data first.
func (r *run) touched() []string {
	var all []touch
	for _, res := range outOfSync(r.app) {
		all = append(all, r.touch(res))
	}
	if len(all) > 0 {
		all = append(all, hooksAgain(r.app)...)
	}
	slices.SortStableFunc(all, func(a, b touch) int { return cmp.Compare(a.rank, b.rank) })
	var out []string
	for _, t := range all {
		out = append(out, fmt.Sprintf("%s: %s", t.ref, t.what))
	}
	return out
}

func (r *run) touch(res evidence.ResourceStatus) touch {
	t := touch{ref: res.Ref(), what: "changed", rank: 3}
	options := r.syncOptions(res.Ref())
	switch {
	case res.RequiresPruning && strings.Contains(r.syncOptions(res.Ref()), "Prune=false"):
		t.what, t.rank = "kept (Prune=false)", 5
		return t
	case res.RequiresPruning:
		t.what, t.rank = "pruned, if prune is on", 1
	case res.Health != nil && res.Health.Status == "Missing":
		t.what, t.rank = "created", 4
		return t
	case strings.Contains(options, "Force=true"):
		t.what, t.rank = "deleted and created again (Force=true)", 2
	case strings.Contains(options, "Replace=true"):
		t.what, t.rank = "replaced as a whole (Replace=true)", 2
	}
	if t.rank < 3 && t.ref.HoldsData() {
		t.what, t.rank = t.what+"; it holds data", 0
	}
	return t
}

// syncOptions are those of a resource: the application's, and its own annotation as far as the managed resources were
// read.
func (r *run) syncOptions(ref evidence.Ref) string {
	var out string
	if p := r.app.Spec.SyncPolicy; p != nil {
		out = strings.Join(p.SyncOptions, ",")
	}
	e := r.ledger[ledgerKey{evidence.KindManaged, ""}]
	if e == nil || e.state != read {
		return out
	}
	managed, _ := e.value.([]evidence.ResourceDiff)
	const annotation = "argocd.argoproj.io/sync-options"
	for _, m := range managed {
		for _, side := range []string{m.TargetState, m.LiveState} { // what is to be pruned has no target
			if !m.Ref().Same(ref) || !strings.Contains(side, annotation) {
				continue
			}
			if o, err := evidence.DecodeObject([]byte(side)); err == nil {
				out += "," + o.Annotation(annotation)
			}
			break
		}
	}
	return out
}

// hooksAgain are the hooks of the last sync: every sync runs them.
func hooksAgain(app *evidence.Application) []touch {
	var out []touch
	for _, task := range app.Status.OperationState.Results() {
		if task.IsHook() && task.HookType != "SyncFail" {
			out = append(out, touch{task.Ref(), task.HookType + " hook, runs again", 5})
		}
	}
	return out
}
