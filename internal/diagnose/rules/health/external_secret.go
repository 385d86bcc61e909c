package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var ExternalSecret = &diagnose.Rule{
	ID:      "health/external-secret",
	Needs:   needs,
	Outside: []evidence.Outside{evidence.OutsideSecretStore, evidence.OutsideClusterSecretStore, evidence.OutsideEvent},
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
	Check: reporting(func(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		reason, said, from := operatorSays(s)
		if said == "" && !s.Overdue() {
			return diagnose.Finding{}, false
		}
		what, fix := storeTrouble(s, said, reason)
		cause := diagnose.Quote{From: from, Text: cmp.Or(strings.Trim(reason+": "+said, ": "), "health "+s.Status)}
		if store := s.Refers; what == storeNotReady && store != nil { // it knows why
			if why, its, whose := operatorSays(store); its != "" {
				said, cause = its, diagnose.Quote{From: whose, Text: strings.Trim(why+": "+its, ": ")}
				of, step := storeTrouble(store, its, why)
				what, fix = cmp.Or(of, what), cmp.Or(step, fix)
			}
		}
		if deniedAction.MatchString(said) {
			fix = "Grant that permission to the account that the store uses"
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != ""),
			Title:      s.Ref.String() + cmp.Or(message.After(": ", what), " is not ready"),
			Says:       says("The operator says", vaultErrors.ReplaceAllString(said, ": ")),
			Evidence:   []diagnose.Quote{cause},
			Fix:        []diagnose.Fix{{Text: fix}, s.Describe("Show its conditions and events")},
			Whole:      what != "" && strings.Contains(what, "/"),
		}
		if steps := advice.Grant(said); steps != nil && !deniedAction.MatchString(said) {
			f.Fix = append(steps, f.Fix[1:]...)
		}
		if fix == "" {
			look := "Show its conditions and events"
			if !strings.Contains(said, ": ") { // only the step that failed
				look = "Look for the provider's answer in its events: its conditions leave it out"
			}
			f.Fix = append([]diagnose.Fix{s.Describe(look)}, advice.OperatorSteps(s.Ref, false)...)
		}
		if store := s.Object.Text("spec", "secretStoreRef", "name"); store != "" {
			kind := cmp.Or(s.Object.Text("spec", "secretStoreRef", "kind"), "SecretStore")
			f.Why = fmt.Sprintf("It reads%s from %s/%s and should write Secret/%s.", message.After(" key ", strings.Join(remoteKeys(s), ", ")), kind, store, cmp.Or(s.Object.Text("spec", "target", "name"), s.Ref.Name))
			flags := advice.InNamespace(s.Ref)
			if kind == "ClusterSecretStore" {
				flags = ""
			}
			f.Fix = append(f.Fix, diagnose.Fix{Text: "Check whether its store is ready", Command: diagnose.Shell("kubectl %sdescribe %s %s", flags, strings.ToLower(kind), store)})
			if what == badStrategy { // the store has answered
				f.Fix = f.Fix[:len(f.Fix)-1]
			}
		}
		if m := noObject.FindStringSubmatch(said); m != nil && fix != "" {
			by := s
			if !strings.Contains(strings.ToLower(m[1]), "store") && s.Refers != nil { // what the store itself needs
				by = s.Refers
			}
			missing := evidence.Ref{Group: strings.TrimPrefix(m[2], "."), Kind: strings.TrimSuffix(m[1], "s"), Namespace: by.Ref.Namespace, Name: m[3]}
			if from := fromNamespace.FindStringSubmatch(said); from != nil {
				missing.Namespace = from[1]
			}
			f.Fix[0] = orMisnamed(in, by, &f, missing, f.Fix[0])
		}
		f.Why = text.Paragraph(f.Why, emptyClause(cmp.Or(s.Object.Condition("Ready").Text("message"), s.Text)))
		if lasts := unhealthy.Lasting(" for ", failingFor(in, s)); lasts != "" {
			f.Why = text.Paragraph(f.Why, fmt.Sprintf("It has been failing%s.", lasts))
		}
		return f, true
	}),
}

// storeNotReady is what is wrong with an ExternalSecret that gets nothing because its store is not ready.
const storeNotReady = "its store is not ready"

// operatorSays is the most telling text of the operator about a resource, with its reason, and where that was read.
func operatorSays(s *unhealthy.Resource) (reason, said, from string) {
	said, from = s.Text, s.Ref.String()
	if c := s.Object.Condition("Ready"); c.Text("status") == "False" {
		reason, said = c.Text("reason"), cmp.Or(c.Text("message"), said)
	}
	if len(s.Text) > len(said) { // Argo CD shows what a health check read, which may be more than the condition that is read now
		said = s.Text
	}
	if e := pods.LastWarning(s.Events); e != nil && len(e.Message) > len(said) { // the condition often leaves the provider's answer out
		reason, said, from = e.Reason, e.Message, pods.EventName(e)
	}
	return reason, strings.TrimRight(text.OneLine(said), ": "), from
}

// vaultErrors is what Vault puts between the step that failed and the error.
var vaultErrors = pattern.MustCompile(`[. ]*Code: \d+\. Errors:(?: \* \d+ errors? occurred:)? \* `)

