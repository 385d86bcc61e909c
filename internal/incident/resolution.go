package incident

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// maxSkew is how far Argo CD's clock may be from ours before a sentence about what came first is wrong.
const maxSkew = 10 * time.Minute

// resolution says how it ended: what people want to know is whether somebody's sync did it, or a commit, or nobody. What is not known is
// left out.
func resolution(i *Incident, now *diagnose.Report) []string {
	if i == nil || i.Report == nil || now == nil {
		return nil
	}
	if now.Verdict.Bad() {
		return []string{"Still open: " + now.Title() + "."}
	}
	failed, compared := cmp.Or(i.Announced.Revision, i.Report.Context.Revision), now.Context.Revision
	var sync *diagnose.Synced
	if now.Well != nil {
		sync = now.Well.Sync
	}
	if sync != nil && sync.Finished.After(i.Begun()) {
		return i.synced(sync, failed)
	}
	unsynced := sync != nil && sync.Finished.Before(i.Begun().Add(-maxSkew))
	switch {
	case failed == "" || compared == "":
		return nil
	case failed == compared && unsynced:
		return []string{"Still on " + text.Revision(compared) + ": it recovered without a sync or a new commit."}
	case failed == compared:
		return []string{"Still on " + text.Revision(compared) + ": it recovered without a new commit."}
	case diagnose.BeforeSync.Has(i.Cause.Rule):
		return []string{"Git is at " + text.Revision(compared) + " now; " + text.Revision(failed) + " failed."}
	case unsynced:
		return []string{"It recovered without a sync."}
	}
	return nil
}

// synced says whose sync ended it, what was deployed, and what became of a live change.
func (i *Incident) synced(sync *diagnose.Synced, failed string) []string {
	what := text.Revision(sync.Revision)
	drifted := diagnose.GroupDrift.Has(i.Cause.Rule) // where no commit failed
	switch {
	case sync.Selected:
		what = strings.TrimSpace("selected resources of " + what)
	case what == "":
		what = "the application"
	case drifted || failed == "":
	case sync.Revision == failed && i.triedBefore(sync):
		what += " again"
	case sync.Revision == failed:
	default:
		what += "; " + text.Revision(failed) + " failed"
	}
	who := "A sync deployed "
	switch by := i.syncedBy(sync); by {
	case "":
	case "auto-sync":
		who = "Auto-sync deployed "
	default:
		who = by + " synced "
	}
	out := []string{who + what + "."}
	live := i.Cause.Resource
	switch {
	case drifted && sync.Revision == failed && slices.ContainsFunc(sync.Applied, live.Same):
		out = append(out, live.String()+" matches Git again.")
	case sync.Untouched:
		out = append(out, "It changed nothing in the cluster.")
	}
	return out
}

// triedBefore reports whether the commit that failed had been synced before the sync that ended it. What cannot be rendered or compared is
// not, nor what Argo CD has only compared; and a sync that took long may be the first one.
func (i *Incident) triedBefore(sync *diagnose.Synced) bool {
	switch c := i.Report.Context; {
	case c.Phase == evidence.OperationRunning || c.Phase == evidence.OperationTerminating:
		return !sync.Started.Equal(c.Since)
	case c.Phase != "":
		return true
	default:
		return !diagnose.BeforeSync.Has(i.Cause.Rule) && c.SyncStatus != "OutOfSync"
	}
}

// syncedBy is who started a sync: the person who pressed the button here, not the account that did it for them.
func (i *Incident) syncedBy(sync *diagnose.Synced) string {
	for _, r := range i.Actions {
		if r.Kind == action.Sync && slices.ContainsFunc(sync.Info, func(n evidence.OperationInfo) bool { return n.Value == r.ID }) {
			return cmp.Or(r.By.Name, r.By.ID)
		}
	}
	return sync.By
}
