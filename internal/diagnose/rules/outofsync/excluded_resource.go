package outofsync

import (
	"regexp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var ExcludedResource = &diagnose.Rule{
	ID: "drift/excluded-resource",
	Doc: diagnose.Doc{
		Title:    "Git has a resource that Argo CD is told not to look at",
		What:     "resource.exclusions (or inclusions) in argocd-cm keep Argo CD from watching the kind. It leaves such a resource out of the application: it neither applies nor compares it.",
		Decisive: "Condition ExcludedResourceWarning.",
		Example:  "Resource cilium.io/CiliumIdentity x is excluded in the settings",
		Fix:      "Take the resource out of Git, or its kind out of the exclusions.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#resource-exclusioninclusion"},
	},
	Sync: advice.Pointless("Argo CD leaves the resource out of every sync"),
	Check: reportingWarning("ExcludedResourceWarning", func(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "a resource of Git is excluded in Argo CD's settings",
			Why:        "Argo CD is told not to look at a resource that Git has, and leaves it out: " + text.Sentence(s.Failure.Line(message.MaxClause)),
			Fix: []diagnose.Fix{
				{Text: "See what is excluded", Command: diagnose.Shell("kubectl -n %s get configmap argocd-cm -o jsonpath='{.data.resource\\.exclusions}{.data.resource\\.inclusions}'", advice.ArgoNamespace(in))},
				{Text: "Take the kind out of the exclusions, or the resource out of Git" + inGit(in)},
			},
		}
		if ref, ok := parseExcluded(s); ok {
			f.Resource = ref
			f.Title = f.Resource.String() + " of Git is excluded in Argo CD's settings"
		}
		return f
	}),
}

var excludedResource = regexp.MustCompile(`[Rr]esource ([^/\s]*)/([^/\s]+) (\S+) is excluded`)

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
	warnings := in.Warnings()
	for i := range warnings {
		if named, ok := parseExcluded(&warnings[i]); ok && warnings[i].Condition == "ExcludedResourceWarning" && named.Same(ref) {
			return true
		}
	}
	return false
}
