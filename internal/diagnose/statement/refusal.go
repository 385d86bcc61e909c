package statement

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// RefusalNeeds is what a rule about a refusal of the API server may ask for: pods are created by controllers, so the
// refusal of a pod is in the events of its ReplicaSet or Job and not in the sync.
var RefusalNeeds = []evidence.Kind{evidence.KindTree, evidence.KindEvents}

// Refused is a check of what the API server refused: tasks of the sync, the dry run of a server-side diff, Argo CD's
// answer to a request, and pods that a controller cannot create.
func Refused(match func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool)) func(*diagnose.In) diagnose.Outcome {
	return func(in *diagnose.In) diagnose.Outcome {
		var found []diagnose.Finding
		all := in.Statements()
		for i := range all {
			if !IsRefusal(&all[i]) {
				continue
			}
			s := all[i]
			s.Resource = Resolve(in, Subject(&s))
			if f, ok := match(in, &s); ok {
				found = append(found, f.On(&s))
			}
		}
		derived, known := PodRefusals(in)
		for i := range derived {
			if f, ok := match(in, &derived[i]); ok {
				found = append(found, f.On(&derived[i]))
			}
		}
		if len(found) == 0 && !known {
			return diagnose.Unknown
		}
		return diagnose.Found(found...)
	}
}

// Resolve completes a reference read from a text by what Argo CD lists for it: a command must not run in whatever
// namespace happens to be current.
func Resolve(in *diagnose.In, ref evidence.Ref) evidence.Ref {
	if r := in.Resource(ref); r != nil {
		return r.Ref()
	}
	if ref.Kind != "" && ref.Namespace == "" && !ClusterScoped(ref.Kind) {
		ref.Namespace = in.App().Spec.Destination.Namespace
	}
	return ref
}

// clusterScoped are the kinds without a namespace that are commonly deployed.
var clusterScoped = []string{
	"Namespace", "ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "PersistentVolume", "StorageClass", "PriorityClass", "IngressClass", "RuntimeClass", "APIService",
	"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "CSIDriver", "FlowSchema", "PriorityLevelConfiguration", "VolumeSnapshotClass", "VolumeAttributesClass",
	"ClusterPolicy", "ClusterIssuer", "ClusterSecretStore", "ClusterExternalSecret", "ClusterTriggerAuthentication", "ClusterWorkflowTemplate", "ClusterTrustBundle", "GatewayClass", "NodePool", "EC2NodeClass", "NodeClass", "ConstraintTemplate",
	"PodSecurityPolicy", "SecurityContextConstraints", "ClusterNetworkPolicy", "CiliumClusterwideNetworkPolicy", "GlobalNetworkPolicy", "Node", "CompositeResourceDefinition",
}

// ClusterScoped reports whether a kind is one of those without a namespace that are commonly deployed.
func ClusterScoped(kind string) bool { return slices.Contains(clusterScoped, kind) }

// NotRemoved is how Argo CD says that the API server did not let it take its finalizer from a hook: in the result of the hook's task, or
// in an event of the application.
const NotRemoved = "ailed to remove hook finalizer: "

// IsRefusal reports whether the statement may carry a refusal of the API server.
func IsRefusal(s *diagnose.Statement) bool {
	if s.Failure.DryRun || s.Refusal && s.Failure.Stage == message.StageNone {
		return true
	}
	if s.Result != nil && s.Result.Status == evidence.ResultSynced {
		return false // it was applied, and became unhealthy while a wave waited for it
	}
	if s.Hook() && strings.Contains(s.Failure.Text, NotRemoved) {
		return false // what was refused is how Argo CD lets go of the hook, not the hook
	}
	if s.Hook() && !SaidByAPIServer(&s.Failure) || s.Condition == "DeletionError" {
		return false // the hook's own words: a container's message, a log line
	}
	switch s.Failure.Stage {
	case message.StageApply, message.StagePrune, message.StageNone:
		return true
	case message.StageLive:
		return s.Failure.Has("is not managed", "in namespaced mode") // Argo CD is restricted to namespaces, and this is none of them
	case message.StageSpec, message.StageRender, message.StageCompare:
	}
	return false
}

