package apply

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var SharedResource = &diagnose.Rule{
	ID: "apply/shared-resource",
	Doc: diagnose.Doc{
		Title:    "Two applications manage the same resource",
		What:     "The resource is in the manifests of two applications. Each sync of one takes it from the other, so both keep going out of sync; with FailOnSharedResource=true the sync fails instead. A copied tracking label or annotation looks the same.",
		Decisive: "Condition SharedResourceWarning, or \"is part of applications a and b\".",
		Example:  "ConfigMap/shared is part of applications argocd/web and api",
		Fix:      "Keep the resource in one application. Remove a stale tracking label or annotation.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#fail-the-sync-if-a-shared-resource-is-found"},
	},
	Sync:  diagnose.Advice{Verdict: diagnose.SyncOverwritesLive, Why: "it takes the resource from the other application, which will take it back"},
	Check: checkShared,
}

// checkShared looks at the warning and at the refusal of a sync with FailOnSharedResource. The warning alone is a cause
// only where nothing else fails.
func checkShared(in *diagnose.In) diagnose.Outcome {
	failed := statement.Each(sharedFinding)(in)
	warnings := in.Warnings()
	for i := range warnings {
		if f, ok := sharedFinding(in, &warnings[i]); ok {
			if !in.App().Status.OperationState.Failed() || len(failed.Findings) == 0 {
				f.Kind = diagnose.KindWarning
			}
			failed.Findings = append(failed.Findings, f.On(&warnings[i]))
		}
	}
	return failed
}

func sharedFinding(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
	f := &s.Failure
	if s.Condition != "SharedResourceWarning" && !f.Has("is part of applications", "is part of a different application", "shared resource found", "failonsharedresource") {
		return diagnose.Finding{}, false
	}
	ref, others := statement.SharedBy(in, f.Text)
	if ref.IsZero() {
		ref = s.Resource
	}
	ref = statement.Resolve(in, ref)
	name, other := cmp.Or(ref.String(), "a resource"), cmp.Or(others, "another one")
	out := diagnose.Finding{
		Resource: ref, Confidence: diagnose.Certain,
		Title: sentence(name, "is also in application "+other),
		Why:   fmt.Sprintf("Whichever of this application and %s is synced last takes it, so both keep going out of sync.", other),
		Fix: []diagnose.Fix{
			{Text: "Remove it from one of the two applications in Git. Sync the one that keeps it first: as long as it belongs to the other, that one may prune it"},
			{Text: "Check which application owns it now", Command: diagnose.Shell("kubectl %sget %s -o jsonpath='{.metadata.annotations.argocd\\.argoproj\\.io/tracking-id}{\" \"}{.metadata.labels.app\\.kubernetes\\.io/instance}'", advice.InNamespace(ref), cmp.Or(ref.Resource(), "RESOURCE"))},
		},
	}
	if others != "" && sharedWith(in, others) > 1 {
		out.Fix = append(out.Fix, diagnose.Fix{Text: fmt.Sprintf("If %s is only a copy of this application (this shows it), delete it without deleting its resources (--cascade=false), then sync this one", others), Command: diagnose.Shell("argocd app get %s", others)})
	}
	if !fits(out.Title) {
		out.Title = sentence(name, "is in two applications")
		out.Why = fmt.Sprintf("The other application is %s. The one that is synced last takes it, so both keep going out of sync.", other)
	}
	if in.App().HasSyncOption("FailOnSharedResource=true") || s.Result != nil || f.Has("shared resource found") {
		out.Sync = advice.Pointless("the application sets FailOnSharedResource=true, so the sync fails while both applications have the resource")
	}
	return out, true
}

// sharedWith counts the resources that another application has as well.
func sharedWith(in *diagnose.In, other string) int {
	n := 0
	for _, w := range in.Warnings() {
		if _, o := statement.SharedBy(in, w.Failure.Text); o == other {
			n++
		}
	}
	return n
}
