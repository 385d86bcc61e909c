package compare

import (
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var RefreshPending = &diagnose.Rule{
	ID:          "compare/refresh-pending",
	ExplainedBy: diagnose.SymptomOf(SkipReconcile, NeverCompared),
	Doc: diagnose.Doc{
		Title:    "Requested refresh has not happened",
		What:     "A refresh was requested, which annotates the Application, and the application controller, which removes the annotation once it has compared, has not done so: it is down, stuck or overloaded, it does not watch the application's namespace, or no shard of it manages the destination cluster. Requesting another refresh changes nothing.",
		Decisive: "The annotation argocd.argoproj.io/refresh is set for more than five minutes and the last comparison is older than ten; or, where nothing tells since when it is set, older than an hour.",
		Example:  "argocd.argoproj.io/refresh: hard, compared 5 h ago",
		Fix:      "Get the application controller running for this application.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/#argocd-application-controller"},
	},
	Sync: advice.Pointless(diagnose.StaysPending + untilActive),
	Check: func(in *diagnose.In) diagnose.Outcome {
		app := in.App()
		requested, compared := app.RefreshRequestedAt(), app.Status.ReconciledAt
		least, idle := advice.ComparedWithin, in.Since(compared)
		if requested.IsZero() {
			least = noneWithin
		}
		if compared.IsZero() {
			idle = in.Since(app.Metadata.CreationTimestamp)
		}
		if app.RefreshRequested() == "" || idle < least || !requested.IsZero() && in.Since(requested) < refreshedWithin {
			return diagnose.Nothing
		}
		f := quietIfInOrder(in, diagnose.Finding{
			Confidence: diagnose.CertainIf(!requested.IsZero()), Unattended: untilActive,
			Title:    "Requested refresh has not happened",
			Evidence: []diagnose.Quote{{From: "application", Text: "annotation " + evidence.AnnotationRefresh + ": " + app.RefreshRequested()}},
		})
		if !requested.IsZero() {
			f.Title += " for " + text.Age(in.Since(requested))
			f.Evidence[0].Text += ", last written " + stamp(requested)
		}
		if !compared.IsZero() {
			f.Evidence = append(f.Evidence, lastCompared(compared))
		}
		f.Why, f.Fix = advice.Inactive(in)
		return diagnose.Found(f)
	},
}

const (
	// refreshedWithin is what a controller may take for a refresh that waits behind others.
	refreshedWithin = 5 * time.Minute
	// noneWithin is long even for an installation with thousands of applications, which stretches the time between comparisons.
	noneWithin = time.Hour
)
