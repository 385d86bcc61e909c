package diagnose

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// findNewer finds out whether Git has a newer commit than the one that the last sync failed on, and asks Argo CD whether that
// changes anything of this application: in a repository of many applications most commits do not.
func (r *run) findNewer() {
	op := r.app.Status.OperationState
	tried, now := op.Revision(), r.app.Status.Sync.Revision
	switch {
	case !op.Failed(), r.app.Overtaken(), !r.app.MovedOn(), r.app.Status.Sync.Status == "Unknown":
		return
	case tried == "" || now == "": // an application of several sources has no one commit
		return
	}
	before, after := ask(r, evidence.FactRendered(tried)), ask(r, evidence.FactRendered(now))
	r.fetch([]*entry{before, after})
	switch {
	case before.err != nil || after.err != nil || before.value == "" || after.value == "":
		r.compared = now
	case before.value != after.value:
		r.newer = now
	case partly(before) || partly(after):
		r.compared = now
	}
}

// partly reports whether a digest leaves out something that may have changed.
func partly(e *entry) bool {
	digest, _ := e.value.(string)
	return strings.HasSuffix(digest, evidence.Partly)
}

// newerFor is the commit to sync once it contains the fix; empty where it is known to change nothing of the application, or where no
// commit of this application can help.
func (r *run) newerFor(root *Finding, advice Advice) string {
	if root == nil || root.OutsideGit || advice.Verdict != SyncPointless || !DuringSync.Has(root.Rule) {
		return ""
	}
	return cmp.Or(r.newer, r.compared)
}
