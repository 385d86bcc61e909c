package compare

import (
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/text"
)

// firstLook is what a controller that works may take until it looks at a new application.
const firstLook = 10 * time.Minute

var NeverCompared = &diagnose.Rule{
	ID: "compare/never-compared",
	Doc: diagnose.Doc{
		Title:    "No application controller has looked at the application",
		What:     "The Application exists, but has no status: no application controller has compared it with the cluster. Its namespace is not among those that the controller watches, the controller is down, or no shard manages the cluster.",
		Decisive: "The Application has neither a sync status nor a condition, and was never reconciled. In the first ten minutes after its creation this is reported as a note.",
		Example:  "metadata and spec are there, status is empty",
		Fix:      "Add the namespace to application.namespaces, or get the application controller running.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/app-any-namespace/"},
	},
	Sync: advice.Pointless("a sync stays pending until an application controller looks at the application"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		app := in.App()
		m, st := &app.Metadata, &app.Status
		untouched := st.ReconciledAt.IsZero() && st.Sync.Status == "" && st.Health.Status == "" && len(st.Conditions) == 0 && st.OperationState == nil
		if !untouched || app.Requested() != nil || m.CreationTimestamp.IsZero() || !m.DeletionTimestamp.IsZero() {
			return diagnose.Nothing
		}
		why, fixes := advice.Unwatched(in)
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "No application controller has looked at it yet",
			Why:        why,
			Fix:        fixes,
			Evidence:   []diagnose.Quote{{From: "application", Text: "created " + text.Timestamp(m.CreationTimestamp.Time) + ", without a status"}},
		}
		if in.Since(m.CreationTimestamp) < firstLook {
			f.Role = diagnose.RoleNote
			f.Why = "In the first minutes after its creation that is normal. If it stays so: " + text.LowerFirst(why)
		}
		return diagnose.Found(f)
	},
}
