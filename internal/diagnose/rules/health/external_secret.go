package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

var ExternalSecret = &diagnose.Rule{
	ID:    "health/external-secret",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "An ExternalSecret or its store is not ready",
		What:     "The External Secrets Operator cannot write the Secret: the store cannot be reached or refuses the operator, or the key it names is not there. What takes its environment from that Secret waits.",
		Decisive: "Condition Ready=False of the ExternalSecret or SecretStore, or its event UpdateFailed.",
		Example:  "could not get secret data from provider: error retrieving secret at .data[0], key: shop/db, err: Secret does not exist",
		Fix:      "Correct the key, or repair the store's credentials; the operator tries again by itself.",
		Links:    []string{"https://external-secrets.io/latest/introduction/faq/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{kind: "external-secrets.io/*"}, {kind: "kubernetes-client.io/*"}},
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		reason, said := "", s.Text
		if c := s.Object.Condition("Ready"); c.Text("status") == "False" {
			reason, said = c.Text("reason"), cmp.Or(c.Text("message"), said)
		}
		if e := pods.LastWarning(s.Events); e != nil && len(e.Message) > len(said) { // the condition often leaves the provider's answer out
			said = e.Message
		}
		said = text.OneLine(said)
		if said == "" && !s.Overdue() {
			return diagnose.Finding{}, false
		}
		what, fix := storeTrouble(s, strings.ToLower(said+" "+reason))
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != ""),
			Title:      fmt.Sprintf("%s is not ready: %s", s.Ref, what),
			Why:        fmt.Sprintf("The operator has not made %s ready%s: %s. %s", s.Ref, s.ForLong(), what, text.Sentence(text.UpperFirst(text.Clip(said, 2*message.MaxClause)))),
			Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: cmp.Or(strings.Trim(reason+": "+said, ": "), "health "+s.Status)}},
			Fix:        []diagnose.Fix{{Text: fix}, s.Describe("See its conditions and events")},
		}
		if store := s.Object.Text("spec", "secretStoreRef", "name"); store != "" {
			kind := cmp.Or(s.Object.Text("spec", "secretStoreRef", "kind"), "SecretStore")
			f.Why = strings.TrimSpace(f.Why) + fmt.Sprintf(" It reads from %s/%s and writes Secret/%s.", kind, store, cmp.Or(s.Object.Text("spec", "target", "name"), s.Ref.Name))
			flags := advice.InNamespace(s.Ref)
			if kind == "ClusterSecretStore" {
				flags = ""
			}
			f.Fix = append(f.Fix, diagnose.Fix{Text: "See whether its store is ready", Command: diagnose.Shell("kubectl %sdescribe %s %s", flags, strings.ToLower(kind), store)})
		}
		f.Why = strings.TrimSpace(f.Why)
		return f, true
	}),
}

func storeTrouble(s *unhealthy.Resource, lower string) (what, fix string) {
	keys := []string{}
	for _, d := range append(s.Object.List("spec", "data"), s.Object.List("spec", "dataFrom")...) {
		if k := cmp.Or(d.Text("remoteRef", "key"), d.Text("extract", "key")); k != "" {
			keys = append(keys, k)
		}
	}
	of := message.After(": ", strings.Join(keys, ", "))
	switch {
	case message.HasAny(lower, "permission denied", "accessdenied", "access denied", "not authorized", "403", "forbidden", "unauthorized", "401", "invalid token", "expired"):
		return "the store refuses the operator", "Repair the credentials or rights that the store uses"
	case message.HasAny(lower, "secretstore", "store") && message.HasAny(lower, "not ready", "not found", "could not get provider client", "invalidproviderconfig", "unable to create client"):
		return "its store is not ready", "Repair the store first: it tells what it lacks"
	case message.HasAny(lower, "does not exist", "not found", "cannot find", "key not found", "no secret", "resourcenotfound"):
		return "the store has no such key" + of, "Create the key in the store, or correct spec.data[].remoteRef in Git" + of
	case message.HasAny(lower, "no such host", "connection refused", "timeout", "deadline exceeded", "x509", "tls"):
		return "the store cannot be reached", "Make the store reachable and trusted from the operator"
	}
	return "the store does not give the data" + of, "See whether the store has the key and lets the operator read it" + of
}
