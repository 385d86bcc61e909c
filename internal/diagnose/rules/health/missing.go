package health

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

var Missing = &diagnose.Rule{
	ID:          "health/missing",
	Needs:       needs,
	ExplainedBy: diagnose.SymptomOf(NamespaceTerminating, Deleting),
	Doc: diagnose.Doc{
		Title:    "A resource is not in the cluster",
		What:     "Argo CD does not find a resource of the application in the cluster, and does not call it out of sync either: its state could not be compared, or it went away after the comparison.",
		Decisive: "Health Missing of a resource that is not OutOfSync.",
		Example:  "ConfigMap/settings: Missing",
		Fix:      "Refresh; if it stays missing, see who deletes it.",
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "whether the resource is really gone is known only after a refresh"},
	Recognises: about{{status: "Missing"}},
	Check: reporting(func(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		return diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      fmt.Sprintf("%s is not in the cluster", s.Ref),
			Why:        fmt.Sprintf("Argo CD has not seen %s in the cluster%s, and does not say that it differs from Git: what it knows is probably old.", s.Ref, s.ForLong()),
			Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: "health Missing"}},
			Fix: []diagnose.Fix{
				advice.Refresh(in, "Have Argo CD look again"),
				{Text: "See whether it is there", Command: diagnose.Shell("kubectl %sget %s", advice.InNamespace(s.Ref), s.Ref.Resource())},
			},
		}, true
	}),
}
