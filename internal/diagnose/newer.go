package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// findNewer finds out whether Git has a newer commit than the one that the last sync failed on, and asks Argo CD whether that
// changes anything of this application: in a repository of many applications most commits do not.
func (r *run) findNewer() {
	op := r.app.Status.OperationState
	now := r.app.Status.Sync.Revision
	switch {
	case !op.Failed(), !r.app.MovedOn(), r.app.Status.Sync.Status == "Unknown":
		return
	case op.Revision() == "" || now == "": // an application of several sources has no one commit
		return
	}
	switch before, after, ok := r.renderings(op); {
	case !ok:
		r.compared = now
	case before != after:
		r.newer = now
	case partly(before) || partly(after):
		r.compared = now
	}
}

// renderings are the digests of the manifests that a sync tried and of those that Git has now; ok is false where one is not known.
func (r *run) renderings(op *evidence.OperationState) (before, after string, ok bool) {
	tried, now := op.Revision(), r.app.Status.Sync.Revision
	if tried == "" || now == "" {
		return "", "", false
	}
	both := []*entry{ask(r, evidence.FactRendered(tried)), ask(r, evidence.FactRendered(now))}
	r.fetch(slices.DeleteFunc(slices.Clone(both), func(e *entry) bool { return e.state != pending }))
	before, _ = both[0].value.(string)
	after, _ = both[1].value.(string)
	return before, after, before != "" && after != ""
}

// partly reports whether a digest leaves out something that may have changed.
func partly(digest string) bool { return strings.HasSuffix(digest, evidence.Partly) }

// newerFor is the commit to sync once it contains the fix; empty where it is known to change nothing of the application, or where no
// commit of this application can help.
func (r *run) newerFor(root *Finding, advice Advice) string {
	if root == nil || root.OutsideGit || advice.Verdict != SyncPointless || !DuringSync.Has(root.Rule) {
		return ""
	}
	return cmp.Or(r.newer, r.compared)
}
