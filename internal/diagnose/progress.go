package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// underWay says in a line how far the operation is that runs, empty when none does. It names no times: while the state is
// the same, so is the line.
func (r *run) underWay(root *Finding) string {
	op := r.app.Status.OperationState
	if !op.Running() {
		if r.app.Requested() != nil && (root == nil || !GroupOperation.Has(root.Rule)) { // which says so itself
			return "an operation is requested and has not started"
		}
		return ""
	}
	line := r.operationName(op)
	if op.RetryCount > 0 {
		line += fmt.Sprintf(", retry %d", op.RetryCount)
		if limit := op.Operation.Retry.Limit; limit > 0 {
			line += fmt.Sprintf(" of %d", limit)
		}
	}
	details := []string{strings.Join(notEmpty(r.applied(op), r.wave(op)), ", "), hooksRunning(op), awaited(op)}
	return strings.TrimSuffix(line+": "+strings.Join(notEmpty(details...), "; "), ": ")
}

func (r *run) operationName(op *evidence.OperationState) string {
	of := revisions(op)
	switch {
	case op.Phase == evidence.OperationTerminating:
		return strings.TrimSpace("terminating the sync of " + cmp.Or(of, "this application"))
	case op.DryRun():
		return "dry run of " + cmp.Or(of, "a sync")
	case op.Operation.Sync == nil && op.SyncResult == nil:
		return "an operation is running"
	}
	return strings.TrimSpace("syncing " + of)
}

// revisions are those of an operation, of several sources each.
func revisions(op *evidence.OperationState) string { return text.Revision(op.Revision()) }

// applied counts what the operation has applied of what it will.
func (r *run) applied(op *evidence.OperationState) string {
	wanted := map[evidence.Ref]bool{}
	if !r.app.MovedOn() { // else the application lists what another revision has
		for _, ref := range r.wanted(op) {
			wanted[ref] = true
		}
	}
	selected := op.Operation.Sync != nil && len(op.Operation.Sync.Resources) > 0
	applied, failed := 0, 0
	for _, res := range op.Results() {
		if res.IsHook() || res.Status == evidence.ResultPruneSkipped {
			continue
		}
		if !selected { // else these are written as somebody selected them
			wanted[r.listed(res.Ref())] = true
		}
		switch {
		case res.Applied(): // what did not become healthy is applied all the same
			applied++
		case res.Failed():
			failed++
		}
	}
	if len(wanted) == 0 {
		return ""
	}
	if slices.ContainsFunc(op.Results(), func(res evidence.ResourceResult) bool { return res.HookType == "PostSync" }) {
		applied = len(wanted) - failed // these hooks run after all that is applied
	}
	done := "applied"
	if op.DryRun() {
		done = "tried"
	}
	line := fmt.Sprintf("%d of %s %s", applied, text.Count(len(wanted), "resource", "resources"), done)
	if r.app.MovedOn() { // how many there are in all is not known
		line = text.Count(applied, "resource", "resources") + " " + done
	}
	if failed > 0 {
		line += fmt.Sprintf(", %d failed", failed)
	}
	return line
}

// listed is a resource of a result as the application lists it. A result may say the application's namespace of what has none.
func (r *run) listed(ref evidence.Ref) evidence.Ref {
	if s := r.resource(ref); s != nil && s.Namespace == "" && s.Group == ref.Group {
		return s.Ref()
	}
	return ref
}

// wanted are the resources that the operation is to apply, as far as the application tells: hooks are none.
func (r *run) wanted(op *evidence.OperationState) []evidence.Ref {
	sync := op.Operation.Sync
	if sync != nil && len(sync.Resources) > 0 {
		return sync.Resources
	}
	all := r.app.Status.Resources
	if sync != nil && slices.Contains(sync.SyncOptions, "ApplyOutOfSyncOnly=true") || r.app.HasSyncOption("ApplyOutOfSyncOnly=true") {
		all = outOfSync(r.app)
	}
	var out []evidence.Ref
	for _, res := range all {
		if !res.Hook && (!res.RequiresPruning || sync != nil && sync.Prune) {
			out = append(out, res.Ref())
		}
	}
	return out
}

