package action

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/text"
)

// Moved says that somebody has committed since a person confirmed a commit, and that the newest one wants the same of the
// application: in a repository of many applications most commits are about others. All the rest of the situation is then that of the
// confirmed commit, as Argo CD compared the newest one with the cluster and has found what it would have found of this. The
// zero value is that of a Git that is where it was, and of one that wants something else: then the situation is that of the newest.
type Moved struct {
	// To is the newest commit.
	To string
	// Hidden: a Secret is among the manifests. Argo CD does not show its values, so that they could not be compared.
	Hidden bool
}

// sentence says what it means for a sync of the confirmed revision; "" where Git has not moved.
func (m Moved) sentence(confirmed string) string {
	if m.To == "" {
		return ""
	}
	nothing := "nothing for this application"
	if m.Hidden {
		nothing = "nothing that Argo CD shows of this application (it hides the values of Secrets)"
	}
	return fmt.Sprintf("Git is now at %s, which changes %s: %s is synced, as requested.", text.Revisions(m.To), nothing, text.Revisions(confirmed))
}

// Still says that an older commit is synced than the newest, and why that is the same; "" where it is the newest.
func (p *Plan) Still() string { return p.Moved.sentence(p.Revision) }

// refuseMoved refuses what Argo CD would not do: where it syncs by itself it takes no commit but the one that its target revision
// means at that moment, unless it is a dry run.
func (p *Plan) refuseMoved(s *Situation) {
	if s.Moved.To != "" && s.Application.AutoSync() && !p.Sync.DryRun {
		p.refuse("auto-sync is on, so Argo CD only syncs the newest commit, which is now %s and not the requested %s",
			text.Revisions(s.Moved.To), text.Revisions(p.Revision))
	}
}
