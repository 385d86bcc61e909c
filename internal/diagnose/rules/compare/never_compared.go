package compare

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
)

var NeverCompared = &diagnose.Rule{
	ID:          "compare/never-compared",
	ExplainedBy: diagnose.SymptomOf(SkipReconcile),
	Doc: diagnose.Doc{
		Title:    "No application controller has picked it up",
		What:     "The Application exists, and Argo CD has never written a status: its namespace is not one of application.namespaces, the application controller is down, or no shard of it manages the destination cluster. Neither a refresh nor a sync does anything.",
		Decisive: "The Application is older than ten minutes and has no status.",
		Example:  "kind: Application, without status",
		Fix:      "Add the namespace of the Application to application.namespaces, or get the application controller running.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/app-any-namespace/"},
	},
	Sync: advice.Pointless(diagnose.StaysPending + untilPickedUp),
	Check: func(in *diagnose.In) diagnose.Outcome {
		app := in.App()
		created := app.Metadata.CreationTimestamp
		if !app.NeverCompared() || app.Requested() != nil || created.IsZero() || in.Since(created) < advice.ComparedWithin {
			return diagnose.Nothing
		}
		f := quietIfInOrder(in, diagnose.Finding{
			Confidence: diagnose.Likely, Unattended: untilPickedUp,
			Title:    "No application controller has picked it up",
			Evidence: []diagnose.Quote{{From: "application", Text: "no status; created " + stamp(created)}},
		})
		f.Why, f.Fix = advice.Inactive(in)
		return diagnose.Found(f)
	},
}
