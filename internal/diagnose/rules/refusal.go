package rules

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// refusalNeeds is what a rule about a refusal of the API server may ask for: pods are created by controllers, so the
// refusal of a pod stands in the events of its ReplicaSet or Job and not in the sync.
var refusalNeeds = []evidence.Kind{evidence.KindTree, evidence.KindEvents}

// refused is a check of what the API server refused: tasks of the sync, the dry run of a server-side diff, Argo CD's
// answer to a request, and pods that a controller may not create.
func refused(match func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool)) func(*diagnose.In) diagnose.Outcome {
	return func(in *diagnose.In) diagnose.Outcome {
		var found []diagnose.Finding
		all := in.Statements()
		for i := range all {
			if !isRefusal(&all[i]) {
				continue
			}
			s := all[i]
			s.Resource = resolve(in, subject(&s))
			if f, ok := match(in, &s); ok {
				found = append(found, f.On(&s))
			}
		}
		pods, known := podRefusals(in)
		for i := range pods {
			if f, ok := match(in, &pods[i]); ok {
				found = append(found, f.On(&pods[i]))
			}
		}
		if len(found) == 0 && !known {
			return diagnose.Unknown
		}
		return diagnose.Found(found...)
	}
}

// resolve completes a reference read from a text by what Argo CD lists for it: a command must not run in whatever
// namespace happens to be current.
func resolve(in *diagnose.In, ref evidence.Ref) evidence.Ref {
	if r := in.App().Resource(ref); r != nil {
		return r.Ref()
	}
	if ref.Kind != "" && ref.Namespace == "" && !clusterScoped(ref.Kind) {
		ref.Namespace = in.App().Spec.Destination.Namespace
	}
	return ref
}

// clusterScoped are the built-in kinds without a namespace that are commonly deployed.
func clusterScoped(kind string) bool {
	switch kind {
	case "Namespace", "ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "PersistentVolume", "StorageClass", "PriorityClass",
		"IngressClass", "RuntimeClass", "APIService", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "ValidatingAdmissionPolicy", "ClusterPolicy":
		return true
	}
	return false
}

// isRefusal: the statement may carry a refusal of the API server.
func isRefusal(s *diagnose.Statement) bool {
	if s.Failure.DryRun || s.Refusal && s.Failure.Stage == message.StageNone {
		return true
	}
	if s.Result != nil && s.Result.Status == evidence.ResultSynced {
		return false // it was applied, and became unhealthy while a wave waited for it
	}
	if s.Hook() && !saidByAPIServer(&s.Failure) || s.Condition == "DeletionError" {
		return false // the hook's own words: a container's message, a log line
	}
	switch s.Failure.Stage {
	case message.StageApply, message.StagePrune, message.StageNone:
		return true
	case message.StageLive:
		return s.Failure.Has("is not managed") // Argo CD is restricted to namespaces, and this is none of them
	case message.StageSpec, message.StageRender, message.StageCompare:
	}
	return false
}

// saidByAPIServer reports whether a text has the form of the API server's answers: what a container says about itself may
// use the same words.
func saidByAPIServer(f *message.Failure) bool {
	return f.Has(" is invalid: ", "is forbidden: ", "error when ", "admission webhook", "failed calling webhook", "object is being deleted", "no matches for kind",
		"could not find the requested resource", "crd is installed", "the object has been modified", "the server was unable", "the server could not", "the server is currently") ||
		objectFirst.MatchString(f.Cause)
}

// objectFirst: `jobs.batch "migrate" already exists`; not `relation "users" already exists`, which a database says.
var objectFirst = regexp.MustCompile(`^(?:[a-z]+\.[a-z0-9.\-]+|pods|configmaps|secrets|services|serviceaccounts|persistentvolumeclaims|namespaces) "[^"]+" (?:already exists|not found)$`)

// maxControllers is how many controllers' events are read: the same refusal hits all pods of an application.
const maxControllers = 3

// podRefusals are the pods that the API server did not let a controller create. They are looked for only when nothing
// that Argo CD says explains why the application is not healthy. known is false while the evidence is not there.
func podRefusals(in *diagnose.In) (out []diagnose.Statement, known bool) {
	return diagnose.Once(in, "pod refusals", func() ([]diagnose.Statement, bool) { return lookForPodRefusals(in) })
}

func lookForPodRefusals(in *diagnose.In) (out []diagnose.Statement, known bool) {
	app := in.App()
	health := app.Status.Health.Status
	if explained(in) || health != "Progressing" && health != "Degraded" && !app.Status.OperationState.Running() {
		return nil, true
	}
	tree, ok := diagnose.Get(in, evidence.FactTree)
	if !ok {
		return nil, false
	}
	if podTells(in, tree) {
		return nil, true
	}
	known = true
	for i, node := range idleControllers(in, tree) {
		events, ok := diagnose.Get(in, evidence.FactEvents(evidence.ObjectQuery{Ref: node.Ref(), UID: node.UID}))
		known = known && ok
		owner := rootOf(tree.Find, &node)
		if e := lastOf(events, "FailedCreate"); e != nil {
			out = append(out, diagnose.Derive(i, eventName(e), createRefusal(e), owner))
		} else if c := replicaFailure(in, owner); c != "" && !in.Waiting() {
			out = append(out, diagnose.Derive(i, "condition ReplicaFailure of "+owner.String(), c, owner))
			known = true
		}
	}
	return out, known
}

