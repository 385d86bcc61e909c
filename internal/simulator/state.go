package simulator

import (
	"slices"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"

	"github.com/argo-why/argo-why/internal/evidence"
)

// State is what Argo CD's list of applications shows of one, in its words.
type State struct {
	Name    Name
	Project string
	// Sync and Health are "OutOfSync", "Degraded" and so on; "" where Argo CD has none yet.
	Sync, Health string
	// Operation is the phase of the last or current one: "Running", "Failed"; "" where there was none. Message is what it says.
	Operation, Message string
	// Running: an operation is requested or under way.
	Running bool
	// Revision is what was compared last; of several sources that of the first.
	Revision string
	// Pushed is the commit that Git has and Argo CD has not seen; "": none. The revision that was compared stands for a cause
	// outside of Git that is gone: see [Commit].
	Pushed string
	// FailedJobs are the Jobs of hooks that failed and that the next sync stumbles over, until somebody deletes them.
	FailedJobs []evidence.Ref
}

// States are all applications, in the order in which they came.
func (s *Server) States() []State {
	all := s.all()
	out := make([]State, len(all))
	for i, app := range all {
		out[i] = app.state()
	}
	return out
}

// State is that of one application.
func (s *Server) State(name Name) (State, error) {
	app, err := s.application(name)
	if err != nil {
		return State{}, err
	}
	return app.state(), nil
}

func (a *application) state() State {
	status := &a.Application.Status
	out := State{
		Name: a.Name, Project: a.Application.Spec.GetProject(), Sync: string(status.Sync.Status), Health: string(status.Health.Status),
		Running: a.Application.Operation != nil, Revision: revisionOf(&status.Sync), FailedJobs: a.failedJobs(),
	}
	if o := status.OperationState; o != nil {
		out.Operation, out.Message, out.Running = string(o.Phase), o.Message, out.Running || !o.Phase.Completed()
	}
	if a.git.head != nil {
		out.Pushed = a.git.head.revision
	}
	return out
}

func (a *application) failedJobs() []evidence.Ref {
	results, found := a.hookInTheWay(false)
	if !found {
		return nil
	}
	var out []evidence.Ref
	for _, r := range results {
		if isFailedJob(&r) && a.node(func(n v1alpha1.ResourceNode) bool { return refOf(n.ResourceRef) == r.Ref() }) != nil {
			out = append(out, r.Ref())
		}
	}
	return slices.Clip(out)
}

// Changed is closed with the next change of any application, or of what is in Git for it. Ask for it before reading States,
// so that no change goes unseen.
func (s *Server) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.moved == nil {
		s.moved = make(chan struct{})
	}
	return s.moved
}

// signal tells whoever waits for a change. With s.mu held.
func (s *Server) signal() {
	if s.moved != nil {
		close(s.moved)
		s.moved = nil
	}
}
