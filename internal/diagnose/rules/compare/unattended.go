package compare

import (
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Until when what is requested stays pending.
const (
	whileTurnedOff = "while reconciliation is turned off (skip-reconcile)"
	untilPickedUp  = "until an application controller picks the application up"
	untilActive    = "until the application controller acts on requests again"
)

// quietIfInOrder makes the finding a note where Argo CD last saw the application in order: it does not fail because nobody looks.
func quietIfInOrder(in *diagnose.In, f diagnose.Finding) diagnose.Finding {
	st := in.App().Status
	if st.Sync.Status == "Synced" && st.Health.Status == "Healthy" && in.App().CurrentOperation() == nil && len(in.Statements()) == 0 {
		f.Role = diagnose.RoleNote
	}
	return f
}

func lastCompared(at evidence.Time) diagnose.Quote {
	return diagnose.Quote{From: "status.reconciledAt", Text: stamp(at)}
}

func stamp(at evidence.Time) string { return at.UTC().Format(time.RFC3339) }
