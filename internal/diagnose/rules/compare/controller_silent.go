package compare

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

var ControllerSilent = &diagnose.Rule{
	ID: "compare/controller-silent",
	Doc: diagnose.Doc{
		Title:    "Application controller has stopped reporting",
		What:     "The application controller renews its state of each cluster every 20 seconds, and has not for minutes: it is down, hangs, or cannot write to Redis. Nothing is compared or synced meanwhile, and Argo CD goes on showing what it last knew. Only the watch on connections sees this; no application fails.",
		Decisive: "The time of the state that Argo CD shows of a cluster stands still.",
		Example:  evidence.ControllerSilent + " cluster https://10.0.0.1:6443 since 2026-11-24 14:02 UTC",
		Fix:      "Check the pods of the application controller and of Redis.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/#argocd-application-controller"},
	},
	Sync: advice.Pointless("a sync stays pending until the application controller is running again"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has(evidence.ControllerSilent) {
			return diagnose.Finding{}, false
		}
		argo := advice.ArgoNamespace(in)
		pods := diagnose.Raw(advice.ArgoPods(in, "application-controller"))
		return diagnose.Finding{
			Confidence: diagnose.Likely,
			Shared:     "application controller",
			Title:      "Application controller has stopped reporting",
			Why:        "Nothing is compared or synced meanwhile, and Argo CD goes on showing what it last knew, healthy or not.",
			Fix: []diagnose.Fix{
				{Text: "Check that the controller's pods are running and ready", Command: diagnose.Shell("kubectl -n %s get pods -l %s", argo, pods)},
				{Text: "If they are, see what the controller is doing: it may hang, or be unable to write to Redis", Command: diagnose.Shell("kubectl -n %s logs -l %s --tail=100", argo, pods)},
				{Text: "If it hangs, restart it", Command: diagnose.Shell("kubectl -n %s rollout restart %s", argo, advice.Controller(in))},
			},
		}, true
	}),
}
