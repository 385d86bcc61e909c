package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

// operatorTrouble is what an operator cannot do, for a title, and what helps. It goes by the errors that the libraries behind most
// operators share; without words where the error is the operator's own.
type operatorTrouble struct {
	what string
	fix  []diagnose.Fix
	// vague: the operator's own words say more, where a title has room for them.
	vague bool
}

var (
	// deniedAction is how clouds name what is not permitted.
	deniedAction = pattern.MustCompile(`(?i)(?:not authorized to perform:?|perform action|permission) '?(Microsoft\.[A-Za-z./]+|[a-z0-9-]+:[A-Za-z]+|[a-z]+\.[a-z.A-Z]+)'?`)
	// notReadyOther is how Flux and others name what an object waits for.
	notReadyOther = pattern.MustCompile(`(?i)\b(dependency|source|HelmChart|GitRepository|HelmRepository|OCIRepository|Kustomization|HelmRelease) '?(?:[A-Za-z]+/)?([\w./-]+)'? is not ready`)
	// unmanagedSecret is how Sealed Secrets says that a Secret of that name is somebody else's.
	unmanagedSecret = pattern.MustCompile(`Resource "([^"]+)" already exists and is not managed by SealedSecret`)
	// noObject is how the API server says that an object does not exist.
	// managedByHPA is how KEDA names the autoscaler that has its workload already.
	managedByHPA = pattern.MustCompile(`already managed by the hpa '([^']+)'`)
	// failedRevision is how Knative names the revision whose container failed.
	failedRevision = pattern.MustCompile(`Revision "([^"]+)" failed with message: Container failed`)
	// helmFailed is how Flux says that Helm failed: the action, the namespace and name of the release, the chart, and the error.
	helmFailed = pattern.MustCompile(`Helm (install|upgrade|rollback|uninstall|test) failed for release ([\w.-]+)/([\w.-]+) with chart (\S+): (.*)`)
	noObject   = pattern.MustCompile(`\b([A-Za-z]+)((?:\.[a-z0-9.-]+)?) "([^"\s]+)" not found`)
)

func troubleOf(s *unhealthy.Resource, said, reason string) operatorTrouble {
	if w := crossplaneTrouble(s, said); w.what != "" {
		return w
	}
	if w := knownTrouble(s, said); w.what != "" {
		return w
	}
	return commonTrouble(said, reason)
}

