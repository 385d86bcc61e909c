package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// effects say what the failure did and did not do: what was applied, what was not, what is deployed now, what Argo CD will and
// will not try by itself.
func (r *run) effects(root *Finding) []string {
	out := []string{}
	add := func(s string) {
		if s != "" {
			out = append(out, s)
		}
	}
	if r.leaving() { // what the last sync did no longer matters
		return out
	}
	op := r.app.Status.OperationState
	before := root != nil && BeforeSync.Has(root.Rule) && root.statement != 0 // else Argo CD does not say that it cannot compare
	switch {
	case before:
		add(strings.TrimSpace("Nothing can be applied. " + r.stillDeployed("")))
	case op.Running() && op.DryRun():
		add("This is a dry run: it changes nothing.")
	case op.Failed(), op.Running():
		for _, s := range r.outcome().sentences() {
			add(s)
		}
	}
	if r.left > 0 {
		add(text.Count(r.left, "more message of Argo CD was not examined.", "more messages of Argo CD were not examined."))
	}
	if !before || op.Running() {
		add(r.retries())
	}
	add(r.otherHealth(root))
	add(r.ignoredOptions(root))
	add(r.syncFailHooks())
	add(r.dryRun())
	if r.past != nil && !r.repaired {
		add(r.history())
	}
	return out
}

// otherHealth says that a difference from Git is not why the application is degraded, where nothing else says why.
func (r *run) otherHealth(root *Finding) string {
	st := r.app.Status
	explained := func(f Finding) bool { return GroupHealth.Has(f.Rule) || GroupWave.Has(f.Rule) }
	degraded := func(res evidence.ResourceStatus) bool { return res.Health != nil && res.Health.Status == "Degraded" }
	if st.Health.Status != "Degraded" || root == nil || !GroupDrift.Has(root.Rule) || slices.ContainsFunc(r.findings, explained) || slices.ContainsFunc(st.Resources, degraded) {
		return ""
	}
	return "The application is also Degraded, and no resource that was read says why."
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
		if op.Operation.Retry.Refresh {
			return fmt.Sprintf("Argo CD is on retry %d%s. Each retry takes the newest commit.", op.RetryCount, of)
		}
		newer := "only a new sync picks up a fix from Git"
		if r.app.MovedOn() && r.app.Status.Sync.At() != "" {
			newer = MovedOn(r.app, op.Revision(), r.app.Status.Sync.At()) + ", which waits until they end"
		}
		return fmt.Sprintf("Argo CD is on retry %d%s. Retries stay on %s; %s.", op.RetryCount, of, revision(op), newer)
	case r.repaired && r.app.MovedOn(): // the headline says what has not been synced yet
		return ""
	case r.newer != "":
		return fmt.Sprintf("The failed sync was of %s. %s, which has not been synced yet.", revision(op), text.UpperFirst(MovedOn(r.app, op.Revision(), r.newer)))
	case op.Failed() && r.app.MovedOn() && r.app.Status.Sync.Status == "Synced":
		_, is := evidence.Differing(op.Revision(), r.app.Status.Sync.At())
		return fmt.Sprintf("The failed sync was of %s. Argo CD has since found %s in sync, but has not synced again.", revision(op), text.Revision(is))
	case r.compared != "":
		return fmt.Sprintf("The failed sync was of %s. %s, which may not change this application.", revision(op), text.UpperFirst(MovedOn(r.app, op.Revision(), r.compared)))
	case op.Failed() && r.app.AutoSync() && op.Operation.ByAutoSync():
		tried := ""
		if op.RetryCount > 0 {
			tried = fmt.Sprintf(" after %s", text.Count(int(op.RetryCount), "retry", "retries"))
		}
		return fmt.Sprintf("Argo CD gave up on %s%s: auto-sync does not try the same commit again.", revision(op), tried)
	}
	return ""
}

// ignoredOptions names the sync options that Argo CD ignores for how they are written, unless the cause already does.
func (r *run) ignoredOptions(root *Finding) string {
	var out []string
	for _, m := range r.app.MisspelledOptions() {
		if root == nil || !strings.Contains(root.Why, m.Option+" "+m.How()) {
			out = append(out, fmt.Sprintf("Argo CD ignores the sync option %s, because the application has it %s.", m.Option, m.How()))
		}
	}
	return strings.Join(out, " ")
}

func revision(op *evidence.OperationState) string {
	return cmp.Or(revisions(op), "the same commit")
}

// MovedOn is the clause that says what has moved on from a revision to a newer one: Git, the chart, or the number of sources.
func MovedOn(app *evidence.Application, before, after string) string {
	moved, ok := app.Moved(before, after)
	if !ok {
		return "the sources of the application have changed since, and are now at " + text.Revision(after)
	}
	who := "Git has"
	switch charts := len(slices.DeleteFunc(slices.Clone(moved), func(s evidence.ApplicationSource) bool { return s.Chart == "" })); {
	case charts == 0:
	case charts == len(moved):
		who = "the chart has"
	default:
		who = "Git and the chart have"
	}
	_, is := evidence.Differing(before, after)
	return who + " since moved on to " + text.Revision(is)
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

// history says that the last sync failed where nothing is left of that.
func (r *run) history() string {
	of := ""
	if tried := revisions(r.past); tried != "" {
		of = ", of " + tried + ","
	}
	with := ""
	if now := r.app.Status.Sync.At(); now != "" && now != r.past.Revision() {
		with = " with " + text.Revision(now)
	}
	return fmt.Sprintf("The last sync%s failed; the application has since been in sync%s.", of, with)
}
