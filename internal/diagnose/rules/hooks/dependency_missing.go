package hooks

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var DependencyMissing = &diagnose.Rule{
	ID:    "hook/dependency-missing",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "The hook's pod lacks something that is not there",
		What:     "The hook's pod cannot start because a Secret, ConfigMap, key, ServiceAccount or volume that it refers to does not exist, and this application does not bring it either.",
		Decisive: "The pod's waiting reason or an event names an object that is not found.",
		Example:  "MountVolume.SetUp failed for volume \"credentials\" : secret \"db\" not found",
		Fix:      "Create what is missing, or correct the name.",
	},
	Sync: advice.Pointless("the hook's pod cannot start without it"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		kind, name, key, quote, ok := h.lackedObject()
		if !ok {
			return diagnose.Finding{}, false
		}
		what := fmt.Sprintf("%s/%s", kind, name)
		if key != "" {
			what = fmt.Sprintf("key %s in %s", key, what)
		}
		ns := cmp.Or(h.ref.Namespace, in.App().Spec.Destination.Namespace)
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s %s cannot start: %s is missing", h.phaseName(), h.ref, what),
			Why:        fmt.Sprintf("The pod of %s refers to %s, which is not in namespace %s: %s", h.ref, what, ns, text.Sentence(text.Clip(text.OneLine(quote.Text), message.MaxClause))),
			Evidence:   []diagnose.Quote{quote},
			Fix: []diagnose.Fix{
				{Text: "See what is there", Command: diagnose.Shell("kubectl -n %s get %s", ns, text.LowerFirst(kind))},
				{Text: fmt.Sprintf("Create %s before the sync, or correct the name in the hook", what)},
			},
		}
		return h.withNextSteps(in, f), true
	}),
}
