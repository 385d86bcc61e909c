package health

import (
	"cmp"
	"fmt"
	"regexp"
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
		Title:    "ExternalSecret or its store is not ready",
		What:     "The External Secrets Operator cannot write the Secret: the store cannot be reached or denies access, or the key does not exist in it. Pods that use the Secret cannot start until it exists.",
		Decisive: "Condition Ready=False of the ExternalSecret or SecretStore, or its event UpdateFailed.",
		Example:  "could not get secret data from provider: error retrieving secret at .data[0], key: shop/db, err: Secret does not exist",
		Fix:      "Correct the key, or fix the store's credentials; the operator retries by itself.",
		Links:    []string{"https://external-secrets.io/latest/introduction/faq/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{kind: "external-secrets.io/*"}, {kind: "kubernetes-client.io/*"}},
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		reason, said := "", s.Text
		if c := s.Object.Condition("Ready"); c.Text("status") == "False" {
			reason, said = c.Text("reason"), cmp.Or(c.Text("message"), said)
		}
		if len(s.Text) > len(said) { // Argo CD shows what a health check read, which may be more than the condition that is read now
			said = s.Text
		}
		if e := pods.LastWarning(s.Events); e != nil && len(e.Message) > len(said) { // the condition often leaves the provider's answer out
			said = e.Message
		}
		said = text.OneLine(said)
		if said == "" && !s.Overdue() {
			return diagnose.Finding{}, false
		}
		what, fix := storeTrouble(s, strings.ToLower(said+" "+reason))
		if deniedAction.MatchString(said) {
			fix = "Grant that permission to the account that the store uses"
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != ""),
			Title:      s.Ref.String() + cmp.Or(message.After(": ", what), " is not ready"),
			Says:       says("The operator says", vaultErrors.ReplaceAllString(said, ": ")),
			Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: cmp.Or(strings.Trim(reason+": "+said, ": "), "health "+s.Status)}},
			Fix:        []diagnose.Fix{{Text: fix}, s.Describe("Show its conditions and events")},
		}
		if store := s.Object.Text("spec", "secretStoreRef", "name"); store != "" {
			kind := cmp.Or(s.Object.Text("spec", "secretStoreRef", "kind"), "SecretStore")
			f.Why = fmt.Sprintf("It reads%s from %s/%s and should write Secret/%s.", message.After(" key ", strings.Join(remoteKeys(s), ", ")), kind, store, cmp.Or(s.Object.Text("spec", "target", "name"), s.Ref.Name))
			flags := advice.InNamespace(s.Ref)
			if kind == "ClusterSecretStore" {
				flags = ""
			}
			f.Fix = append(f.Fix, diagnose.Fix{Text: "Check whether its store is ready", Command: diagnose.Shell("kubectl %sdescribe %s %s", flags, strings.ToLower(kind), store)})
		}
		if s.ForLong() != "" {
			f.Why = text.Paragraph(f.Why, fmt.Sprintf("It %s.", s.IsStill()))
		}
		return f, true
	}),
}

// vaultErrors is what Vault puts between the step that failed and the error.
var vaultErrors = regexp.MustCompile(`[. ]*Code: \d+\. Errors:(?: \* \d+ errors? occurred:)? \* `)

// missingProperty is how the operator says that a key of the store lacks one of its fields.
var missingProperty = regexp.MustCompile(`(?:key|property) (\S+) does not exist in (?:secret|key)`)

// remoteKeys are the keys of the store that an ExternalSecret reads.
func remoteKeys(s *unhealthy.Resource) []string {
	var keys []string
	for _, d := range append(s.Object.List("spec", "data"), s.Object.List("spec", "dataFrom")...) {
		if k := cmp.Or(d.Text("remoteRef", "key"), d.Text("extract", "key")); k != "" {
			keys = append(keys, k)
		}
	}
	return withoutRepeats(keys)
}

// cloudCredentials is what helps a store that gets no credentials of its cloud.
func cloudCredentials(s *unhealthy.Resource, lower string) string {
	switch {
	case s.Object.At("spec", "provider", "aws") != nil && s.Object.At("spec", "provider", "aws", "auth") == nil:
		return "In Git, name a service account with an IAM role in spec.provider.aws.auth.jwt.serviceAccountRef of the store, or give the operator's own service account a role (annotation eks.amazonaws.com/role-arn)"
	case message.HasAny(lower, "webidentity"):
		return "Check the IAM role of the service account that the store uses: its annotation eks.amazonaws.com/role-arn, and the role's trust policy"
	}
	return "Check where the store gets its cloud credentials from: its spec.provider auth, or the operator's service account"
}

// storeTrouble is what is wrong between the operator and the store, and what to do about it.
func storeTrouble(s *unhealthy.Resource, lower string) (what, fix string) {
	key := "the key"
	if keys := remoteKeys(s); len(keys) > 0 {
		key = "key " + strings.Join(keys, ", ")
	}
	switch {
	case message.HasAny(lower, "webidentity", "failed to refresh cached credentials", "nocredentialproviders", "no valid credential", "could not find default credentials", "failed to retrieve credentials", "defaultazurecredential"):
		return "no valid cloud credentials", cloudCredentials(s, lower)
	case message.HasAny(lower, "permission denied", "accessdenied", "access denied", "not authorized", "403", "forbidden", "unauthorized", "401", "invalid token", "expired"):
		return "the store denies access", "Fix the credentials or permissions that the store uses"
	case message.HasAny(lower, "secretstore", "store") && message.HasAny(lower, "not ready", "not found", "could not get provider client", "invalidproviderconfig", "unable to create client"):
		return "its store is not ready", "Fix the store first; its conditions say what it lacks"
	case missingProperty.MatchString(lower):
		return "key has no such property", "Add property " + missingProperty.FindStringSubmatch(lower)[1] + " to " + key + " in the store, or correct remoteRef.property in Git"
	case message.HasAny(lower, "does not exist", "not found", "cannot find", "key not found", "no secret", "resourcenotfound"):
		return "key not found in the store", "Create " + key + " in the store, or correct spec.data[].remoteRef in Git"
	case message.HasAny(lower, "no such host", "connection refused", "timeout", "deadline exceeded", "x509", "tls"):
		return "the store cannot be reached", "Make sure that the operator can reach the store and trusts its certificate"
	}
	if strings.HasSuffix(s.Ref.Kind, "Store") {
		return "", "Check the provider settings and the credentials of the store"
	}
	if strings.TrimSpace(lower) == "" {
		return "", "Check that " + key + " exists in the store and that the operator can read it"
	}
	return "the store returns no data", "Check that " + key + " exists in the store and that the operator can read it"
}
