package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

// What the author of a chart writes where a check finds no object of the cluster. The kinds are those that charts look up; whether a
// cluster has a CRD they ask Capabilities, which Argo CD fills.
const lookedUp = `(?:existing)?(secret|configmap|config map|namespace|service ?account|storage ?class|priority ?class|ingress ?class|persistentvolumeclaim|pvc|service|deployment|statefulset|clusterissuer|issuer)s?\b`

var (
	objectAbsent = pattern.MustCompile(`(?i)\b` + lookedUp + `(?:[^.]|\.\S)*?\b(?:(?:was |were |is |are |could |be |can)*not (?:be )?(?:found|exist|present)|does ?n[o']t exist|must (?:already )?exist|(?:has|have|needs?) to exist|should exist|must be (?:created|present))`)
	objectSought = pattern.MustCompile(`(?i)\b(?:(?:could not|cannot|can't|couldn't|unable to|failed to) (?:find|look ?up)|no such)(?: the| an?| existing| required)* ` + lookedUp)
	// ofValues is where a chart may miss something other than an object: its values, or a file of its own.
	ofValues = pattern.MustCompile(`(?i)\bvalues\b|\bfiles?\b|\.Files\b|\b(?:secret|configmap) ?key\b`)
	// objectName is the name of an object, where it cannot be a word of the sentence, and objectPlace its namespace.
	objectName  = pattern.MustCompile(`(?i)\b` + lookedUp + `[ :/]+(?:named |called )?(?:["'\x60]([a-z0-9][a-z0-9.-]*)["'\x60]|([a-z0-9]+(?:-[a-z0-9]+)+)\b)`)
	objectPlace = pattern.MustCompile(`(?i)\b(?:in|from)(?: the)? namespace:? ["'\x60]?([a-z0-9][a-z0-9-]*)`)
)

// objectKinds are kinds as Kubernetes writes them.
var objectKinds = map[string]string{
	"secret": "Secret", "configmap": "ConfigMap", "namespace": "Namespace", "serviceaccount": "ServiceAccount", "storageclass": "StorageClass", "priorityclass": "PriorityClass", "ingressclass": "IngressClass",
	"persistentvolumeclaim": "PersistentVolumeClaim", "pvc": "PersistentVolumeClaim", "service": "Service", "deployment": "Deployment", "statefulset": "StatefulSet", "clusterissuer": "ClusterIssuer", "issuer": "Issuer",
}

// looksUp makes the finding about a chart that refuses to render say that it refuses for lack of an object, which it cannot see in Argo CD
// whether it exists or not. It reports false where the chart's message is about something else.
func looksUp(r rendered, at, said string, out *diagnose.Finding) bool {
	m := objectAbsent.FindStringSubmatch(said)
	if m == nil {
		m = objectSought.FindStringSubmatch(said)
	}
	if m == nil || ofValues.MatchString(said) {
		return false
	}
	kind := kindNamed(m[1])
	out.Title = fmt.Sprintf("The chart finds no %s: lookup is empty in Argo CD", kind)
	out.Brief, out.Short, out.Whole = "", "Helm's lookup finds nothing in Argo CD", true
	out.Why += fmt.Sprintf(" A chart sees objects of the cluster only through lookup. Argo CD renders with helm template, which does not ask the cluster, so the chart does not find the %s even if it exists.", kind)
	out.Fix = []diagnose.Fix{
		{Text: "Turn the check off in " + valuesOf(r) + ", if the chart has a value for that (such as disableLookups), or set there what the chart would read from the " + kind + orTemplate(r, at, "remove the check from the template")},
		{Text: fmt.Sprintf("Creating the %s does not help the chart to render, but what it renders may need it: check that it exists", kind)},
	}
	if name := objectName.FindStringSubmatch(said); name != nil && kindNamed(name[1]) == kind {
		where := evidence.Ref{Namespace: r.in.App().Spec.Destination.Namespace}
		if in := objectPlace.FindStringSubmatch(said); in != nil {
			where.Namespace = in[1]
		}
		if statement.ClusterScoped(kind) {
			where.Namespace = ""
		}
		out.Fix[1].Command = diagnose.Shell("kubectl %sget %s %s", advice.InNamespace(where), strings.ToLower(kind), name[2]+name[3])
	}
	return true
}

// kindNamed is a kind as Kubernetes writes it.
func kindNamed(said string) string {
	return objectKinds[strings.ReplaceAll(strings.ToLower(said), " ", "")]
}
