package health

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var NamespaceTerminating = &diagnose.Rule{
	ID:    "health/namespace-terminating",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A namespace does not finish terminating",
		What:     "A namespace is being deleted and stays: something in it has a finalizer whose controller does not answer, content remains, or an API service that is down keeps Kubernetes from listing what is left.",
		Decisive: "Conditions of the Namespace: NamespaceFinalizersRemaining, NamespaceContentRemaining, NamespaceDeletionDiscoveryFailure.",
		Example:  "Some content in the namespace has finalizers remaining: example.com/finalizer in 1 resource instances",
		Fix:      "Repair the controller of the finalizer (or the API service); remove a finalizer by hand only when nothing is left to clean up.",
		Links:    []string{"https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/"},
	},
	Sync:       advice.Pointless("nothing can be created in a namespace that is being deleted, and a sync does not end the deletion"),
	Recognises: about{{kind: "/Namespace", status: pendingDeletion}},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		since := in.Since(s.Object.Time("metadata", "deletionTimestamp"))
		holds, quotes := namespaceHolds(s.Object)
		if since < unhealthy.SettleThreshold && (since > 0 || !s.Overdue()) {
			return diagnose.Finding{}, false
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(len(quotes) > 0),
			Title:      fmt.Sprintf("%s has been terminating%s and does not end", s.Ref, unhealthy.Lasting(" for ", since)),
			Why:        fmt.Sprintf("%s has been marked for deletion%s.", s.Ref, unhealthy.Lasting(" for ", since)),
			Evidence:   append(quotes, diagnose.Quote{From: s.Ref.String(), Text: s.Text}),
			Fix:        []diagnose.Fix{{Text: "See what is left and what holds it", Command: diagnose.Shell("kubectl get namespace %s -o jsonpath='{.status.conditions}'", s.Ref.Name)}},
		}
		if holds != "" {
			f.Title += ": " + holds
			f.Why += " What holds it: " + text.Sentence(holds)
		}
		for _, o := range p.Resources {
			if o != s && o.Leaving() && o.Ref.Namespace == s.Ref.Name {
				f.Others = append(f.Others, o.Ref)
			}
		}
		if len(f.Others) > 0 {
			f.Why += fmt.Sprintf(" Of this application is left: %s.", advice.Names(f.Others))
			f.Fix = append(f.Fix, advice.SeeFinalizer(f.Others[0]))
		}
		f.Fix = append(f.Fix, diagnose.Fix{Text: "Repair the controller that set the finalizer, or remove the finalizer once nothing is left that it should clean up"})
		return f, true
	}),
}

// namespaceHolds reads what keeps a namespace from ending, the decisive condition first.
func namespaceHolds(ns evidence.Object) (string, []diagnose.Quote) {
	holds := ""
	var quotes []diagnose.Quote
	for _, kind := range []string{"NamespaceDeletionDiscoveryFailure", "NamespaceDeletionGroupVersionParsingFailure", "NamespaceFinalizersRemaining", "NamespaceDeletionContentFailure", "NamespaceContentRemaining"} {
		c := ns.Condition(kind)
		if c.Text("status") != "True" {
			continue
		}
		said := text.OneLine(c.Text("message"))
		if holds == "" {
			holds = text.Clip(said, 2*message.MaxClause)
		}
		quotes = append(quotes, diagnose.Quote{From: ns.Ref().String(), Text: kind + ": " + said})
	}
	return holds, quotes
}
