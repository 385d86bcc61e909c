package evidence

import (
	"encoding/json"
	"fmt"

	"github.com/argo-why/argo-why/internal/foreign"
)

// Object is a live Kubernetes object by value, as the API server returned it.
type Object map[string]any

// DecodeObject reads one object. The text "null" (Argo CD's word for "not in the cluster") and "" give nil.
func DecodeObject(text []byte) (Object, error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	var o Object
	if err := foreign.Field.JSON(text, &o); err != nil {
		return nil, fmt.Errorf("decode object: %w", err)
	}
	return o, nil
}

// At walks down maps by key; nil when something on the way is missing or no map.
func (o Object) At(path ...string) any {
	var at any = map[string]any(o)
	for _, key := range path {
		m, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = m[key]
	}
	return at
}

// Text is the string at a path, or "".
func (o Object) Text(path ...string) string {
	s, _ := o.At(path...).(string)
	return s
}

// Number is the number at a path; ok is false where there is none.
func (o Object) Number(path ...string) (n float64, ok bool) {
	n, ok = o.At(path...).(float64)
	return n, ok
}

// Texts are the members of the list at a path as texts.
func (o Object) Texts(path ...string) []string {
	list, _ := o.At(path...).([]any)
	var out []string
	for _, v := range list {
		out = append(out, fmt.Sprint(v))
	}
	return out
}

// List is the list of objects at a path; members that are no objects are left out.
func (o Object) List(path ...string) []Object {
	list, _ := o.At(path...).([]any)
	out := make([]Object, 0, len(list))
	for _, v := range list {
		if m, ok := v.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// Time is the moment at a path, or the zero moment.
func (o Object) Time(path ...string) Time {
	var t Time
	if b, err := json.Marshal(o.Text(path...)); err == nil {
		_ = t.UnmarshalJSON(b) // never fails: see Time
	}
	return t
}

// Ref names the object.
func (o Object) Ref() Ref {
	return Ref{Group: groupOf(o.Text("apiVersion")), Kind: o.Text("kind"), Namespace: o.Text("metadata", "namespace"), Name: o.Text("metadata", "name")}
}

// Annotation is metadata.annotations[key], or "".
func (o Object) Annotation(key string) string { return o.Text("metadata", "annotations", key) }

// Condition is the entry of status.conditions with that type, or nil.
func (o Object) Condition(kind string) Object {
	for _, c := range o.List("status", "conditions") {
		if c.Text("type") == kind {
			return c
		}
	}
	return nil
}

// OwnedBy reports whether the object has an owner reference of that kind and name.
func (o Object) OwnedBy(kind, name string) bool {
	for _, r := range o.List("metadata", "ownerReferences") {
		if r.Text("kind") == kind && r.Text("name") == name {
			return true
		}
	}
	return false
}

// Application is the object as an Application, which it must be.
func (o Object) Application() (*Application, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("read %s as an application: %w", o.Ref(), err)
	}
	app := &Application{}
	if err := foreign.Application.JSON(text, app); err != nil {
		return nil, fmt.Errorf("read %s as an application: %w", o.Ref(), err)
	}
	return app, nil
}

// IsAutoscaler reports whether a kind of object changes the replicas or the resource requests of others.
func IsAutoscaler(r Ref) bool {
	switch r.Kind {
	case "HorizontalPodAutoscaler":
		return r.Group == "autoscaling" || r.Group == ""
	case "ScaledObject":
		return r.Group == "keda.sh" || r.Group == ""
	case "VerticalPodAutoscaler":
		return r.Group == "autoscaling.k8s.io" || r.Group == ""
	}
	return false
}

func groupOf(apiVersion string) string {
	for i := len(apiVersion) - 1; i >= 0; i-- {
		if apiVersion[i] == '/' {
			return apiVersion[:i]
		}
	}
	return ""
}