// createRefusal is what the API server answered to a controller that would create a pod.
func createRefusal(e *evidence.Event) string {
	text := strings.TrimPrefix(strings.TrimPrefix(e.Message, "(combined from similar events): "), "Error creating: ")
	if _, after, cut := strings.Cut(text, " failed error: "); cut { // a StatefulSet's form
		return after
	}
	return text
}

// replicaFailure is what a Deployment says about pods that could not be created, where its object was read anyway.
func replicaFailure(in *diagnose.In, ref evidence.Ref) string {
	o, ok := diagnose.Peek(in, evidence.FactObject(evidence.ObjectQuery{Ref: ref}))
	if c := o.Condition("ReplicaFailure"); ok && c.Text("status") == "True" && strings.Contains(c.Text("message"), " ") {
		return c.Text("message")
	}
	return ""
}

// explained reports whether Argo CD itself says why the application is not healthy: a task of the sync failed, or there is
// a condition. That a running operation waits for something explains nothing yet.
func explained(in *diagnose.In) bool {
	all := in.Statements()
	for i := range all {
		if s := &all[i]; s.From != "operation" || s.Failure.Stage != message.StageNone || !in.App().Status.OperationState.Running() {
			return true
		}
	}
	return false
}

// podTells reports whether a pod is in trouble in an application that is not syncing: then the calls are spent on it.
func podTells(in *diagnose.In, tree *evidence.Tree) bool {
	if !looksSick(in) {
		return false
	}
	p := whoIsSick(in, tree)
	return len(p.list) > 0 && p.list[0].pod != nil
}

// withoutPods are the controllers that lack pods: they have none, or say that some are missing while those that are there
// are well.
func withoutPods(tree *evidence.Tree) []evidence.Node {
	var out []evidence.Node
	owners := podOwners(tree, func(n *evidence.Node) bool { return true })
	troubled := podOwners(tree, func(n *evidence.Node) bool { return n.HealthStatus() != "Healthy" })
	for _, n := range tree.Nodes {
		switch n.Kind {
		case "ReplicaSet", "StatefulSet", "DaemonSet", "Job":
		default:
			continue
		}
		switch n.HealthStatus() {
		case "Healthy", "Suspended", "Missing":
			continue
		}
		lacks := !owners[n.Ref()] || n.Kind != "Job" && n.HealthStatus() != "" && !troubled[n.Ref()] // a Job under way has its pods
		if lacks && len(out) < maxControllers {
			out = append(out, n)
		}
	}
	return out
}

// podOwners are the objects that own such a pod, directly or through others.
func podOwners(tree *evidence.Tree, which func(*evidence.Node) bool) map[evidence.Ref]bool {
	parents := map[evidence.Ref][]evidence.Parent{}
	for _, n := range tree.Nodes {
		parents[n.Ref()] = n.ParentRefs
	}
	owners := map[evidence.Ref]bool{}
	var climb func(evidence.Ref)
	climb = func(ref evidence.Ref) {
		for _, p := range parents[ref] {
			owner := p.Ref()
			if !owners[owner] { // also ends a cycle
				owners[owner] = true
				climb(owner)
			}
		}
	}
	for i := range tree.Nodes {
		if n := &tree.Nodes[i]; n.Kind == "Pod" && which(n) {
			climb(n.Ref())
		}
	}
	return owners
}

func lastOf(events []evidence.Event, reason string) *evidence.Event {
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Reason == reason {
			return &events[i]
		}
	}
	return nil
}

// subject is what a refusal is about: the resource of the task, else the object its text names.
func subject(s *diagnose.Statement) evidence.Ref {
	if !s.Resource.IsZero() {
		return s.Resource
	}
	if kind, name, ok := strings.Cut(s.Failure.Subject, "/"); ok {
		return evidence.Ref{Kind: kind, Name: name}
	}
	if v, ok := s.Failure.Invalid(); ok {
		return evidence.Ref{Group: v.Group, Kind: v.Kind, Name: v.Name}
	}
	return evidence.Ref{}
}

// called is the subject for a sentence.
func called(s *diagnose.Statement) string { return cmp.Or(subject(s).String(), "a resource") }

// words is the refusal in one sentence.
func words(s *diagnose.Statement) string { return sentence(s.Failure.Line(2 * clause)) }

// namespaceOf is the namespace a resource goes to.
func namespaceOf(in *diagnose.In, s *diagnose.Statement) string {
	return cmp.Or(subject(s).Namespace, in.App().Spec.Destination.Namespace)
}

// inNamespace is the flag for kubectl; empty for a cluster-scoped resource.
func inNamespace(ref evidence.Ref) diagnose.Raw {
	if ref.Namespace == "" {
		return ""
	}
	return diagnose.Raw(diagnose.Shell("-n %s ", ref.Namespace))
}

// namespaceFlag is the same flag behind the name, for plugins, which take none in front.
func namespaceFlag(ref evidence.Ref) diagnose.Raw {
	if ref.Namespace == "" {
		return ""
	}
	return diagnose.Raw(diagnose.Shell(" -n %s", ref.Namespace))
}

// drySync is the command that asks the API server again without changing anything.
func drySync(in *diagnose.In) diagnose.Fix {
	return diagnose.Fix{Text: "When it is fixed, ask the API server without changing anything", Command: diagnose.Shell("argocd app sync %s --dry-run", appName(in))}
}

// seeFinalizer is the step that shows what holds a deletion.
func seeFinalizer(ref evidence.Ref) diagnose.Fix {
	return diagnose.Fix{Text: "See which finalizer holds it", Command: diagnose.Shell("kubectl %sget %s -o jsonpath='{.metadata.deletionTimestamp} {.metadata.finalizers}'", inNamespace(ref), ref.Resource())}
}