// knownTrouble is what operators say in words of their own.
func knownTrouble(s *unhealthy.Resource, said string) operatorTrouble {
	lower := strings.ToLower(said)
	switch {
	case unmanagedSecret.MatchString(said):
		return operatorTrouble{what: "a Secret of that name exists already", fix: []diagnose.Fix{{
			Text:    "Let the controller take over the existing Secret, which it then overwrites; or delete that Secret",
			Command: diagnose.Shell("kubectl %sannotate secret %s sealedsecrets.bitnami.com/managed=true", advice.InNamespace(s.Ref), unmanagedSecret.FindStringSubmatch(said)[1]),
		}}}
	case message.HasAny(lower, "no key could decrypt"):
		return operatorTrouble{what: "cannot be decrypted", fix: []diagnose.Fix{
			{Text: fmt.Sprintf("Seal it again with this cluster's certificate (kubeseal), for exactly this name%s, and push; or restore the private key that it was sealed for", message.After(" and for namespace ", s.Ref.Namespace))},
			{Text: "List the keys that the controller has: after a new installation the old ones are missing", Command: "kubectl get secrets -A -l sealedsecrets.bitnami.com/sealed-secrets-key"},
		}}
	case s.Ref.Group == "keda.sh" && message.HasAny(lower, "scaletargetref"):
		return operatorTrouble{what: "its scaleTargetRef does not work", fix: advice.Steps("Correct spec.scaleTargetRef in Git: the workload has to exist in this namespace")}
	case s.Ref.Group == "keda.sh" && message.HasAny(lower, "trigger", "scaler"):
		return operatorTrouble{what: "its triggers do not work", fix: advice.Steps("Correct spec.triggers in Git, or what the trigger reads from. The events of the ScaledObject and the operator's log name the error")}
	case s.Ref.Group == "keda.sh" && managedByHPA.MatchString(said):
		return operatorTrouble{what: "another autoscaler scales its workload", fix: []diagnose.Fix{{
			Text:  "Remove that HorizontalPodAutoscaler from Git, or let the ScaledObject take it over",
			Patch: fmt.Sprintf("# on %s\nmetadata:\n  annotations:\n    scaledobject.keda.sh/transfer-hpa-ownership: \"true\"\nspec:\n  advanced:\n    horizontalPodAutoscalerConfig:\n      name: %s\n", s.Ref, managedByHPA.FindStringSubmatch(said)[1]),
		}}}
	case helmFailed.MatchString(said), s.Ref.Kind == "HelmRelease" && strings.Contains(lower, "retries exhausted"):
		return failedRelease(s, helmFailed.FindStringSubmatch(said))
	case s.Ref.Kind == "Workflow" && s.Ref.Group == "argoproj.io":
		return operatorTrouble{what: "a step failed", vague: true, fix: []diagnose.Fix{{Text: "Find the pod of the step that failed, and read its log", Command: diagnose.Shell("kubectl %sget pods -l workflows.argoproj.io/workflow=%s", advice.InNamespace(s.Ref), s.Ref.Name)}}}
	case s.Ref.Kind == "CustomResourceDefinition" && message.HasAny(lower, "already in use"):
		return operatorTrouble{what: "another one has the same names", fix: []diagnose.Fix{{Text: "Remove one of the two from Git, or rename it. Find the other one by its kind", Command: "kubectl get crds -o custom-columns=NAME:.metadata.name,KIND:.spec.names.kind"}}}
	case failedRevision.MatchString(said):
		return operatorTrouble{what: "its container fails", vague: true, fix: []diagnose.Fix{{Text: "Read the log of its container", Command: diagnose.Shell("kubectl %slogs -l serving.knative.dev/revision=%s -c user-container --tail=100", advice.InNamespace(s.Ref), failedRevision.FindStringSubmatch(said)[1])}}}
	case s.Ref.Group == "postgresql.cnpg.io" && message.HasAny(lower, "insufficient disk space", "not enough disk space"):
		return operatorTrouble{what: "not enough disk space", fix: advice.Steps("Raise spec.storage.size (or spec.walStorage.size) in Git; its storage class has to allow expansion. If the WAL fills the disk, fix the archiving first")}
	case s.Ref.Group == "pkg.crossplane.io" && message.HasAny(lower, "manifest unknown", "manifest_unknown", "failed to fetch package", "unauthorized", "denied"):
		return operatorTrouble{what: "its package cannot be fetched", fix: advice.Steps("Correct spec.package in Git: registry, name and version; a private registry needs spec.packagePullSecrets")}
	case notReadyOther.MatchString(said):
		m := notReadyOther.FindStringSubmatch(said)
		return operatorTrouble{what: "waits for " + m[2], fix: []diagnose.Fix{waitedFor(s, m[1], m[2])}}
	case strings.HasSuffix(s.Ref.Group, "k8s.elastic.co") && strings.ToLower(s.Object.Text("status", "health")) == "yellow":
		return operatorTrouble{what: "not all replica shards are assigned", fix: advice.Steps("Look at its pods first. If all of them run, it has fewer data nodes than its indices have copies: add a node, or lower number_of_replicas")}
	}
	return operatorTrouble{}
}

