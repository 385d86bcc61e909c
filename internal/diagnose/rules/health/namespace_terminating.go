package health

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

var NamespaceTerminating = &diagnose.Rule{
	ID:    "health/namespace-terminating",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Namespace is stuck terminating",
		What:     "A namespace is being deleted but does not go away: something in it has a finalizer whose controller does not respond, resources remain, or an API service is down, so Kubernetes cannot list what is left.",
		Decisive: "Conditions of the Namespace: NamespaceFinalizersRemaining, NamespaceContentRemaining, NamespaceDeletionDiscoveryFailure.",
		Example:  "Some content in the namespace has finalizers remaining: example.com/finalizer in 1 resource instances",
		Fix:      "Fix the controller behind the finalizer (or the API service); remove a finalizer manually only when nothing is left to clean up.",
		Links:    []string{"https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/"},
	},
	Sync:       advice.Pointless("nothing can be created in a namespace while it is being deleted"),
	Recognises: about{{kind: "/Namespace", status: pendingDeletion}},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		since := in.Since(s.Object.Time("metadata", "deletionTimestamp"))
		blocker, quotes := statement.NamespaceBlockers(s.Object)
		if since < unhealthy.SettleThreshold && (since > 0 || !s.Overdue()) {
			return diagnose.Finding{}, false
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(len(quotes) > 0),
			Title:      fmt.Sprintf("%s is stuck terminating", s.Ref),
			Why:        "It is marked for deletion but still exists.",
			Evidence:   append(quotes, diagnose.Quote{From: s.Ref.String(), Text: s.Text}),
			Fix:        []diagnose.Fix{{Text: "Show what is left in it and what blocks its deletion", Command: diagnose.Shell("kubectl get namespace %s -o jsonpath='{.status.conditions}'", s.Ref.Name)}},
		}
		if since > 0 {
			f.Why = fmt.Sprintf("It was marked for deletion %s ago.", text.Age(since))
		}
		if blocker != "" {
			f.Says = says("Its status says", blocker)
		}
		for _, o := range p.Resources {
			if o != s && o.Leaving() && o.Ref.Namespace == s.Ref.Name {
				f.Others = append(f.Others, o.Ref)
			}
		}
		if len(f.Others) > 0 {
			f.Why += fmt.Sprintf(" Resources of this application left in it: %s.", advice.Names(f.Others))
			f.Fix = append(f.Fix, advice.SeeFinalizer(f.Others[0]))
		}
		if strings.Contains(blocker, "Discovery failed") {
			f.Fix = append(f.Fix, diagnose.Fix{Text: "Fix or remove the API service that is not available", Command: "kubectl get apiservices"})
			return f, true
		}
		if blocker != "" && !strings.Contains(blocker, "finalizer") {
			f.Fix = append(f.Fix, diagnose.Fix{Text: "Find out why what is left is not deleted: a pod that does not stop, a volume in use, or a finalizer", Command: diagnose.Shell("kubectl api-resources --verbs=list --namespaced -o name | xargs -n 1 kubectl get --show-kind --ignore-not-found -n %s", s.Ref.Name)})
			return f, true
		}
		f.Fix = append(f.Fix, diagnose.Fix{Text: "Fix the controller that set the finalizer; remove the finalizer manually only when it has nothing left to clean up"})
		return f, true
	}),
}
