package rules

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
)

var healthMissing = &diagnose.Rule{
	ID:          "health/missing",
	Needs:       healthNeeds,
	ExplainedBy: diagnose.SymptomOf(healthNamespaceTerminating, healthDeleting),
	Doc: diagnose.Doc{
		Title:    "A resource is not in the cluster",
		What:     "Argo CD does not find a resource of the application in the cluster, and does not call it out of sync either: its state could not be compared, or it went away after the comparison.",
		Decisive: "Health Missing of a resource that is not OutOfSync.",
		Example:  "ConfigMap/settings: Missing",
		Fix:      "Refresh; if it stays missing, see who deletes it.",
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "whether the resource is really gone is known only after a refresh"},
	Recognises: about{{status: "Missing"}},
	Check: reportingHealth(func(in *diagnose.In, _ *sickPicture, s *sickResource) (diagnose.Finding, bool) {
		return diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      fmt.Sprintf("%s is not in the cluster", s.ref),
			Why:        fmt.Sprintf("Argo CD has not seen %s in the cluster%s, and does not say that it differs from Git: what it knows is probably old.", s.ref, s.forLong()),
			Evidence:   []diagnose.Quote{{From: s.ref.String(), Text: "health Missing"}},
			Fix: []diagnose.Fix{
				refreshing(in, "Have Argo CD look again"),
				{Text: "See whether it is there", Command: diagnose.Shell("kubectl %sget %s", inNamespace(s.ref), s.ref.Resource())},
			},
		}, true
	}),
}
