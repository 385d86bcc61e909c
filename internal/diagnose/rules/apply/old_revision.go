package apply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// retriesOld puts first what helps where Argo CD retries a revision that Git has left behind: no correction in Git reaches the retries.
// Where the newer revision no longer has the resource that fails, that is all there is to do.
func retriesOld(in *diagnose.In, s *diagnose.Statement, f *diagnose.Finding) {
	app := in.App()
	op := app.Status.OperationState
	if !op.Running() || op.RetryCount == 0 || op.Operation.Retry.Refresh || s.Result == nil || !app.MovedOn() || app.Status.Sync.Status == "Unknown" {
		return
	}
	old, now := "the revision that it retries", "the newer one"
	if at := app.Status.Sync.At(); at != "" && op.Revision() != "" {
		was, is := evidence.Differing(op.Revision(), at)
		old, now = text.Revision(was), text.Revision(is)
	}
	stop, offer := advice.Terminate(in, "the retries stay on a revision that Git has left behind")
	follow := ", then sync"
	if app.AutoSync() {
		follow = "; auto-sync then takes " + now
	}
	f.Offers = append(f.Offers, offer)
	if !goneFromGit(in, s) {
		stop.Text = fmt.Sprintf("If %s has the fix already, end the retries of %s%s", now, old, follow)
		f.Fix = append([]diagnose.Fix{stop}, f.Fix...)
		return
	}
	stop.Text = fmt.Sprintf("End the retries of %s%s", old, follow)
	f.Why = text.Paragraph(f.Why, fmt.Sprintf("Git is already past this: %s no longer has %s.", now, s.Resource))
	f.Fix = []diagnose.Fix{stop}
	if !app.AutoSync() {
		stop.Text = strings.TrimSuffix(stop.Text, follow)
		f.Fix = []diagnose.Fix{stop, advice.Sync(in, "Then sync "+now)}
	}
	if op.Operation.Retry.Limit < 0 {
		f.Fix = append(f.Fix, diagnose.Fix{Text: "So that it does not happen again, limit the retries in " + advice.Manifest(in) + " (from Argo CD 3.2 on, refresh: true lets each retry take the newest revision)", Patch: "spec:\n  syncPolicy:\n    retry:\n      limit: 5\n"})
	}
}

// endRetries adds what makes a change of the Application count while a failed sync is retried: the retries keep the options they began with.
func endRetries(in *diagnose.In, f *diagnose.Finding) {
	op := in.App().Status.OperationState
	changes := slices.ContainsFunc(f.Fix, func(s diagnose.Fix) bool {
		return strings.HasPrefix(s.Patch, inApplication) && !strings.Contains(s.Patch, "retry:")
	})
	if !op.Running() || op.RetryCount == 0 || !changes {
		return
	}
	stop, offer := advice.Terminate(in, "the retries keep the sync options that they began with")
	stop.Text = "Where the Application was changed, end the retries, which keep their old options; then sync"
	f.Fix, f.Offers = append(f.Fix, stop), append(f.Offers, offer)
}

// goneFromGit reports whether the newer revision, which Argo CD has compared, no longer has the resource that a task of the sync is about.
func goneFromGit(in *diagnose.In, s *diagnose.Statement) bool {
	if len(in.App().Status.Resources) == 0 || s.Hook() { // hooks are not compared
		return false
	}
	r := in.Resource(s.Result.Ref())
	return r == nil || r.RequiresPruning
}
