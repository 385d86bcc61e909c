package argo

import (
	"cmp"
	"fmt"
	"time"
	"unique"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/argoproj/gitops-engine/pkg/health"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/argo-why/argo-why/internal/evidence"
)

// AppState shows whether an application is worth a diagnosis. It is not evidence: to know why, read the
// application.
type AppState struct {
	Namespace, Name, Project string
	// Cluster is the name of what it is deployed to, or else the address. Labels are its own: "app=web,team=shop".
	Cluster, Labels string
	// Repositories are those that it is made of, as [RepositoryKey] has them, separated by spaces.
	Repositories string
	// Sync and Health are Argo CD's own words ("OutOfSync", "Degraded"); empty before its first look.
	Sync, Health string
	// Phase is that of the last operation ("Running", "Failed"); empty when there was none, as are its times.
	Phase                 string
	StartedAt, FinishedAt time.Time
	// Conditions are the types of the conditions, in Argo CD's order ("ComparisonError").
	Conditions []string
	// Requested: an operation was asked for and has not begun. Unhydrated: the source hydrator failed or hangs.
	Requested, Unhydrated bool
	// DeletedAt is when its deletion was asked for.
	DeletedAt time.Time
	// Partial: the list that it comes from shows neither conditions nor the hydrator, and there is no Digest.
	Partial bool
	// Digest is equal as long as nothing changed that a diagnosis could depend on: see [watchedFields].
	Digest uint64
	// Wanted is equal as long as the spec and the commits are the same; 0 where there is no Digest.
	Wanted uint64
	// outline is the same for what every list shows.
	outline uint64
}

// Well reports that there is nothing to explain: synced and healthy, no operation failed, under way or requested, the hydrator
// works, no conditions, and nobody deletes it. What is not well need not be a failure: a rollout takes its time. Of a partial state it
// is what the list shows.
func (s *AppState) Well() bool {
	return s.Sync == string(v1alpha1.SyncStatusCodeSynced) && s.Health == string(health.HealthStatusHealthy) &&
		(s.Phase == "" || s.Phase == evidence.OperationSucceeded) && !s.Requested && !s.Unhydrated && len(s.Conditions) == 0 && s.DeletedAt.IsZero()
}

// hydrationTakes is how long the source hydrator may be at work: it starts again every few minutes, which is not worth reporting.
const hydrationTakes = 5 * time.Minute

// stateOf takes what is needed of an application, whole or with fields left out.
func stateOf(app *v1alpha1.Application) (AppState, error) {
	s := AppState{
		Namespace: shared(app.Namespace), Name: app.Name, Project: shared(app.Spec.Project),
		Cluster: shared(cmp.Or(app.Spec.Destination.Name, app.Spec.Destination.Server)), Labels: labels.Set(app.Labels).String(),
		Repositories: repositoriesOf(&app.Spec),
		Sync:         shared(string(app.Status.Sync.Status)), Health: shared(string(app.Status.Health.Status)),
	}
	if at := app.DeletionTimestamp; at != nil {
		s.DeletedAt = at.Time
	}
	if op := app.Status.OperationState; op != nil {
		s.Phase, s.StartedAt = shared(string(op.Phase)), op.StartedAt.Time
		if op.FinishedAt != nil {
			s.FinishedAt = op.FinishedAt.Time
		}
	}
	s.Requested = app.Operation != nil && s.Phase != evidence.OperationRunning && s.Phase != evidence.OperationTerminating
	if op := app.Status.SourceHydrator.CurrentOperation; op != nil {
		s.Unhydrated = op.Phase == v1alpha1.HydrateOperationPhaseFailed ||
			op.Phase == v1alpha1.HydrateOperationPhaseHydrating && time.Since(op.StartedAt.Time) > hydrationTakes
	}
	for i := range app.Status.Conditions {
		s.Conditions = append(s.Conditions, shared(app.Status.Conditions[i].Type))
	}
	s.outline = s.outlined()
	var err error
	if s.Digest, s.Wanted, err = digests(app); err != nil {
		return AppState{}, fmt.Errorf("state of application %s/%s: %w", app.Namespace, app.Name, err)
	}
	return s, nil
}

// shared is the one copy of a text that many applications have in common, such as a project: thousands of states are kept.
func shared(text string) string { return unique.Make(text).Value() }
