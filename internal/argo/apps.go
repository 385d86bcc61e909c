package argo

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/argoproj/gitops-engine/pkg/health"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/argo-why/argo-why/internal/evidence"
)

// AppState shows whether an application is worth a diagnosis. It is not evidence: to know why, read the
// application.
type AppState struct {
	Namespace, Name, Project string
	// Cluster is the name of what it is deployed to, or else the address. Labels are its own: "app=web,team=shop".
	Cluster, Labels string
	// Sync and Health are Argo CD's own words ("OutOfSync", "Degraded"); empty before its first look.
	Sync, Health string
	// Phase is that of the last operation ("Running", "Failed"); empty when there was none, as are its times.
	Phase                 string
	StartedAt, FinishedAt time.Time
	// Conditions are the types of the conditions, in Argo CD's order ("ComparisonError").
	Conditions []string
	// ResourceVersion changes with each write of the application, also with those that say nothing new.
	ResourceVersion string
	// Requested: an operation was asked for and has not begun. Unhydrated: the source hydrator failed or hangs.
	Requested, Unhydrated bool
	// ReconciledAt is when Argo CD last compared the application; DeletedAt when its deletion was asked for.
	ReconciledAt, DeletedAt time.Time
	// Digest is equal as long as nothing changed but times, versions, annotations and the health of single resources. The
	// latter is not counted because Argo CD leaves it out of lists from 3.0 on; the health of the whole is.
	Digest uint64
}

// Well reports that there is nothing to explain: synced and healthy, no operation failed, under way or requested, the hydrator
// works, no conditions, and nobody deletes it. What is not well need not be a failure: a rollout takes its time.
func (s *AppState) Well() bool {
	return s.Sync == string(v1alpha1.SyncStatusCodeSynced) && s.Health == string(health.HealthStatusHealthy) &&
		(s.Phase == "" || s.Phase == evidence.OperationSucceeded) && !s.Requested && !s.Unhydrated && len(s.Conditions) == 0 && s.DeletedAt.IsZero()
}

// hydrationTakes is how long the source hydrator may be at work: it starts again every few minutes, which is not worth reporting.
const hydrationTakes = 5 * time.Minute

// List reads the state of all applications that the account may see, sorted by namespace and name. It is one request, and
// a heavy one: over gRPC Argo CD sends the applications as a whole (about 20 KB each; only its HTTP API can leave fields
// out), and more than 100 MB in one answer, about 5,000 applications, end in an error.
func (c *Client) List(ctx context.Context) ([]AppState, error) {
	list, err := c.applications.List(ctx, &applicationpkg.ApplicationQuery{})
	if err != nil {
		return nil, c.fail(ctx, "list applications", err)
	}
	states := make([]AppState, len(list.Items))
	for i := range list.Items {
		if states[i], err = stateOf(&list.Items[i]); err != nil {
			return nil, fmt.Errorf("list applications: %w", err)
		}
	}
	slices.SortFunc(states, func(a, b AppState) int {
		return strings.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name)
	})
	return states, nil
}

// stateOf takes what is needed and releases the rest. It empties what the digest does not count.
func stateOf(app *v1alpha1.Application) (AppState, error) {
	s := AppState{
		Namespace: app.Namespace, Name: app.Name, Project: app.Spec.Project,
		Cluster: cmp.Or(app.Spec.Destination.Name, app.Spec.Destination.Server), Labels: labels.Set(app.Labels).String(),
		Sync: string(app.Status.Sync.Status), Health: string(app.Status.Health.Status),
		ResourceVersion: app.ResourceVersion,
	}
	if at := app.Status.ReconciledAt; at != nil {
		s.ReconciledAt = at.Time
	}
	if at := app.DeletionTimestamp; at != nil {
		s.DeletedAt = at.Time
	}
	if op := app.Status.OperationState; op != nil {
		s.Phase, s.StartedAt = string(op.Phase), op.StartedAt.Time
		if op.FinishedAt != nil {
			s.FinishedAt = op.FinishedAt.Time
		}
	}
	s.Requested = app.Operation != nil && s.Phase != evidence.OperationRunning && s.Phase != evidence.OperationTerminating
	if op := app.Status.SourceHydrator.CurrentOperation; op != nil {
		s.Unhydrated = op.Phase == v1alpha1.HydrateOperationPhaseFailed ||
			op.Phase == v1alpha1.HydrateOperationPhaseHydrating && time.Since(op.StartedAt.Time) > hydrationTakes
		op.StartedAt, op.FinishedAt = metav1.Time{}, nil
	}
	for i := range app.Status.Conditions {
		s.Conditions = append(s.Conditions, app.Status.Conditions[i].Type)
		app.Status.Conditions[i].LastTransitionTime = nil
	}
	for i := range app.Status.Resources {
		app.Status.Resources[i].Health = nil
	}
	app.Status.ReconciledAt, app.Status.ObservedAt, app.Status.Health.LastTransitionTime = nil, nil, nil
	raw, err := json.Marshal([]any{app.Labels, app.Spec, app.Status, app.Operation, app.DeletionTimestamp})
	if err != nil {
		return AppState{}, fmt.Errorf("state of application %s/%s: %w", app.Namespace, app.Name, err)
	}
	digest := fnv.New64a()
	_, _ = digest.Write(raw) // a hash takes everything
	s.Digest = digest.Sum64()
	return s, nil
}
