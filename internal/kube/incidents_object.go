package kube

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// The labels of an incident, for `kubectl get incidents -l`. As metadata they are written once, with the object; what
// changes (phase, rule) can be selected as a field.
const (
	labelApp       = "argo-why.dev/app"
	labelNamespace = "argo-why.dev/app-namespace"
	labelInstance  = "argo-why.dev/instance"
	// labelOutage marks, instead of these, an incident that had several applications from the first.
	labelOutage = "argo-why.dev/outage"
)

// newObject says what the incident is about as it begins: for people, and once and for all.
func newObject(i *incident.Incident) *unstructured.Unstructured {
	o := emptyObject(incidentKind, i.ID)
	spec, labels := map[string]any{"rule": i.Cause.Rule}, map[string]string{}
	if i.Cause.Group != "" {
		spec["group"] = i.Cause.Group
	}
	if len(i.Members) > 0 {
		app := i.Members[0].App
		spec["app"] = map[string]any{"instance": app.Instance, "namespace": app.Namespace, "name": app.Name}
		labels = labelsOf(app)
	}
	if len(i.Members) > 1 {
		labels = map[string]string{labelOutage: "true"}
	}
	o.Object["spec"] = spec
	o.SetLabels(labels)
	return o
}

func labelsOf(app incident.App) map[string]string {
	return map[string]string{labelApp: labelValue(app.Name), labelNamespace: labelValue(app.Namespace), labelInstance: labelValue(app.Instance)}
}

var notInLabels = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// labelValue is the text itself wherever Kubernetes takes it; else what fits of it, and a digest that distinguishes equal beginnings
// apart.
func labelValue(text string) string {
	if len(validation.IsValidLabelValue(text)) == 0 {
		return text
	}
	const digestSize = 4 // bytes
	digest := sha256.Sum256([]byte(text))
	text = notInLabels.ReplaceAllString(text, "-")
	text = text[:min(len(text), validation.LabelValueMaxLength-2*digestSize-1)]
	return strings.TrimLeft(text+"-", "-_.") + hex.EncodeToString(digest[:digestSize])
}

// errNoStatus: the object is no entry yet, see [Journal].
var errNoStatus = errors.New("the incident has no status")

// decodeStatus is the status of an object, with the members that it contains itself.
func decodeStatus(o *unstructured.Unstructured) (*status, error) {
	if o.Object["status"] == nil {
		return nil, errNoStatus
	}
	raw, err := json.Marshal(o.Object["status"])
	var s status
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if err == nil {
		err = s.unpack()
	}
	if err != nil || s.Incident == nil {
		return nil, damagedIncident(o, err)
	}
	s.ID, s.Version, s.Size = o.GetName(), o.GetResourceVersion(), len(raw)+partsSize(s.Parts)
	return &s, nil
}

func damagedIncident(o *unstructured.Unstructured, err error) error {
	return &Error{
		Problem: Failed, what: sanitize.Sprintf("%s is damaged (%s)", o.GetName(), damage(err)), Err: err,
		todo: sanitize.Sprintf("delete it: kubectl -n %s delete incident %s", o.GetNamespace(), o.GetName()),
	}
}

// salvage is what can be read of a damaged entry. Where it does not name its applications, there is the one that it began with.
func salvage(o *unstructured.Unstructured) *incident.Incident {
	raw, err := json.Marshal(o.Object["status"])
	if err != nil {
		return &incident.Incident{}
	}
	i := incident.Salvage(raw)
	if len(i.Members) > 0 {
		return i
	}
	app := func(field string) string {
		text, _, _ := unstructured.NestedString(o.Object, "spec", "app", field) // "" where it is not there, or no text
		return text
	}
	if first := (incident.App{Instance: app("instance"), Namespace: app("namespace"), Name: app("name")}); first.Name != "" {
		i.Members = []incident.Member{{App: first, Since: i.Since}}
	}
	return i
}