// failedRelease is the trouble of a HelmRelease of Flux. Helm waits until what it installs is ready; Flux gives up after its retries.
func failedRelease(s *unhealthy.Resource, m []string) operatorTrouble {
	w := operatorTrouble{what: "its Helm retries are exhausted"}
	namespace := cmp.Or(s.Object.Text("spec", "targetNamespace"), s.Ref.Namespace)
	pods := diagnose.Fix{Text: "Look at the pods of the release: Helm waits until they are ready", Command: diagnose.Shell("kubectl -n %s get pods", namespace)}
	if m != nil {
		w.what = fmt.Sprintf("its Helm %s failed", m[1])
		pods.Command = diagnose.Shell("kubectl -n %s get pods", m[2])
	}
	switch {
	case m == nil, message.HasAny(m[5], "context deadline exceeded", "timed out", "not ready"):
		w.fix = []diagnose.Fix{pods}
	default:
		w.vague = true
		w.fix = commonTrouble(m[5], "").fix
	}
	w.fix = append(w.fix, diagnose.Fix{Text: "After the fix, have Flux try again", Command: diagnose.Shell("flux reconcile helmrelease %s%s --reset", s.Ref.Name, advice.NamespaceFlag(s.Ref))})
	return w
}

// waitedFor is the step to what an object of Flux waits for.
func waitedFor(s *unhealthy.Resource, kind, name string) diagnose.Fix {
	fix := diagnose.Fix{Text: "Look at what it waits for first: that is not ready itself"}
	switch strings.ToLower(kind) {
	case "source":
		return fix
	case "dependency":
		kind = s.Ref.Kind
	}
	ref := s.Ref
	ref.Name = name
	if namespace, rest, ok := strings.Cut(name, "/"); ok {
		ref.Namespace, ref.Name = namespace, rest
	}
	fix.Command = diagnose.Shell("kubectl %sdescribe %s %s", advice.InNamespace(ref), strings.ToLower(kind), ref.Name)
	return fix
}

// commonTrouble is what the API server, clouds and networks answer to operators.
func commonTrouble(said, reason string) operatorTrouble {
	f := message.Parse(said)
	if refused, ok := f.Forbidden(); ok && refused.Verb != "" && refused.Resource != "" {
		right := fmt.Sprintf("%s %s", refused.Verb, advice.Dotted(refused.Resource, refused.Group))
		return operatorTrouble{what: "its operator may not " + right, fix: advice.Steps(fmt.Sprintf("Give %s the right to %s%s, in the operator's manifests or chart", refused.User, right, message.After(" in namespace ", refused.Namespace)))}
	}
	if m := noObject.FindStringSubmatch(said); m != nil {
		if w, ok := missingObject(m); ok {
			return w
		}
	}
	switch {
	case f.Has("unable to fetch image", "failed to resolve image", "failed to pull image", "manifest unknown", "manifest_unknown"):
		step := "Correct the image or its tag in Git, or push it to the registry"
		if f.Has("unauthorized", "denied", "forbidden") {
			step = "Give the service account of its pods an image pull secret for that registry, and check that the image exists"
		}
		return operatorTrouble{what: "its image cannot be pulled", fix: advice.Steps(step)}
	case f.Has("webidentityerr", "failed to refresh cached credentials", "no valid credential", "nocredentialproviders", "could not find default credentials", "cannot get credentials", "invalidclienttokenid", "expiredtoken", "unable to sign request", "defaultazurecredential", "unrecognizedclient", "invalid credentials", "bad credentials", "invalid_grant", "invalid_client"):
		return operatorTrouble{what: "the operator has no valid credentials", fix: advice.Steps("Correct the credentials that the operator uses for it: its Secret, or the cloud role of the operator's service account")}
	case f.Has("quotaexceeded", "limitexceeded", "exceeded quota", "quota exceeded", "limit exceeded", "exceeds quota", "insufficient quota"):
		return operatorTrouble{what: "a quota is exhausted", vague: true, fix: advice.Steps("Raise that quota, or free what uses it")}
	case f.Has("accessdenied", "access denied", "not authorized", "unauthorizedoperation", "authorizationfailed", "permission denied", "does not have permission", "status code: 403", "403 forbidden") || f.Mentions("accessdenied"):
		if m := deniedAction.FindStringSubmatch(said); m != nil {
			return operatorTrouble{what: "access is denied (" + m[1] + ")", fix: advice.Steps("Allow that to the account that the operator uses")}
		}
		return operatorTrouble{what: "access is denied", fix: advice.Steps("Allow the account that the operator uses what it is denied")}
	case f.Has("401 unauthorized", "status code: 401", "unauthorized"):
		return operatorTrouble{what: "the operator's login is refused", vague: true, fix: advice.Steps("Correct the credentials that it uses there")}
	case f.Has("denied the request"):
		return operatorTrouble{what: "an admission webhook denies it", vague: true, fix: advice.Steps("Change in Git what the webhook's message names, or the policy behind it")}
	case f.AuthRefused():
		return operatorTrouble{what: "the operator's login is refused", vague: true, fix: advice.Steps("Correct the credentials that it uses there")}
	case f.Has("already exists", "alreadyexists", "alreadyownedbyyou"):
		return operatorTrouble{what: "what it should create exists already", vague: true, fix: advice.Steps("Let it adopt what exists, as its operator documents, or choose another name in Git")}
	case f.Has("x509:", "certificate signed by unknown", "tls: failed"):
		return operatorTrouble{what: "the operator does not trust a server's certificate", vague: true, fix: advice.Steps("Give the operator the CA of that server, or renew the server's certificate if it has expired")}
	case message.CannotReach(said):
		return operatorTrouble{what: "the operator cannot reach a server", vague: true, fix: advice.Steps("Check that the server which it names runs, and that the operator can reach it")}
	case f.Has("unsupported", "not supported", "invalid", "not valid", "validation failed", "unknown field", "malformed", "must be one of", "must match", "must consist of", "must be less", "must be greater", "must be no more", "must not exceed", "cannot be changed", "immutable", "failed to parse", "cannot parse"):
		return rejectedSpec
	case message.HasAny(strings.ToLower(reason), "invalidresource", "invalidspec", "invalidconfig", "notsupported", "unsupported", "validationfail", "validationerror"):
		return rejectedSpec
	case f.Has("does not exist", "notfound", "not found", "no such"):
		return operatorTrouble{what: "something that it needs does not exist", vague: true, fix: advice.Steps("Create what this says is missing, or correct the reference to it in Git")}
	}
	return operatorTrouble{}
}

