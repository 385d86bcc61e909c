package health

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

// operatorTrouble is what an operator cannot do, for a title, and what helps. It goes by the errors that the libraries behind most
// operators share; without words where the error is the operator's own.
type operatorTrouble struct {
	what string
	fix  []diagnose.Fix
}

var (
	// unresolved is how Crossplane says that a reference of a managed resource leads nowhere: the field, and why.
	unresolved = regexp.MustCompile(`cannot resolve references: mg\.Spec\.(\w+)\.([\w.\[\]]+): (.*)`)
	// noConfig is how it says that the ProviderConfig of one does not exist.
	noConfig = regexp.MustCompile(`(?:cannot get|cannot track) (?:referenced )?(?:Cluster)?ProviderConfig.*?: (?:\S+ )?"([^"]+)" not found`)
	// deniedAction is how AWS names what is not permitted.
	deniedAction = regexp.MustCompile(`(?:not authorized to perform:?|permission) '?([a-z0-9-]+:[A-Za-z]+|[a-z]+\.[a-z.A-Z]+)'?`)
	// notReadyOther is how Flux and others name what an object waits for.
	notReadyOther = regexp.MustCompile(`(?:dependency|Source|source) '?(?:[A-Za-z]+/)?([\w./-]+)'? is not ready`)
	// unmanagedSecret is how Sealed Secrets says that a Secret of that name is somebody else's.
	unmanagedSecret = regexp.MustCompile(`Resource "([^"]+)" already exists and is not managed by SealedSecret`)
)

func troubleOf(s *unhealthy.Resource, said string) operatorTrouble {
	lower := strings.ToLower(said)
	if w := crossplaneTrouble(s, said); w.what != "" {
		return w
	}
	switch {
	case unmanagedSecret.MatchString(said):
		return operatorTrouble{"a Secret of that name exists already", []diagnose.Fix{{
			Text:    "Let the controller take over the existing Secret, which it then overwrites; or delete that Secret",
			Command: diagnose.Shell("kubectl %sannotate secret %s sealedsecrets.bitnami.com/managed=true", advice.InNamespace(s.Ref), unmanagedSecret.FindStringSubmatch(said)[1]),
		}}}
	case message.HasAny(lower, "no key could decrypt"):
		return operatorTrouble{"cannot be decrypted", []diagnose.Fix{
			{Text: fmt.Sprintf("Seal it again with this cluster's certificate (kubeseal), for exactly this name%s, and push; or restore the private key that it was sealed for", message.After(" and for namespace ", s.Ref.Namespace))},
			{Text: "List the keys that the controller has: after a new installation the old ones are missing", Command: "kubectl get secrets -A -l sealedsecrets.bitnami.com/sealed-secrets-key"},
		}}
	case s.Ref.Group == "keda.sh" && message.HasAny(lower, "trigger", "scaler"):
		return operatorTrouble{"its triggers do not work", advice.Steps("Correct spec.triggers in Git, or what the trigger reads from: its events name the trigger")}
	case s.Ref.Group == "keda.sh" && message.HasAny(lower, "scaletargetref"):
		return operatorTrouble{"its scaleTargetRef does not work", advice.Steps("Correct spec.scaleTargetRef in Git: the workload has to exist in this namespace")}
	case notReadyOther.MatchString(said):
		return operatorTrouble{"waits for " + notReadyOther.FindStringSubmatch(said)[1], advice.Steps("Look at what it waits for first: that is not ready itself")}
	case message.HasAny(lower, "webidentityerr", "failed to refresh cached credentials", "no valid credential", "nocredentialproviders", "could not find default credentials", "cannot get credentials", "invalidclienttokenid", "expiredtoken", "unable to sign request", "defaultazurecredential"):
		return operatorTrouble{"the operator has no valid credentials", advice.Steps("Correct the credentials that the operator uses for it: its Secret, or the cloud role of the operator's service account")}
	case message.HasAny(lower, "accessdenied", "access denied", "not authorized", "unauthorizedoperation", "authorizationfailed", "permission denied", "does not have permission", "forbidden"):
		right := "what it is denied"
		if m := deniedAction.FindStringSubmatch(said); m != nil {
			right = m[1]
		}
		return operatorTrouble{"access is denied", advice.Steps("Allow the account that the operator uses " + right)}
	case message.HasAny(lower, "quotaexceeded", "limitexceeded", "exceeded quota", "quota exceeded", "limit exceeded"):
		return operatorTrouble{"a quota is exhausted", advice.Steps("Raise that quota, or free what uses it")}
	case message.HasAny(lower, "already exists", "alreadyexists", "alreadyownedbyyou"):
		return operatorTrouble{"what it should create exists already", advice.Steps("Let it adopt what exists, as its operator documents, or choose another name in Git")}
	case message.HasAny(lower, "unsupported", "not supported", "is invalid", "invalid value", "validation failed", "unknown field"):
		return operatorTrouble{"its spec is rejected", advice.Steps("Correct in Git what the status names, then push")}
	case message.HasAny(lower, "does not exist", "notfound", "not found", "no such") && !message.CannotReach(said):
		return operatorTrouble{"something that it needs does not exist", advice.Steps("Create what the status says is missing, or correct the reference to it in Git")}
	case message.CannotReach(said):
		return operatorTrouble{"the operator cannot reach a server", advice.Steps("Check that the server which it names runs, and that the operator can reach it")}
	}
	return operatorTrouble{}
}

