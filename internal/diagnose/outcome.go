package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// outcome is what an operation came to, phase by phase.
type outcome struct {
	run *run
	op  *evidence.OperationState
	// applied is how many resources it wrote, failed those that it tried in vain, never those that it did not come to.
	applied       int
	failed, never []evidence.ResourceStatus
	// tryOnly: it ended in the dry run with which each sync begins, so it wrote nothing.
	tryOnly bool
	// ran are the hooks that succeeded. stopped is the phase of a hook that did not, or does not end; "" where it was none.
	ran     []evidence.ResourceResult
	stopped string
}

func (r *run) outcome() outcome {
	o := outcome{run: r, op: r.app.Status.OperationState}
	o.tryOnly = o.op.Failed() && strings.Contains(o.op.Message, "failed to apply (dry run)")
	tried := map[evidence.Ref]bool{}
	for _, res := range o.op.Results() {
		tried[res.Ref()] = true
		switch {
		case !res.IsHook() && res.Status == "" && !res.Failed() && strings.HasSuffix(res.Message, "(dry run)"): // the sync ended with the others' dry run
			delete(tried, res.Ref())
		case res.HookType == "SyncFail", res.Status == evidence.ResultPruneSkipped:
		case res.IsHook() && res.HookPhase == evidence.OperationSucceeded:
			o.ran = append(o.ran, res)
		case res.IsHook():
			o.stopped = res.HookType
		case res.Applied() && (o.tryOnly || strings.HasSuffix(res.Message, "(dry run)")): // it would have been
		case res.Applied():
			o.applied++
		default:
			o.failed = append(o.failed, evidence.ResourceStatus{Group: res.Group, Kind: res.Kind, Namespace: res.Namespace, Name: res.Name})
		}
	}
	if o.op.Running() && r.app.MovedOn() { // what differs from the newer revision is not what this one is about to apply
		return o
	}
	for _, res := range outOfSync(r.app) {
		if !tried[res.Ref()] && !res.RequiresPruning {
			o.never = append(o.never, res)
		}
	}
	return o
}

// sentences are the outcome for people.
func (o outcome) sentences() []string {
	if o.stopped == "PostSync" {
		return notEmpty(o.everything(), o.hooks())
	}
	out := []string{o.progress(), o.hooks()}
	switch st := o.run.app.Status; {
	case st.Sync.Status == "Synced" && !o.op.Running():
		out = append(out, text.Sentence("Argo CD still shows the application as "+strings.Join(notEmpty("Synced", st.Health.Status), " and ")))
	case o.applied == 0:
		out = append(out, o.run.stillDeployed(o.op.Revision()))
	case o.leftBehind():
		if last := o.run.deployedBefore(o.op.Revision()); last != "" {
			out = append(out, "The rest is still at "+last+".")
		}
	}
	return notEmpty(out...)
}

// everything says that the Sync phase is behind the operation: PostSync hooks run only after all that is applied is healthy.
func (o outcome) everything() string {
	done := "All resources were applied"
	if o.applied > 0 {
		done = text.Count(o.applied, "resource was applied", "resources were applied")
	}
	before := "before the PostSync phase"
	if o.op.Revision() == "" || o.op.Operation.Sync != nil && len(o.op.Operation.Sync.Resources) > 0 {
		return fmt.Sprintf("%s %s.", done, before)
	}
	return fmt.Sprintf("%s %s: %s is deployed.", done, before, text.Revision(o.op.Revision()))
}

// progress says what the operation applied and what it did not come to.
func (o outcome) progress() string {
	done := ""
	switch {
	case o.tryOnly:
		return "Nothing was applied: the sync ended in the dry run with which it begins."
	case o.applied > 0:
		done = text.Count(o.applied, "resource was applied", "resources were applied")
	case o.stopped == "PreSync" && len(o.never) == 0 && o.op.Failed():
		return "The sync stopped in the PreSync phase: nothing was applied."
	}
	switch {
	case len(o.never) == 0 && done == "":
		return ""
	case len(o.never) == 0:
		return done + "."
	case done != "":
		done += "; "
	}
	verb := "was not applied"
	if o.op.Running() {
		verb = "is not applied yet"
	}
	if len(o.never) > 1 {
		verb = strings.Replace(strings.Replace(verb, "was", "were", 1), "is not", "are not", 1)
	}
	return fmt.Sprintf("%s%s%s %s.", done, names(o.never), inWaves(o.never), verb)
}

