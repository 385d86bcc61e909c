package argotest

import (
	"encoding/json"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	corev1 "k8s.io/api/core/v1"
)

// document is a case file in the types of the API. A section that is absent is one that the server does not have.
type document struct {
	Application  *v1alpha1.Application                          `json:"application"`
	Tree         *v1alpha1.ApplicationTree                      `json:"resourceTree"`
	Managed      *applicationpkg.ManagedResourcesResponse       `json:"managedResources"`
	Resources    []json.RawMessage                              `json:"resources"`
	Events       []corev1.Event                                 `json:"events"`
	Logs         []podLog                                       `json:"logs"`
	Project      *v1alpha1.AppProject                           `json:"project"`
	Windows      *applicationpkg.ApplicationSyncWindowsResponse `json:"syncWindows"`
	Repositories v1alpha1.Repositories                          `json:"repositories"`
}

type podLog struct {
	Namespace, Pod, Container string
	Previous                  bool
	Text                      string
}

// children are the Applications among the recorded objects: an Argo CD that has an app of apps has its children, too.
func (d *document) children() []*document {
	var out []*document
	for _, raw := range d.Resources {
		app := &v1alpha1.Application{}
		if json.Unmarshal(raw, app) == nil && app.Kind == "Application" && groupOf(app.APIVersion) == "argoproj.io" {
			out = append(out, &document{Application: app})
		}
	}
	return out
}

// object is the recorded live object: by value, or the live side of a managed resource.
func (d *document) object(group, kind, namespace, name string) (manifest string, found bool) {
	for _, raw := range d.Resources {
		var o struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Metadata   struct{ Name, Namespace string }
		}
		if json.Unmarshal(raw, &o) == nil && o.Kind == kind && o.Metadata.Name == name && o.Metadata.Namespace == namespace && groupOf(o.APIVersion) == group {
			return string(raw), true
		}
	}
	if d.Managed == nil {
		return "", false
	}
	for _, r := range d.Managed.Items {
		if r.Group == group && r.Kind == kind && r.Namespace == namespace && r.Name == name {
			return r.LiveState, r.LiveState != "" && r.LiveState != "null"
		}
	}
	return "", false
}

func groupOf(apiVersion string) string {
	for i := range apiVersion {
		if apiVersion[i] == '/' {
			return apiVersion[:i]
		}
	}
	return ""
}

// windows are the recorded windows with the fields that protobuf requires and JSON leaves out.
func (d *document) windows() *applicationpkg.ApplicationSyncWindowsResponse {
	yes, no, none := true, false, ""
	w := d.Windows
	if w == nil {
		w = &applicationpkg.ApplicationSyncWindowsResponse{}
	}
	if w.CanSync == nil {
		w.CanSync = &yes
	}
	for _, list := range [][]*applicationpkg.ApplicationSyncWindow{w.ActiveWindows, w.AssignedWindows} {
		for _, one := range list {
			if one.ManualSync == nil {
				one.ManualSync = &no
			}
			for _, text := range []**string{&one.Kind, &one.Schedule, &one.Duration} {
				if *text == nil {
					*text = &none
				}
			}
		}
	}
	return w
}