// wave is the one that the operation has come to, and which there are; empty where there is one only.
func (r *run) wave(op *evidence.OperationState) string {
	waves := map[evidence.Ref]int64{}
	var all []int64
	for _, res := range r.app.Status.Resources {
		if !res.Hook {
			waves[res.Ref()] = res.SyncWave
			all = append(all, res.SyncWave)
		}
	}
	if len(all) == 0 || slices.Min(all) == slices.Max(all) {
		return ""
	}
	at, begun := int64(0), false
	for _, res := range op.Results() {
		if n, ok := waves[res.Ref()]; ok && !res.IsHook() && (!begun || n > at) {
			at, begun = n, true
		}
	}
	if !begun {
		return fmt.Sprintf("waves %d to %d", slices.Min(all), slices.Max(all))
	}
	return fmt.Sprintf("in wave %d (of waves %d to %d)", at, slices.Min(all), slices.Max(all))
}

// hooksRunning names the hooks that run now.
func hooksRunning(op *evidence.OperationState) string {
	const maxNamed = 3
	var out []string
	for _, res := range op.Results() {
		if res.IsHook() && res.HookPhase == evidence.OperationRunning {
			out = append(out, res.HookType+" hook "+res.Ref().String())
		}
	}
	slices.Sort(out)
	if len(out) == 0 {
		return ""
	}
	return text.List(out, maxNamed) + " running"
}

// awaited is the resource whose health the operation waits for, out of "waiting for healthy state of apps/Deployment/db and
// 1 more resources".
func awaited(op *evidence.OperationState) string {
	_, rest, ok := strings.Cut(op.Message, "waiting for healthy state of ")
	if !ok {
		return ""
	}
	what, more, _ := strings.Cut(text.OneLine(rest), " ")
	if parts := strings.Split(what, "/"); len(parts) == 3 {
		what = parts[1] + "/" + parts[2]
	}
	if more, ok := strings.CutSuffix(more, " resources"); ok && strings.HasPrefix(more, "and ") {
		what += " " + more
	}
	return "waiting for " + what + " to be healthy"
}

// waiting are the resources that are on their way to be healthy, those first that others wait for.
func (r *run) waiting() []evidence.ResourceStatus {
	var out []evidence.ResourceStatus
	for _, res := range r.app.Status.Resources {
		if res.Health != nil && res.Health.Status == "Progressing" && !res.Hook {
			out = append(out, res)
		}
	}
	slices.SortStableFunc(out, func(a, b evidence.ResourceStatus) int { return cmp.Compare(dependedOn(a.Kind), dependedOn(b.Kind)) })
	return out
}

// dependedOn orders kinds: pods wait for their volumes, and people for an address.
func dependedOn(kind string) int {
	first := []string{"PersistentVolumeClaim", "Service", "Ingress", "Gateway", "StatefulSet"}
	if i := slices.Index(first, kind); i >= 0 {
		return i
	}
	return len(first)
}

// rollingOut is the headline of an application that is on its way, behind its name.
func (r *run) rollingOut(subject string) string {
	const state = "Rolling out"
	list := r.waiting()
	if len(list) == 0 {
		return state
	}
	title := state + ", waiting for " + list[0].Ref().String()
	if len(list) > 1 {
		title += " and " + text.More(len(list)-1)
	}
	if title = shortKinds.Replace(title); !fits(subject + ": " + title) {
		return state
	}
	return title
}

// awaitedHealth is what an application that is on its way waits for, in Argo CD's words.
func (r *run) awaitedHealth() string {
	const maxNamed = 3
	var out []string
	for _, res := range r.waiting() {
		if said := strings.TrimRight(text.OneLine(res.Health.Message), ". "); said != "" {
			out = append(out, res.Ref().String()+": "+text.LowerFirst(said))
		}
	}
	return strings.Join(text.First(out, maxNamed), "; ")
}

func notEmpty(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}
