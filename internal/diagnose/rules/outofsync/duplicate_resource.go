package outofsync

import (
	"fmt"
	"regexp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

var DuplicateResource = &diagnose.Rule{
	ID: "drift/duplicate-resource",
	Doc: diagnose.Doc{
		Title:    "The manifests hold the same resource twice",
		What:     "Two manifests of the application have the same group, kind, namespace and name: a file included twice, a subchart that brings it too, two sources. Argo CD applies one of them, which one is not said, and may find the other one different.",
		Decisive: "Condition RepeatedResourceWarning.",
		Example:  "Resource rbac.authorization.k8s.io/RoleBinding/default/operator appeared 2 times among application resources.",
		Fix:      "Take one of them out.",
	},
	Sync:       advice.Pointless("it applies one of the two again; the manifests stay contradictory"),
	Recognises: explains{{byWarning, isRepeated}},
	Check: reportingWarning("RepeatedResourceWarning", func(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
		ref, times := parseRepeated(s.Failure.Text)
		return diagnose.Finding{
			Resource:   ref,
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("the manifests hold %s %s", ref, times),
			Why:        fmt.Sprintf("Git has %s %s in this application. Argo CD applies one of them and leaves out the others.", ref, times),
			Fix: []diagnose.Fix{
				{Text: "See where it comes from", Command: diagnose.Shell("argocd app manifests %s", advice.AppName(in))},
				{Text: fmt.Sprintf("Take one of the manifests of %s out%s", ref, inGit(in))},
			},
		}
	}),
}

// isRepeated: the manifests contradict each other, whatever the field.
func isRepeated(in *diagnose.In, _ *picture, r *resource, _ *drift.Field) bool {
	for _, w := range in.Warnings() {
		if ref, _ := parseRepeated(w.Failure.Text); w.Condition == "RepeatedResourceWarning" && ref == r.Ref {
			return true
		}
	}
	return false
}

var repeatedResource = regexp.MustCompile(`[Rr]esource ([^/\s]*)/([^/\s]+)/([^/\s]*)/(\S+) appeared (\d+) times`)

// parseRepeated reads "Resource GROUP/KIND/NAMESPACE/NAME appeared 2 times …".
func parseRepeated(text string) (ref evidence.Ref, times string) {
	m := repeatedResource.FindStringSubmatch(text)
	if m == nil {
		return evidence.Ref{Kind: "a resource"}, "more than once"
	}
	return evidence.Ref{Group: m[1], Kind: m[2], Namespace: m[3], Name: m[4]}, m[5] + " times"
}
