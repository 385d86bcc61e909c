package simulator

import (
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Details are what Argo CD's page of one application shows, beyond its line in the list.
type Details struct {
	State
	Repository, Path, Target string
	// Started and Finished are of the last or current operation; zero where there was none, or it has not ended.
	Started, Finished time.Time
	// By is who asked for that operation.
	By         string
	Conditions []Condition
	Resources  []Resource
	// Results are the tasks of that operation.
	Results []evidence.ResourceResult
}

// Condition is what Argo CD complains of: "ComparisonError" and its text.
type Condition struct{ Type, Message string }

// Resource is one that the application manages, in Argo CD's words; "" where it has none.
type Resource struct {
	Ref                   evidence.Ref
	Sync, Health, Message string
	// Prune: it is no longer in Git, and only a sync that prunes deletes it.
	Prune bool
}

// Details are those of one application.
func (s *Server) Details(name Name) (Details, error) {
	app, err := s.application(name)
	if err != nil {
		return Details{}, err
	}
	object := app.Application
	source := object.Spec.GetSource()
	out := Details{State: app.state(), Repository: source.RepoURL, Path: source.Path, Target: source.TargetRevision}
	if out.Path == "" {
		out.Path = source.Chart
	}
	for _, c := range object.Status.Conditions {
		out.Conditions = append(out.Conditions, Condition{c.Type, c.Message})
	}
	for _, r := range object.Status.Resources {
		one := Resource{Ref: refOfStatus(&r), Sync: string(r.Status), Prune: r.RequiresPruning && !r.Hook}
		if r.Health != nil {
			one.Health, one.Message = string(r.Health.Status), r.Health.Message
		}
		out.Resources = append(out.Resources, one)
	}
	if o := object.Status.OperationState; o != nil {
		out.Started, out.By, out.Results = o.StartedAt.Time, o.Operation.InitiatedBy.Username, tasks(o)
		if o.FinishedAt != nil {
			out.Finished = o.FinishedAt.Time
		}
		if o.Operation.InitiatedBy.Automated {
			out.By = "automated sync policy"
		}
	}
	return out, nil
}
