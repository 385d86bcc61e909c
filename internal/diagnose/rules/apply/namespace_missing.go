package apply

import (
	"cmp"
	"fmt"
	"regexp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var NamespaceMissing = &diagnose.Rule{
	ID:    "apply/namespace-missing",
	Needs: statement.RefusalNeeds,
	Doc: diagnose.Doc{
		Title:    "The namespace does not exist",
		What:     "The destination namespace is not in the cluster, and neither the application nor the sync option CreateNamespace makes it; or Argo CD is restricted to other namespaces.",
		Decisive: "namespaces \"…\" not found; Namespace … is not managed.",
		Example:  "namespaces \"ingress-nginx\" not found",
		Fix:      "Add CreateNamespace=true to the sync options, or create the namespace. A namespace that is not managed must be added to the cluster's configuration.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#create-namespace"},
	},
	Sync: advice.Pointless("nothing can be created in a namespace that does not exist"),
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		missing := noNamespace.MatchString(f.Cause)
		unmanaged := f.HasAll("namespace", "is not managed")
		if !missing && !unmanaged {
			return diagnose.Finding{}, false
		}
		ns := cmp.Or(f.Quoted("namespaces "), f.Quoted("namespace "), statement.Namespace(in, s), "NAMESPACE")
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("namespace %s does not exist", ns),
			Why:        fmt.Sprintf("%s is to be created in namespace %s, which is not in the cluster: %s", statement.Name(s), ns, statement.Words(s)),
			Fix: []diagnose.Fix{
				{Text: "Create it: in Git with a manifest of an earlier sync wave, or by hand", Command: diagnose.Shell("kubectl create namespace %s", ns)},
			},
		}
		if ns == in.App().Spec.Destination.Namespace { // CreateNamespace makes only the destination's
			out.Fix = append([]diagnose.Fix{{Text: "Have Argo CD create it: in the Application's manifest", Patch: "spec:\n  syncPolicy:\n    syncOptions:\n    - CreateNamespace=true\n"}}, out.Fix...)
		}
		if unmanaged {
			out.Sync = advice.Pointless("Argo CD may not manage this namespace")
			out.Title = fmt.Sprintf("Argo CD does not manage namespace %s", ns)
			out.Why = "Argo CD's connection to this cluster is restricted to other namespaces: " + statement.Words(s)
			out.Fix = []diagnose.Fix{{Text: "Add the namespace to the list in the cluster's secret (key namespaces), and give Argo CD rights in it", Command: diagnose.Shell("argocd cluster get %s", cmp.Or(in.App().Spec.Destination.Server, in.App().Spec.Destination.Name, "SERVER"))}}
		}
		return out, true
	}),
}

// noNamespace: `namespaces "x" not found`, `namespace x does not exist`; not `secret "a" in namespace "x" not found`.
var noNamespace = regexp.MustCompile(`(?i)(?:^|[^n] |: )namespaces? ["']?[a-z0-9\-]+["']? (?:not found|does not exist)`)