// hooks names the hooks that succeeded: what they did is done, even where the sync applied nothing.
func (o outcome) hooks() string {
	const maxNamed = 3
	var out []string
	for _, res := range o.ran {
		out = append(out, res.HookType+" hook "+res.Ref().String())
	}
	if len(out) == 0 {
		return ""
	}
	slices.Sort(out)
	return text.List(out, maxNamed) + " succeeded."
}

// leftBehind reports whether any of what the operation did not apply is known to be in the cluster, and so at an older commit.
func (o outcome) leftBehind() bool {
	return slices.ContainsFunc(slices.Concat(o.failed, o.never), func(res evidence.ResourceStatus) bool {
		st := o.run.resource(res.Ref())
		if st != nil && st.Health != nil {
			return st.Health.Status != "Missing"
		}
		return o.run.treeHas(res.Ref())
	})
}

// treeHas reports whether the tree has been read and lists an object.
func (r *run) treeHas(ref evidence.Ref) bool {
	e := r.ledger[ledgerKey{evidence.KindTree, ""}]
	if e == nil || e.state != read {
		return false
	}
	tree, _ := e.value.(*evidence.Tree)
	return tree.Find(ref) != nil
}

// stillDeployed says which revision is deployed where the operation changed nothing about that. Of an application that is not
// healthy nobody can say that it is running.
func (r *run) stillDeployed(tried string) string {
	last := r.deployedBefore(tried)
	switch {
	case last == "", r.partlySynced():
		return ""
	case r.app.Status.Health.Status == "Healthy":
		return last + " is still running."
	}
	return last + " is still deployed."
}

// partlySynced reports whether the last operation wrote some of the resources at another commit than the last deployment: a sync
// that failed halfway, or one of selected resources, which Argo CD does not note as a deployment.
func (r *run) partlySynced() bool {
	op, last := r.app.Status.OperationState, r.app.LastDeployment()
	return op != nil && last != nil && op.Revision() != last.At() && !op.DryRun() && !strings.Contains(op.Message, "failed to apply (dry run)") &&
		slices.ContainsFunc(op.Results(), func(res evidence.ResourceResult) bool { return !res.IsHook() && res.Applied() })
}

// deployedBefore is the revision that was deployed last; empty where that is the one that was tried, or nothing of it exists.
func (r *run) deployedBefore(tried string) string {
	deployed := r.app.LastDeployment()
	if deployed == nil {
		return ""
	}
	last := deployed.At()
	exists := slices.ContainsFunc(r.app.Status.Resources, func(res evidence.ResourceStatus) bool { return res.Health == nil || res.Health.Status != "Missing" })
	if last == "" || last == tried || r.app.Status.Health.Status == "Missing" || !exists && len(r.app.Status.Resources) > 0 {
		return ""
	}
	was, _ := evidence.Differing(last, tried)
	return text.Revision(was)
}

func names(list []evidence.ResourceStatus) string {
	if len(list) > 3 {
		return fmt.Sprintf("%d resources", len(list))
	}
	var out []string
	for _, r := range list {
		out = append(out, r.Ref().String())
	}
	return strings.Join(out, ", ")
}

// inWaves names the sync waves where any is not the default.
func inWaves(list []evidence.ResourceStatus) string {
	var waves []int64
	for _, r := range list {
		if !slices.Contains(waves, r.SyncWave) {
			waves = append(waves, r.SyncWave)
		}
	}
	slices.Sort(waves)
	switch {
	case len(waves) == 1 && waves[0] == 0:
		return ""
	case len(waves) == 1:
		return fmt.Sprintf(" in wave %d", waves[0])
	}
	return fmt.Sprintf(" in waves %d to %d", waves[0], waves[len(waves)-1])
}
