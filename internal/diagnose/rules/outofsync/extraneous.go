package outofsync

import (
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/text"
)

var Extraneous = &diagnose.Rule{
	ID:    "drift/extraneous",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Object of another tool is tracked by Argo CD",
		What:     "An operator created an object and copied the labels or annotations of its parent onto it, including Argo CD's tracking label or annotation. Argo CD takes it for a resource that was removed from Git, and a prune would delete what the operator needs.",
		Decisive: "The resource requires pruning, and Argo CD never wrote anything in it.",
		Example:  "Secret/idp-client-secret: OutOfSync (requires pruning), written only by authentication-operator",
		Fix:      "Stop the tool from copying the tracking label or annotation, track by annotation, or annotate the object with IgnoreExtraneous.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/compare-options/#ignoring-resources-that-are-extraneous", "https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/"},
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: "with prune deletes what another tool created; without prune that stays"},
	Recognises: presence{},
	Check: func(in *diagnose.In) diagnose.Outcome {
		return checkExtras(in, true, func(in *diagnose.In, list []*resource) diagnose.Finding {
			r := list[0]
			maker := drift.Owners(r.Live)[0]
			by, n := makerNames(list), len(list)
			return diagnose.Finding{
				Confidence: diagnose.Certain,
				Title:      subjectText(list) + ": tracked but not in Git",
				Why: fmt.Sprintf("%s written by %s%s, never by Argo CD. %s Argo CD's tracking label or annotation, so Argo CD treats %s as removed from Git.",
					verb(n, "It was", "They were"), by, agoClause(in, maker.Time), verb(n, "It carries", "They carry"), them(n)),
				Evidence: []diagnose.Quote{{From: "managedFields of " + r.Ref.String(), Text: "written by " + writerText(in, maker) + ", never by Argo CD"}},
				Sync:     diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: fmt.Sprintf("with prune deletes %s, which %s created; without prune %s", subjectText(list), by, verb(n, "it stays", "they stay"))},
				Fix: []diagnose.Fix{
					{Text: "Exempt " + r.Ref.String() + " from comparison and pruning" + doTheSame(n-1), Command: diagnose.Shell("kubectl %sannotate %s argocd.argoproj.io/compare-options=IgnoreExtraneous argocd.argoproj.io/sync-options=Prune=false", advice.InNamespace(r.Ref), r.Ref.Resource())},
					{Text: stopCopying(by)},
					{Text: "If it copies a label, track resources by annotation instead: in argocd-cm", Patch: "data:\n  application.resourceTrackingMethod: annotation\n"},
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
	return text.List(out, shownFields)
}

// stopCopying is the step against the tracking label or annotation on what a tool creates.
func stopCopying(tool string) string {
	if tool == "kube-controller-manager" {
		return "Then remove Argo CD's tracking label or annotation from the template that Kubernetes copies (jobTemplate, volumeClaimTemplates)"
	}
	return fmt.Sprintf("Then stop %s from copying Argo CD's tracking label or annotation", tool)
}