// crossplaneTrouble is what a managed resource of Crossplane says.
func crossplaneTrouble(s *unhealthy.Resource, said string) operatorTrouble {
	lower := strings.ToLower(said)
	m := unresolved.FindStringSubmatch(said)
	switch {
	case m != nil && strings.Contains(m[3], "no resources matched selector"):
		selector, labels := selectorFor(s, m[2])
		return operatorTrouble{"its " + selector + " matches nothing", advice.Steps(fmt.Sprintf("Create the object that it selects, or give it the labels%s; else correct the selector in spec.forProvider in Git", cmp.Or(message.After(" ", labels), " that it asks for")))}
	case m != nil && strings.Contains(m[3], "referenced field was empty"):
		return operatorTrouble{"what it refers to is not ready yet", advice.Steps("Look at the object that it refers to: it has no identifier yet")}
	case m != nil:
		return operatorTrouble{"a reference leads nowhere", advice.Steps("Create the object that it refers to, or correct the reference in Git")}
	case noConfig.MatchString(said):
		name := noConfig.FindStringSubmatch(said)[1]
		return operatorTrouble{"ProviderConfig " + name + " does not exist", advice.Steps(fmt.Sprintf("Create ProviderConfig %s, or correct spec.providerConfigRef in Git", name))}
	case message.HasAny(lower, "doesn't support update", "refuse to update the external resource", "requires replacing it", "cannot change the value of the argument"):
		return operatorTrouble{"its provider cannot apply a change", []diagnose.Fix{
			{Text: "In Git, set spec.forProvider to the values in status.atProvider where they differ. The provider cannot change them: for others, what it manages has to be deleted and created again"},
			{Text: "Compare both", Command: diagnose.Shell("kubectl %sget %s -o yaml", advice.InNamespace(s.Ref), s.Ref.Resource())},
		}}
	}
	return operatorTrouble{}
}

// selectorFor is the selector behind a field of a managed resource, with the labels that it asks for as far as the object shows them.
func selectorFor(s *unhealthy.Resource, field string) (name, labels string) {
	name = "selector for " + field
	params, _ := s.Object.At("spec", "forProvider").(map[string]any)
	stem := strings.TrimRight(strings.ToLower(field), "s")
	for _, key := range slices.Sorted(maps.Keys(params)) {
		if lower := strings.ToLower(key); !strings.HasPrefix(lower, stem) || !strings.HasSuffix(lower, "selector") {
			continue
		}
		name = key
		match, _ := s.Object.At("spec", "forProvider", key, "matchLabels").(map[string]any)
		var out []string
		for _, label := range slices.Sorted(maps.Keys(match)) {
			out = append(out, fmt.Sprintf("%s=%v", label, match[label]))
		}
		labels = strings.Join(out, ", ")
	}
	return name, labels
}

// underWay are the words of operators for work that is not done.
var underWay = regexp.MustCompile(`(?i)upgrad|applying|rolling|updating|creating|scaling|pending|provision|progress|reconcil|initiali[sz]|deploying|setting up|restoring|switchover|bootstrap|configuring|waiting|starting`)

// withTrouble adds what helps against what an operator says of a resource.
func withTrouble(s *unhealthy.Resource, c unhealthy.Complaint, f diagnose.Finding) diagnose.Finding {
	if c.Text == "" && !c.Firm && underWay.MatchString(c.Reason) {
		f.Why = text.Paragraph("Its operator is still working on it: the status names no error.", cmp.Or(calledDegraded(s), text.Sentence(message.After("It ", s.IsStill()))))
		step := fmt.Sprintf("Wait until its operator is done. If %s does not move on, read the operator's log", c.What)
		if s.Since > time.Hour {
			f.Why = text.Paragraph("Its status names no error.", cmp.Or(calledDegraded(s), text.Sentence("It "+s.IsStill())))
			step = fmt.Sprintf("Read the operator's log, and look at the pods that belong to it: %s has not moved on", c.What)
		}
		f.Fix = append(advice.Steps(step), f.Fix...)
		return f
	}
	w := troubleOf(s, c.Text)
	if w.what == "" {
		return f
	}
	f.Title, f.Whole = fmt.Sprintf("%s: %s", s.Ref, w.what), true
	if verb, _, _ := strings.Cut(w.what, " "); verb == "cannot" || verb == "waits" {
		f.Title = fmt.Sprintf("%s %s", s.Ref, w.what)
	}
	if strings.Contains(c.What, "=") {
		f.Why = text.Sentence("It reports " + c.What + inBrackets(c.Reason))
	}
	f.Fix = append(w.fix, f.Fix...)
	return f
}

// calledDegraded says that a state which passes is shown as a failure.
func calledDegraded(s *unhealthy.Resource) string {
	if s.Status != "Degraded" {
		return ""
	}
	return "Argo CD's health check calls this state Degraded."
}
