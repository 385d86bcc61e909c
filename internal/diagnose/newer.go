package diagnose

import "github.com/argo-why/argo-why/internal/evidence"

// findNewer finds out whether Git has a newer commit than the one that the last sync failed on, and asks Argo CD whether that
// changes anything of this application: in a repository of many applications most commits do not.
func (r *run) findNewer() {
	tried, now := r.app.Status.OperationState.Revision(), r.app.Status.Sync.Revision
	switch {
	case !r.app.Status.OperationState.Failed(), !r.app.MovedOn(), r.app.Status.Sync.Status != "OutOfSync":
		return
	case tried == "" || now == "": // an application of several sources has no one commit
		return
	}
	r.newer = now
	before, after := ask(r, evidence.FactRendered(tried)), ask(r, evidence.FactRendered(now))
	r.fetch([]*entry{before, after})
	if before.value != "" && after.value != "" && before.err == nil && after.err == nil && before.value == after.value {
		r.newer = ""
	}
}

// newerFor is the commit to sync once it contains the fix; empty where the newest is the one that failed, or where no commit of
// this application can help.
func (r *run) newerFor(root *Finding, advice Advice) string {
	if root == nil || root.OutsideGit || advice.Verdict != SyncPointless || !DuringSync.Has(root.Rule) {
		return ""
	}
	return r.newer
}
