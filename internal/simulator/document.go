package simulator

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	corev1 "k8s.io/api/core/v1"

	"github.com/argo-why/argo-why/internal/evidence"
)

// document is a case file in the types of the API. A section that is absent is one that the server does not have. Once parsed
// it is only read: many applications share it.
type document struct {
	Application  *v1alpha1.Application                          `json:"application"`
	Tree         *v1alpha1.ApplicationTree                      `json:"resourceTree"`
	Managed      *applicationpkg.ManagedResourcesResponse       `json:"managedResources"`
	Resources    []json.RawMessage                              `json:"resources"`
	Events       []corev1.Event                                 `json:"events"`
	Logs         []Log                                          `json:"logs"`
	Project      *v1alpha1.AppProject                           `json:"project"`
	Windows      *applicationpkg.ApplicationSyncWindowsResponse `json:"syncWindows"`
	Repositories v1alpha1.Repositories                          `json:"repositories"`
	APIError     string                                         `json:"apiError"`

	manifests []string
	rendered  bool
	whole     bool // what is missing is made up: see fill
}

// parse reads a case file.
func (s *Server) parse(text []byte) (*document, error) {
	if s.recent {
		text = recent(text, s.now())
	}
	d := &document{}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("simulated Argo CD: read case: %w", err)
	}
	if d.Application == nil {
		return nil, errNoSubject
	}
	d.Windows = complete(d.Windows)
	d.whole = s.whole
	d.sayComparedTo()
	d.fill()
	return d, nil
}

// sayComparedTo notes that the state is that of the spec as it is, where a case has left out of which one: Argo CD always says it.
func (d *document) sayComparedTo() {
	sync := &d.Application.Status.Sync
	if !reflect.DeepEqual(*sync, v1alpha1.SyncStatus{}) && reflect.DeepEqual(sync.ComparedTo, v1alpha1.ComparedTo{}) {
		sync.ComparedTo = comparedTo(&d.Application.Spec)
	}
}

// comparedTo is what Argo CD notes of a spec that it compares.
func comparedTo(spec *v1alpha1.ApplicationSpec) v1alpha1.ComparedTo {
	out := v1alpha1.ComparedTo{Destination: spec.Destination, Sources: spec.Sources, IgnoreDifferences: spec.IgnoreDifferences}
	if !spec.HasMultipleSources() {
		out.Source = spec.GetSource()
	}
	return out
}

func (d *document) name() Name { return Name{d.Application.Namespace, d.Application.Name} }

// as is the application of the case under a name.
func (d *document) as(name Name) *application {
	deployed := commit{revision: revisionOf(&d.Application.Status.Sync), result: d}
	app := &application{Name: name, document: d, git: git{compared: deployed, ran: deployed}}
	if name != d.name() {
		app.recordedAs = &d.Application.ObjectMeta
	}
	return app
}

// children are the Applications among the recorded objects: an Argo CD that has an app of apps has its children, too.
func (d *document) children() []*document {
	var out []*document
	for _, raw := range d.Resources {
		app := &v1alpha1.Application{}
		if json.Unmarshal(raw, app) == nil && app.Kind == "Application" && groupOf(app.APIVersion) == "argoproj.io" {
			child := &document{Application: app, Windows: complete(nil), whole: d.whole}
			child.sayComparedTo()
			child.fill()
			out = append(out, child)
		}
	}
	return out
}

// live is the recorded live object: by value, or the live side of a managed resource.
func (d *document) live(group, kind, namespace, name string) (manifest string, found bool) {
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
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return group
}

// node finds an object in the tree; Argo CD looks nowhere else.
func (d *document) node(match func(v1alpha1.ResourceNode) bool) *v1alpha1.ResourceNode {
	if d.Tree == nil {
		return nil
	}
	for _, list := range [][]v1alpha1.ResourceNode{d.Tree.Nodes, d.Tree.OrphanedNodes} {
		for i := range list {
			if list[i].UID != "" && match(list[i]) {
				return &list[i]
			}
		}
	}
	return nil
}

// remove deletes objects and what they own.
func (d *document) remove(refs ...evidence.Ref) {
	if d.Tree == nil || len(refs) == 0 {
		return
	}
	gone := map[evidence.Ref]bool{}
	for _, ref := range refs {
		gone[ref] = true
	}
	for before := 0; before != len(gone); {
		before = len(gone)
		for _, n := range d.Tree.Nodes {
			if slices.ContainsFunc(n.ParentRefs, func(p v1alpha1.ResourceRef) bool { return gone[refOf(p)] }) {
				gone[refOf(n.ResourceRef)] = true
			}
		}
	}
	tree := *d.Tree
	tree.Nodes = slices.DeleteFunc(slices.Clone(tree.Nodes), func(n v1alpha1.ResourceNode) bool { return gone[refOf(n.ResourceRef)] })
	d.Tree = &tree
	d.Resources = slices.DeleteFunc(slices.Clone(d.Resources), func(raw json.RawMessage) bool {
		o, err := evidence.DecodeObject(raw)
		return err == nil && gone[o.Ref()]
	})
}

// replace puts another live object in place of the recorded one.
func (d *document) replace(ref evidence.Ref, live []byte) {
	resources := slices.Clone(d.Resources)
	for i, raw := range resources {
		if o, err := evidence.DecodeObject(raw); err == nil && o.Ref() == ref {
			resources[i] = live
			d.Resources = resources
		}
	}
}

func refOf(r v1alpha1.ResourceRef) evidence.Ref {
	return evidence.Ref{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

func refOfStatus(r *v1alpha1.ResourceStatus) evidence.Ref {
	return evidence.Ref{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// complete fills in the fields of sync windows that protobuf requires and JSON leaves out.
func complete(w *applicationpkg.ApplicationSyncWindowsResponse) *applicationpkg.ApplicationSyncWindowsResponse {
	yes, no, none := true, false, ""
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
