package operation

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var Impersonation = &diagnose.Rule{
	ID: "operation/impersonation",
	Doc: diagnose.Doc{
		Title:    "No service account to sync as",
		What:     "Argo CD is configured to sync as a service account of the destination instead of its own (application.sync.impersonation.enabled). The project names none for this destination, so Argo CD does not sync. This applies to every application, including those that deploy other applications.",
		Decisive: "\"failed to find a matching service account to impersonate\".",
		Example:  "failed to find a matching service account to impersonate: no matching service account found for destination server https://kubernetes.default.svc and namespace monitoring",
		Fix:      "Add the destination to the project's destinationServiceAccounts.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/app-sync-using-impersonation/"},
	},
	Sync: advice.Blocked("the project names no service account for this destination"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("service account to impersonate", "no matching service account found for destination") {
			return diagnose.Finding{}, false
		}
		d, p := in.App().Spec.Destination, advice.Project(in)
		server, namespace := d.Server, d.Namespace
		if m := noAccount.FindStringSubmatch(f.Text); m != nil {
			server, namespace = cmp.Or(m[1], server), cmp.Or(m[2], namespace)
		}
		show := diagnose.Fix{Text: "Check which service accounts the project names", Command: diagnose.Shell("kubectl -n %s get appproject %s -o yaml", advice.ArgoNamespace(in), p)}
		out := diagnose.Finding{
			Confidence: diagnose.Certain, Kind: diagnose.KindForbidden,
			Title: fmt.Sprintf("Project %s names no service account to sync as", p),
			Why:   fmt.Sprintf("Argo CD syncs as a service account of the destination, and the project has none for namespace %s on %s.", cmp.Or(namespace, "*"), cmp.Or(server, "*")),
			Fix: []diagnose.Fix{
				{Text: "Name one that has the rights to deploy there, in Git if the project is defined there (SERVICE_ACCOUNT is in that namespace)", Command: diagnose.Shell("argocd proj add-destination-service-account %s %s %s SERVICE_ACCOUNT", p, orAny(server), orAny(namespace))},
				show,
			},
		}
		if f.Has("invalid chars", "invalid glob") {
			out.Title = fmt.Sprintf("Project %s names an invalid service account", p)
			out.Why = "Argo CD syncs as a service account of the destination, and the entry of the project for it is not valid."
			out.Says = diagnose.Said{Who: "Argo CD says", Text: f.Line(message.MaxClause)}
			show.Text = "Correct the entry in the project's destinationServiceAccounts, in Git if the project is defined there; this prints them"
			out.Fix = []diagnose.Fix{show}
			out.Sync = advice.Blocked("the project names no valid service account for this destination")
		}
		return out, true
	}),
}

// noAccount is the destination that has no service account.
var noAccount = pattern.MustCompile(`for destination server (\S*) and namespace (\S+)`)

// orAny is a part of a destination as an argument: the pattern for all of them, which is ours, only where the destination says nothing.
func orAny(part string) any {
	if part == "" {
		return diagnose.Raw("'*'")
	}
	return part
}
