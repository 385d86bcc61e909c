package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// effects say what the failure did and did not do: what was applied, what never was, what runs now, what Argo CD will and
// will not try by itself.
func (r *run) effects(root *Finding) []string {
	out := []string{}
	add := func(s string) {
		if s != "" {
			out = append(out, s)
		}
	}
	op := r.app.Status.OperationState
	before := root != nil && BeforeSync.Has(root.Rule)
	switch {
	case before:
		add(strings.TrimSpace("Nothing can be applied. " + r.stillRuns("")))
	case op.Running() && op.DryRun():
		add("This is a dry run: it changes nothing.")
	case op.Failed() && !r.app.Overtaken(), op.Running():
		applied, open, never := r.outcome()
		add(r.progress(applied, never))
		switch {
		case applied == 0:
			add(r.stillRuns(op.Revision()))
		case open || len(never) > 0: // else nothing of the last deployment is left
			if last := r.deployedBefore(op.Revision()); last != "" {
				add("The rest is still at " + last + ".")
			}
		}
	}
	if r.left > 0 {
		add(text.Count(r.left, "more message of Argo CD was not examined.", "more messages of Argo CD were not examined."))
	}
	if !before || op.Running() {
		add(r.retries())
	}
	add(r.syncFailHooks())
	add(r.dryRun())
	if r.app.Overtaken() {
		add(fmt.Sprintf("The last sync, of %s, failed; the application has since been in sync with %s.", text.Revision(op.Revision()), text.Revision(r.app.Status.Sync.Revision)))
	}
	return out
}

// outcome counts what the operation applied, and says whether anything that it tried is not applied and what it never came to.
func (r *run) outcome() (applied int, open bool, never []evidence.ResourceStatus) {
	op := r.app.Status.OperationState
	tried := map[evidence.Ref]bool{}
	for _, res := range op.Results() {
		tried[res.Ref()] = true
		switch {
		case res.IsHook(), res.Status == evidence.ResultPruneSkipped:
		case res.Applied():
			applied++
		default:
			open = true
		}
	}
	for _, res := range outOfSync(r.app) {
		if !tried[res.Ref()] && !res.RequiresPruning {
			never = append(never, res)
		}
	}
	return applied, open, never
}

// progress says what the operation applied and what it never came to.
func (r *run) progress(applied int, never []evidence.ResourceStatus) string {
	done := ""
	if applied > 0 {
		done = text.Count(applied, "resource was applied", "resources were applied")
	}
	switch {
	case len(never) == 0 && done == "":
		return ""
	case len(never) == 0:
		return done + "."
	case done != "":
		done += "; "
	}
	verb := "was never applied"
	if r.app.Status.OperationState.Running() {
		verb = "is not applied yet"
	}
	if len(never) > 1 {
		verb = strings.Replace(strings.Replace(verb, "was", "were", 1), "is not", "are not", 1)
	}
	return fmt.Sprintf("%s%s%s %s.", done, names(never), inWaves(never), verb)
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

// stillRuns says which revision is still running.
func (r *run) stillRuns(tried string) string {
	if last := r.deployedBefore(tried); last != "" {
		return last + " is still running."
	}
	return ""
}

// deployedBefore is the revision that was deployed last; empty where that is the one that was tried, or nothing of it exists.
func (r *run) deployedBefore(tried string) string {
	deployed := r.app.LastDeployment()
	if deployed == nil {
		return ""
	}
	last := deployed.Revision
	runs := slices.ContainsFunc(r.app.Status.Resources, func(res evidence.ResourceStatus) bool { return res.Health == nil || res.Health.Status != "Missing" })
	if last == "" || last == tried || !runs && len(r.app.Status.Resources) > 0 {
		return ""
	}
	return text.Revision(last)
}

// retries says what Argo CD will try by itself.
func (r *run) retries() string {
	op := r.app.CurrentOperation()
	if op == nil {
		return ""
	}
	limit := op.Operation.Retry.Limit
	switch {
	case op.Running() && op.RetryCount > 0:
		of := ""
		if limit > 0 {
			of = fmt.Sprintf(" of %d", limit)
		}
		return fmt.Sprintf("Argo CD is on retry %d%s. Retries stay on %s; only a new sync picks up a fix from Git.", op.RetryCount, of, revision(op))
	case r.newer != "":
		return fmt.Sprintf("The failed sync was of %s. Git is now at %s, which has not been synced yet.", revision(op), text.Revision(r.newer))
	case op.Failed() && r.app.AutoSync() && op.Operation.InitiatedBy.Automated:
		tried := ""
		if op.RetryCount > 0 {
			tried = fmt.Sprintf(" after %s", text.Count(int(op.RetryCount), "retry", "retries"))
		}
		return fmt.Sprintf("Argo CD gave up on %s%s: auto-sync does not try the same commit again.", revision(op), tried)
	}
	return ""
}

func revision(op *evidence.OperationState) string {
	if r := op.Revision(); r != "" {
		return text.Revision(r)
	}
	return "the same commit"
}

// syncFailHooks says whether the clean-up for a failed sync ran.
func (r *run) syncFailHooks() string {
	var out []string
	for _, res := range r.app.Status.OperationState.Results() {
		if res.HookType == "SyncFail" {
			out = append(out, fmt.Sprintf("SyncFail hook %s: %s.", res.Ref(), strings.ToLower(res.HookPhase)))
		}
	}
	return strings.Join(out, " ")
}
