package outofsync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var Extraneous = &diagnose.Rule{
	ID:    "drift/extraneous",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Something that a tool made carries Argo CD's mark",
		What:     "An operator made an object and copied the labels or annotations of its parent onto it, Argo CD's tracking mark among them. Argo CD takes it for a resource that was removed from Git, and a prune would delete what the operator needs.",
		Decisive: "The resource requires pruning, and nothing in it was ever written by Argo CD.",
		Example:  "Secret/idp-client-secret: OutOfSync (requires pruning), written by authentication-operator only",
		Fix:      "Keep the tool from copying the mark, track by annotation, or annotate the object with IgnoreExtraneous.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/compare-options/#ignoring-resources-that-are-extraneous", "https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/"},
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: "with prune it deletes what another tool made and needs; without prune it leaves them alone"},
	Recognises: presence{},
	Check: func(in *diagnose.In) diagnose.Outcome {
		return checkExtras(in, true, func(in *diagnose.In, list []*resource) diagnose.Finding {
			r := list[0]
			maker := drift.Owners(r.Live)[0]
			by := makerNames(list)
			return diagnose.Finding{
				Confidence: diagnose.Certain,
				Title:      fmt.Sprintf("%s made by %s and %s the mark of this application", subjectWithVerb(list, "was", "were"), by, verb(len(list), "carries", "carry")),
				Why:        fmt.Sprintf("Argo CD never applied %s: written by %s%s. The tracking mark makes Argo CD take that for something removed from Git.", subjectText(list), by, agoClause(in, maker.Time)),
				Evidence:   []diagnose.Quote{{From: "managedFields of " + r.Ref.String(), Text: "written by " + writerText(in, maker) + "; nothing by Argo CD"}},
				Fix: []diagnose.Fix{
					{Text: fmt.Sprintf("Keep %s from copying Argo CD's label or annotation, or annotate what it made", by), Command: diagnose.Shell("kubectl %sannotate %s argocd.argoproj.io/compare-options=IgnoreExtraneous argocd.argoproj.io/sync-options=Prune=false", advice.InNamespace(r.Ref), r.Ref.Resource())},
					{Text: "If a label is what is copied, track by annotation: in argocd-cm", Patch: "data:\n  application.resourceTrackingMethod: annotation\n"},
				},
			}
		})
	},
}

// makerNames are the tools that made the resources, each once.
func makerNames(list []*resource) string {
	var out []string
	for _, r := range list {
		if o := drift.Owners(r.Live)[0].Manager; !slices.Contains(out, o) && len(out) < shownFields {
			out = append(out, o)
		}
	}
	return strings.Join(out, ", ")
}
