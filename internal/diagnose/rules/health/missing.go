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
		Title:    "Resource is not in the cluster",
		What:     "Argo CD does not find a resource of the application in the cluster, but does not show it as out of sync either: its state could not be compared, or it was deleted after the comparison.",
		Decisive: "Health Missing of a resource that is not OutOfSync.",
		Example:  "ConfigMap/settings: Missing",
		Fix:      "Refresh the application; if the resource stays missing, find out who deletes it.",
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "only a refresh shows whether the resource is really gone"},
	Recognises: about{{status: "Missing"}},
	Check: reporting(func(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		return diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      fmt.Sprintf("%s is not in the cluster", s.Ref),
			Why:        fmt.Sprintf("Argo CD has reported it missing%s, but not out of sync, so its view of the cluster is probably outdated.", s.ForLong()),
			Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: "health Missing"}},
			Fix: []diagnose.Fix{
				advice.Refresh(in, "Refresh the application"),
				{Text: "Check whether it exists", Command: diagnose.Shell("kubectl %sget %s", advice.InNamespace(s.Ref), s.Ref.Resource())},
			},
		}, true
	}),
}
