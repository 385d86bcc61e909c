package rules

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
)

var applyNamespaceMissing = &diagnose.Rule{
	ID:    "apply/namespace-missing",
	Needs: refusalNeeds,
	Doc: diagnose.Doc{
		Title:    "The namespace does not exist",
		What:     "The destination namespace is not in the cluster, and neither the application nor the sync option CreateNamespace makes it; or Argo CD is restricted to other namespaces.",
		Decisive: "namespaces \"…\" not found; Namespace … is not managed.",
		Example:  "namespaces \"ingress-nginx\" not found",
		Fix:      "Add CreateNamespace=true to the sync options, or create the namespace. A namespace that is not managed must be added to the cluster's configuration.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#create-namespace"},
	},
	Sync: pointless("nothing can be created in a namespace that does not exist"),
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		missing := f.HasAll("namespaces \"", "not found") || f.HasAll("namespace \"", "\" not found") || f.HasAll("namespace", "does not exist") || f.HasAll("namespace '", "not found")
		unmanaged := f.HasAll("namespace", "is not managed")
		if !missing && !unmanaged {
			return none, false
		}
		ns := or(f.Quoted("namespaces "), f.Quoted("namespace "), namespaceOf(in, s), "NAMESPACE")
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("namespace %s does not exist", ns),
			Why:        fmt.Sprintf("%s is to be created in namespace %s, which is not in the cluster: %s", called(s), ns, words(s)),
			Fix: []diagnose.Fix{
				{Text: "Have Argo CD create it (in the Application, to keep it in Git)", Command: "argocd app set " + appName(in) + " --sync-option CreateNamespace=true", Patch: "spec:\n  syncPolicy:\n    syncOptions:\n    - CreateNamespace=true\n"},
				{Text: "Or create it by hand", Command: "kubectl create namespace " + ns},
			},
		}
		if unmanaged {
			out.Sync = pointless("Argo CD may not manage this namespace")
			out.Title = fmt.Sprintf("Argo CD does not manage namespace %s", ns)
			out.Why = "Argo CD's connection to this cluster is restricted to other namespaces: " + words(s)
			out.Fix = []diagnose.Fix{{Text: "Add the namespace to the list in the cluster's secret (key namespaces), and give Argo CD rights in it", Command: "argocd cluster get " + or(in.App().Spec.Destination.Server, in.App().Spec.Destination.Name, "SERVER")}}
		}
		return out, true
	}),
}