// rejectedSpec is the trouble of an object whose operator does not accept what it asks for.
var rejectedSpec = operatorTrouble{what: "its spec is rejected", vague: true, fix: advice.Steps("Correct in Git the field or value that this names")}

// missingObject is the trouble of an object that refers to one which does not exist: its plural or kind, its group and its name.
func missingObject(m []string) (w operatorTrouble, ok bool) {
	kind := cmp.Or(kindOfPlural[strings.ToLower(m[1])], text.UpperFirst(m[1]))
	if m[2] == "" && kindOfPlural[strings.ToLower(m[1])] == "" { // not an object of Kubernetes
		return operatorTrouble{}, false
	}
	name := kind + "/" + m[3]
	return operatorTrouble{what: name + " does not exist", fix: []diagnose.Fix{
		{Text: fmt.Sprintf("Create %s where this looks for it, or correct the reference to it in Git", name)},
		{Text: "Check whether it exists in another namespace", Command: diagnose.Shell("kubectl get %s -A --field-selector metadata.name=%s", strings.ToLower(m[1])+m[2], m[3])},
	}}, true
}

// kindOfPlural are the kinds behind the names that the API server uses.
var kindOfPlural = map[string]string{
	"secrets": "Secret", "configmaps": "ConfigMap", "services": "Service", "serviceaccounts": "ServiceAccount", "persistentvolumeclaims": "PersistentVolumeClaim",
	"deployments": "Deployment", "statefulsets": "StatefulSet", "namespaces": "Namespace", "storageclasses": "StorageClass", "nodes": "Node", "pods": "Pod", "issuers": "Issuer",
	"clusterissuers": "ClusterIssuer", "endpoints": "Endpoints", "customresourcedefinitions": "CustomResourceDefinition",
	"secret": "Secret", "configmap": "ConfigMap", "service": "Service",
}
