package diagnose

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/argo-why/argo-why/internal/evidence"
)

// findNewer finds out whether Git has a newer commit than the one that the last sync failed on, and asks Argo CD whether that
// changes anything of this application: in a repository of many applications most commits do not.
func (r *run) findNewer() {
	if !r.mayBeNewer() {
		return
	}
	now := r.app.Status.Sync.At()
	switch before, after, ok := r.renderings(r.app.Status.OperationState); {
	case !ok:
		r.compared = now
	case before != after:
		r.newer = now
	case partly(before) || partly(after):
		r.compared = now
	}
}

// mayBeNewer reports whether Argo CD has to be asked about a newer commit.
func (r *run) mayBeNewer() bool {
	op := r.app.Status.OperationState
	return op.Failed() && r.app.MovedOn() && r.app.Status.Sync.Status != "Unknown" && op.Revision() != "" && r.app.Status.Sync.At() != ""
}

// beginNewer begins to read what findNewer needs, which does not depend on the rules, while these read what they need. What it returns
// waits for that. A source in memory is left to findNewer: see fetch.
func (r *run) beginNewer() (wait func()) {
	if r.free() || !r.mayBeNewer() {
		return func() {}
	}
	before := len(r.asked)
	both := r.rendered(r.app.Status.OperationState)
	added := slices.Clone(r.asked[before:])
	r.asked = r.asked[:before]
	var wg sync.WaitGroup
	for _, e := range both {
		if e.state == pending {
			wg.Go(func() { e.load(r) })
		}
	}
	return func() {
		wg.Wait()
		r.asked = append(r.asked, added...) // last, so that a report lists what was read in one order, from whatever source
	}
}

// renderings are what rendered reads; ok is false where one of them is not known.
func (r *run) renderings(op *evidence.OperationState) (before, after string, ok bool) {
	if op.Revision() == "" || r.app.Status.Sync.At() == "" {
		return "", "", false
	}
	both := r.rendered(op)
	r.fetch(slices.DeleteFunc(slices.Clone(both), func(e *entry) bool { return e.state != pending }))
	before, _ = both[0].value.(string)
	after, _ = both[1].value.(string)
	return before, after, before != "" && after != ""
}

// rendered are the digests of the manifests that a sync tried and of those that Git has now.
func (r *run) rendered(op *evidence.OperationState) []*entry {
	return []*entry{ask(r, evidence.FactRendered(op.Revision())), ask(r, evidence.FactRendered(r.app.Status.Sync.At()))}
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