// namedKey is how the operator says which key it could not read.
var namedKey = pattern.MustCompile(`\(key: ([^,)]+)`)

// missingProperty is how the operator says that a key of the store lacks one of its fields.
var missingProperty = pattern.MustCompile(`(?i)(?:key|property) (\S+) does not exist in (?:secret|key)`)

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

// storeTrouble is what is wrong between the operator and the store, and what to do about it; without words where that is not said.
func storeTrouble(s *unhealthy.Resource, said, reason string) (what, fix string) {
	key := "the key"
	if m := namedKey.FindStringSubmatch(said); m != nil {
		key = "key " + m[1]
	} else if keys := remoteKeys(s); len(keys) > 0 {
		key = "key " + strings.Join(keys, ", ")
	}
	f := message.Parse(said)
	isStore := strings.HasSuffix(s.Ref.Kind, "Store")
	if what, fix := missingForStore(said); what != "" {
		return what, fix
	}
	switch {
	case f.Has("webidentity", "failed to refresh cached credentials", "nocredentialproviders", "no valid credential", "could not find default credentials", "failed to retrieve credentials", "defaultazurecredential"):
		return "no valid cloud credentials", cloudCredentials(s, f.Lower())
	case f.Has("permission denied", "accessdenied", "access denied", "not authorized", "forbidden", "unauthorized", "invalid token", "expiredtoken", "token expired", "token is expired", "invalid credentials", "permission_denied", "permissiondenied", "unauthenticated"), refusedCode.MatchString(said):
		return "the store denies access", "Fix the credentials or permissions that the store uses"
	case f.Network() == message.NetworkTLS:
		return "the operator does not trust the store's certificate", "Give the store the CA of its server (caBundle or caProvider), or renew the server's certificate if it has expired"
	case message.CannotReach(said), f.Has("deadline exceeded"):
		return "the store cannot be reached", "Make sure that the operator can reach the store: its address in spec.provider, DNS, and network policies"
	case !isStore && (f.Has("could not get provider client", "unable to create client", "is not ready") || reason == "InvalidProviderConfig" || reason == "InvalidStoreRef"):
		return storeNotReady, "Fix the store first; its conditions say what it lacks"
	case isStore:
		return "", "Check the provider settings and the credentials of the store"
	case missingProperty.MatchString(said):
		return "key has no such property", "Add property " + missingProperty.FindStringSubmatch(said)[1] + " to " + key + " in the store, or correct remoteRef.property in Git"
	case f.Has("does not exist", "not found", "cannot find", "no secret", "resourcenotfound", "secretnotfound", "code = notfound", "nosuchkey"):
		return "key not found in the store", "Create " + key + " in the store, or correct spec.data[].remoteRef in Git"
	case strategyRefused.MatchString(said):
		m := strategyRefused.FindStringSubmatch(said)
		return badStrategy, fmt.Sprintf("In Git, set %sStrategy to a value that the operator knows (%s); where Git sets none, the CRD that fills in the default is probably of another version than the operator: bring both to the same", m[1], strategies[m[1]])
	case said == "":
		return "", "Check that " + key + " exists in the store and that the operator can read it"
	}
	return "", ""
}

// badStrategy is what is wrong where the operator has the value and cannot turn it into the Secret.
const badStrategy = "a strategy is not supported"

// strategyRefused is how the operator refuses a value of decodingStrategy or conversionStrategy, strategies are the ones that it knows.
var (
	strategyRefused = pattern.MustCompile(`(decoding|conversion) strategy \S* ?is not supported`)
	strategies      = map[string]string{"decoding": "None, Base64, Base64URL or Auto", "conversion": "Default or Unicode"}
)

// refusedCode is a status of HTTP or Vault by which the caller is refused.
var refusedCode = pattern.MustCompile(`(?i)(?:code:?|status:?|http) *40[13]\b|\b40[13] (?:forbidden|unauthorized)`)

// fromNamespace is where the operator looks for what a store needs.
var fromNamespace = pattern.MustCompile(`from namespace "([^"]+)"`)

// missingForStore is what does not exist in the cluster: the store that an ExternalSecret names, or the Secret in which a store's
// credentials should be.
func missingForStore(said string) (what, fix string) {
	m := noObject.FindStringSubmatch(said)
	if m == nil {
		return "", ""
	}
	switch kind := strings.ToLower(m[1]); {
	case strings.Contains(kind, "secretstore"):
		return "its store " + m[3] + " does not exist", "Create the store, or correct secretStoreRef in Git: its name, and its kind (SecretStore or ClusterSecretStore)"
	case kind == "secrets" || kind == "secret":
		return "Secret/" + m[3] + " is missing", "Create Secret/" + m[3] + ", or correct the reference to it in Git. Where a store names it for its credentials, it belongs into the namespace that the store gives there"
	case kind == "serviceaccounts" || kind == "serviceaccount":
		return "ServiceAccount/" + m[3] + " is missing", "Create ServiceAccount/" + m[3] + ", or correct serviceAccountRef of the store in Git"
	}
	return "", ""
}
