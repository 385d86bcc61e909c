package outofsync

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
)

var ExcludedResource = &diagnose.Rule{
	ID: "drift/excluded-resource",
	Doc: diagnose.Doc{
		Title:    "Resource excluded in Argo CD's settings",
		What:     "resource.exclusions (or inclusions) in argocd-cm keep Argo CD from watching the kind. Argo CD neither applies nor compares such a resource.",
		Decisive: "Condition ExcludedResourceWarning.",
		Example:  "Resource cilium.io/CiliumIdentity x is excluded in the settings",
		Fix:      "Remove the resource from Git, or its kind from the exclusions.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#resource-exclusioninclusion"},
	},
	Sync: advice.Pointless("Argo CD leaves the resource out of every sync"),
	Check: reportingWarning("ExcludedResourceWarning", func(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "A resource in Git is excluded in Argo CD's settings",
			Why:        "Argo CD neither applies nor compares it.",
			Says:       diagnose.Said{Who: "Argo CD says", Text: s.Failure.Line(message.MaxClause)},
			Fix: []diagnose.Fix{
				{Text: "Show what the settings exclude and include", Command: diagnose.Shell("kubectl -n %s get configmap argocd-cm -o jsonpath='{.data.resource\\.exclusions}{.data.resource\\.inclusions}'", advice.ArgoNamespace(in))},
				{Text: "Remove the kind from the exclusions, or the resource from Git" + inGit(in)},
			},
		}
		if ref, ok := parseExcluded(s); ok {
			f.Resource = ref
			f.Title = ref.String() + ": excluded in Argo CD's settings"
			f.Why = fmt.Sprintf("The settings cover the kind %s, so Argo CD neither applies nor compares this resource.", ref.Kind)
			f.Says = diagnose.Said{}
		}
		return f
	}),
}

var excludedResource = pattern.MustCompile(`[Rr]esource (?:([^/\s]*)/)?([^/\s]+) (\S+) is excluded`)

// parseExcluded is the resource that the warning names.
func parseExcluded(s *diagnose.Statement) (evidence.Ref, bool) {
	m := excludedResource.FindStringSubmatch(s.Failure.Text)
	if m == nil {
		return evidence.Ref{}, false
	}
	return evidence.Ref{Group: m[1], Kind: m[2], Name: m[3]}, true
}

// isExcluded reports whether Argo CD says that it leaves the resource out.
func isExcluded(in *diagnose.In, ref evidence.Ref) bool {
	return isWarnedOf(in, "ExcludedResourceWarning", ref, func(s *diagnose.Statement) evidence.Ref {
		named, _ := parseExcluded(s)
		return named
	})
}
