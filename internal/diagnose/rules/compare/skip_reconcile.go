package compare

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var SkipReconcile = &diagnose.Rule{
	ID: "compare/skip-reconcile",
	Doc: diagnose.Doc{
		Title:    "Reconciliation is turned off",
		What:     "The annotation argocd.argoproj.io/skip-reconcile has the application controller ignore the application. It neither compares nor syncs nor deletes it, a requested refresh or sync stays pending, and what Argo CD shows does not change any longer.",
		Decisive: "The Application has the annotation with the value true.",
		Example:  `argocd.argoproj.io/skip-reconcile: "true"`,
		Fix:      "Remove the annotation where the Application is defined.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/skip_reconcile/"},
	},
	Sync: advice.Pointless(diagnose.StaysPending + whileTurnedOff),
	Check: func(in *diagnose.In) diagnose.Outcome {
		app := in.App()
		if !evidence.IsSkipped(app.Metadata.Annotations) {
			return diagnose.Nothing
		}
		value := app.Metadata.Annotations[evidence.AnnotationSkip]
		f := quietIfInOrder(in, diagnose.Finding{
			Confidence: diagnose.Certain, Kind: diagnose.KindForbidden, Unattended: whileTurnedOff,
			Title:    "Reconciliation is turned off (skip-reconcile)",
			Why:      "Its annotation " + evidence.AnnotationSkip + " has the application controller ignore it: no refresh, sync or deletion happens.",
			Evidence: []diagnose.Quote{{From: "application", Text: fmt.Sprintf("annotation %s: %q", evidence.AnnotationSkip, value)}},
			Fix: []diagnose.Fix{{
				Text:    "Remove the annotation skip-reconcile from " + advice.Manifest(in) + ", or it comes back; this removes it now",
				Command: diagnose.Shell("kubectl -n %s annotate application %s %s-", advice.ApplicationNamespace(in), app.Metadata.Name, evidence.AnnotationSkip),
			}},
		})
		if compared := app.Status.ReconciledAt; !compared.IsZero() {
			f.Why += fmt.Sprintf(" What Argo CD shows is %s old.", text.Age(in.Since(compared)))
			f.Evidence = append(f.Evidence, lastCompared(compared))
		}
		return diagnose.Found(f)
	},
}
