package statement

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// OwnResource finds a resource of the application by the lower-case kind that messages use ("secret", "serviceaccount")
// and its name; nil when the application has none.
func OwnResource(in *diagnose.In, kind, name string) *evidence.ResourceStatus {
	for i := range in.App().Status.Resources {
		r := &in.App().Status.Resources[i]
		if r.Name == name && strings.EqualFold(r.Kind, strings.TrimSuffix(kind, "s")) || r.Name == name && strings.EqualFold(r.Kind, kind) {
			return r
		}
	}
	return nil
}
