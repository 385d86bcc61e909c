package incident

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/text"
)

// resolution says how it ended: what people want to know is whether a commit did it.
func resolution(i *Incident, well *diagnose.Report) []string {
	if i == nil || i.Report == nil || well == nil {
		return nil
	}
	failed, now := cmp.Or(i.Announced.Revision, i.Report.Context.Revision), well.Context.Revision
	switch {
	case well.Verdict.Bad():
		return []string{"Still open: " + well.Title() + "."}
	case failed == "" || now == "":
		return nil
	case failed == now:
		return []string{"Still on " + text.Revision(now) + ": it recovered without a new commit."}
	}
	return []string{fmt.Sprintf("%s is deployed now; %s failed.", text.Revision(now), text.Revision(failed))}
}
