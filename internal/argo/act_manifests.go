package argo

import (
	"context"
	"fmt"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Manifests renders the desired state of a revision, including hooks, in the order in which the tool gives it. There is one revision
// for each source; none means what the target revision is now. Argo CD answers from its cache where it has rendered that commit
// before. Values of Secrets are masked.
func (a *App) Manifests(ctx context.Context, revisions ...string) ([]evidence.Object, error) {
	q := &applicationpkg.ApplicationManifestQuery{Name: &a.name, AppNamespace: given(a.namespace), Project: given(a.project)}
	switch len(revisions) {
	case 0:
	case 1:
		q.Revision = &revisions[0]
	default:
		q.Revisions, q.SourcePositions = revisions, positions(len(revisions))
	}
	operation := "render the manifests of application " + a.Name()
	answer, err := a.client.applications.GetManifests(ctx, q)
	if err != nil {
		return nil, a.failed(ctx, operation, RightHardRefresh, err)
	}
	var objects []evidence.Object
	for _, text := range answer.Manifests {
		o, err := evidence.DecodeObject([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", operation, err)
		}
		if o != nil {
			objects = append(objects, masked(o))
		}
	}
	return objects, nil
}

// masked hides the values of a Secret, whatever Argo CD has hidden itself.
func masked(o evidence.Object) evidence.Object {
	if ref := o.Ref(); ref.Kind != "Secret" || ref.Group != "" {
		return o
	}
	for _, field := range []string{"data", "stringData"} {
		values, _ := o[field].(map[string]any)
		for key := range values {
			values[key] = "++++++++"
		}
	}
	return o
}