// Subject is what a refusal is about: the resource of the task, else the object its text names.
func Subject(s *diagnose.Statement) evidence.Ref {
	if !s.Resource.IsZero() {
		return s.Resource
	}
	if kind, name, ok := strings.Cut(s.Failure.Subject, "/"); ok {
		return evidence.Ref{Kind: kind, Name: name}
	}
	if v, ok := s.Failure.Invalid(); ok {
		return evidence.Ref{Group: v.Group, Kind: v.Kind, Name: v.Name}
	}
	if m := blocked.FindStringSubmatch(text.OneLine(s.Failure.Text)); m != nil {
		return evidence.Ref{Kind: m[1], Namespace: m[2], Name: m[3]}
	}
	return evidence.Ref{}
}

// blocked is the object in the words of a policy engine: "resource Deployment/shop/web was blocked due to the following policies".
var blocked = pattern.MustCompile(`resource ([A-Z][A-Za-z0-9]*)/(?:([a-z0-9.-]*)/)?([a-z0-9.-]+) was blocked`)

// Name is the subject of the refusal, for the middle of a sentence.
func Name(s *diagnose.Statement) string { return cmp.Or(Subject(s).String(), Unnamed) }

// Unnamed is what the subject of a refusal that names none is called.
const Unnamed = "a resource"

// Words is the refusal in one sentence.
func Words(s *diagnose.Statement) string { return text.Sentence(Reason(s)) }

// Says quotes the refusal. Its reason goes without the object's name, which the title has.
func Says(s *diagnose.Statement) diagnose.Said {
	return diagnose.Said{Who: "The API server says", Text: Reason(s)}
}

// refused is how the API server begins: `pods "web-1" is forbidden: `, `Service "web" is invalid: `.
var refused = pattern.MustCompile(`^"?[A-Za-z0-9.\-]*"? ?(?:"[^"]*" )?is (?:forbidden|invalid): `)

// asides are what the API server adds for programmers and for the next attempt, behind the reason.
var asides = []string{" (e.g. '", ", (e.g. ", " (e.g. ''", ", bigger context ", "; please apply your changes to the latest version", " Please retry"}

// Reason is why the API server refuses the object: without the object's name, and without asides.
func Reason(s *diagnose.Statement) string {
	reason := text.OneLine(s.Failure.Core())
	head := refused.FindString(reason)
	reason = reason[len(head):]
	if list, ok := strings.CutPrefix(reason, "["); ok && head != "" && !strings.HasPrefix(list, "]") { // of several; "[]" is the whole object
		reason = strings.TrimSuffix(list, "]")
	}
	return Clause(reason)
}

// dumps are values that the API server prints as it keeps them in memory: of a percentage or a number it is the value that
// matters, of a whole structure nothing.
var (
	intOrString = pattern.MustCompile(`intstr\.IntOrString\{Type:1, IntVal:0, StrVal:("[^"]*")\}`)
	structure   = pattern.MustCompile(`Invalid value: (?:map\[string\]string|(?:\[\])?[a-z][A-Za-z0-9]*\.[A-Za-z0-9]+)\{.*\}: `)
	trailing    = pattern.MustCompile(`:? &?(?:core|apps|batch|v1|networking|storage)\.[A-Z][A-Za-z]+\{.*$`)
)

// Clause is a reason without asides and dumps; of a very long one, its end.
func Clause(reason string) string {
	reason = trailing.ReplaceAllString(structure.ReplaceAllString(intOrString.ReplaceAllString(reason, "$1"), ""), "")
	for _, aside := range asides {
		reason, _, _ = strings.Cut(reason, aside)
	}
	if len(reason) > 2*message.MaxClause {
		reason = message.LastClause(reason)
	}
	return strings.TrimRight(reason, " .,;:")
}

// Namespace is the namespace a resource goes to.
func Namespace(in *diagnose.In, s *diagnose.Statement) string {
	return cmp.Or(Subject(s).Namespace, in.App().Spec.Destination.Namespace)
}
