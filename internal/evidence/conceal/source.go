package conceal

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Applications knows which other applications a reader may see.
type Applications interface {
	// Hidden reports whether an application is not to be named. listed is false where none is known by that name: a word of a text is only
	// a word then. namespace is "" where it is not said.
	Hidden(namespace, name string) (hidden, listed bool)
	// HiddenProject is the same for a project.
	HiddenProject(name string) (hidden, listed bool)
}

// Source is the evidence about an application without the others that its reader may not see. It is for one diagnosis.
type Source struct {
	evidence.Source
	apps Applications
	self evidence.Ref

	mu sync.Mutex
	// numbers tell apart those that are not named, by namespace and name.
	numbers map[string]int
	// names are those of children, of which nothing else in the application has the name, and messages what was said of them.
	names    map[string]string
	messages quoted
	// own are words that the application has for what is its own, and project is the one that it is in.
	own     map[string]bool
	project string
}

// New makes a Source. namespace is that of the application itself.
func New(s evidence.Source, namespace, name string, apps Applications) *Source {
	self := evidence.Ref{Group: "argoproj.io", Kind: "Application", Namespace: namespace, Name: name}
	return &Source{Source: s, apps: apps, self: self, numbers: map[string]int{}, names: map[string]string{}, own: map[string]bool{}}
}

// notice stands for what was said of an application that the reader may not see.
const notice = "not shown: the application is private"

// errPrivate: nothing is read of it.
func errPrivate(ref evidence.Ref) error {
	return fmt.Errorf("read %s: %s: %w", ref.Kind, notice, evidence.ErrAbsent)
}

// hides reports whether a reference is to an application, or a project, that the reader may not see.
func (s *Source) hides(ref evidence.Ref) bool {
	switch {
	case ref.IsProject():
		hidden, _ := s.apps.HiddenProject(ref.Name)
		s.mu.Lock()
		defer s.mu.Unlock()
		return evidence.HasPrivate(ref.Name) || hidden && ref.Name != s.project
	case !ref.IsApplication() || evidence.HasPrivate(ref.Name):
		return ref.IsApplication()
	}
	own := ref.Name == s.self.Name && (ref.Namespace == "" || s.self.Namespace == "" || ref.Namespace == s.self.Namespace)
	if own {
		return false
	}
	hidden, _ := s.apps.Hidden(cmp.Or(ref.Namespace, s.self.Namespace), ref.Name)
	return hidden
}

// Subject implements evidence.Source.
func (s *Source) Subject(ctx context.Context) (evidence.Subject, error) {
	subject, err := s.Source.Subject(ctx)
	if subject.Application != nil {
		s.meet(subject.Application)
		subject.Application = s.application(ctx, subject.Application)
	}
	subject.Refusal = texts(ctx, s, subject.Refusal)
	return subject, err
}

// application is an application without the others. The original stays as it is.
func (s *Source) application(ctx context.Context, app *evidence.Application) *evidence.Application {
	out := *app
	out.Status.Resources = replaced(out.Status.Resources, func(r *evidence.ResourceStatus) bool {
		if !s.hides(r.Ref()) {
			return false
		}
		r.Name, r.Namespace = s.standIn(r.Ref()), ""
		if r.Health != nil {
			health := *r.Health
			health.Message = ""
			r.Health = &health
		}
		return true
	})
	if op := out.Status.OperationState; op != nil {
		state := *op
		if op.SyncResult != nil {
			result := *op.SyncResult
			result.Resources = replaced(result.Resources, func(r *evidence.ResourceResult) bool {
				if !s.hides(r.Ref()) {
					return false
				}
				r.Name, r.Namespace = s.standIn(r.Ref()), ""
				if r.Message != "" {
					r.Message = notice
				}
				return true
			})
			state.SyncResult = &result
		}
		state.Operation.Sync = s.selected(state.Operation.Sync)
		out.Status.OperationState = &state
	}
	if out.Operation != nil {
		operation := *out.Operation
		operation.Sync = s.selected(operation.Sync)
		out.Operation = &operation
	}
	return texts(ctx, s, &out)
}

// selected are the resources that an operation is limited to.
func (s *Source) selected(op *evidence.SyncOperation) *evidence.SyncOperation {
	if op == nil {
		return nil
	}
	out := *op
	out.Resources = replaced(out.Resources, func(r *evidence.Ref) bool {
		if !s.hides(*r) {
			return false
		}
		r.Name, r.Namespace = s.standIn(*r), ""
		return true
	})
	return &out
}

// replaced is a list whose elements were changed; the list itself stays as it is.
func replaced[T any](list []T, change func(*T) bool) []T {
	var out []T
	for i := range list {
		e := list[i]
		if !change(&e) {
			continue
		}
		if out == nil {
			out = slices.Clone(list)
		}
		out[i] = e
	}
	if out == nil {
		return list
	}
	return out
}

// Tree implements evidence.Source.
func (s *Source) Tree(ctx context.Context) (*evidence.Tree, error) {
	tree, err := s.Source.Tree(ctx)
	if tree == nil {
		return nil, err
	}
	node := func(n *evidence.Node) bool {
		changed := false
		n.ParentRefs = replaced(n.ParentRefs, func(p *evidence.Parent) bool {
			if !s.hides(p.Ref()) {
				return false
			}
			p.Name, p.Namespace, p.UID, changed = s.standIn(p.Ref()), "", "", true
			return true
		})
		if !s.hides(n.Ref()) {
			return changed
		}
		n.Name, n.Namespace, n.UID, n.Info = s.standIn(n.Ref()), "", "", nil
		if n.Health != nil {
			health := *n.Health
			health.Message = ""
			n.Health = &health
		}
		return true
	}
	return texts(ctx, s, &evidence.Tree{Nodes: replaced(tree.Nodes, node), OrphanedNodes: replaced(tree.OrphanedNodes, node)}), err
}

// ManagedResources implements evidence.Source.
func (s *Source) ManagedResources(ctx context.Context) ([]evidence.ResourceDiff, error) {
	all, err := s.Source.ManagedResources(ctx)
	out := slices.DeleteFunc(slices.Clone(all), func(d evidence.ResourceDiff) bool {
		return s.hides(evidence.Ref{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name})
	})
	return texts(ctx, s, out), err
}

// Object implements evidence.Source.
func (s *Source) Object(ctx context.Context, q evidence.ObjectQuery) (evidence.Object, error) {
	if s.hides(q.Ref) {
		return nil, errPrivate(q.Ref)
	}
	o, err := s.Source.Object(ctx, q)
	return texts(ctx, s, o), err
}

// Events implements evidence.Source.
func (s *Source) Events(ctx context.Context, q evidence.ObjectQuery) ([]evidence.Event, error) {
	if s.hides(q.Ref) {
		return nil, errPrivate(q.Ref)
	}
	events, err := s.Source.Events(ctx, q)
	return texts(ctx, s, events), err
}

// Log implements evidence.Source.
func (s *Source) Log(ctx context.Context, q evidence.LogQuery) (evidence.Log, error) {
	log, err := s.Source.Log(ctx, q)
	return texts(ctx, s, log), err
}

// SyncWindows implements evidence.Source.
func (s *Source) SyncWindows(ctx context.Context) (*evidence.SyncWindows, error) {
	windows, err := s.Source.SyncWindows(ctx)
	return texts(ctx, s, windows), err
}

// Project implements evidence.Source.
func (s *Source) Project(ctx context.Context) (*evidence.Project, error) {
	project, err := s.Source.Project(ctx)
	return texts(ctx, s, project), err
}

// Repositories implements evidence.Source.
func (s *Source) Repositories(ctx context.Context) ([]evidence.Repository, error) {
	all, err := s.Source.Repositories(ctx)
	return texts(ctx, s, all), err
}

// Autoscalers implements evidence.Source.
func (s *Source) Autoscalers(ctx context.Context, namespace string) ([]evidence.Object, error) {
	all, err := s.Source.Autoscalers(ctx, namespace)
	return texts(ctx, s, all), err
}

// All implements evidence.Source.
func (s *Source) All(ctx context.Context, kind evidence.Outside) ([]evidence.Object, error) {
	all, err := s.Source.All(ctx, kind)
	return texts(ctx, s, all), err
}

// Child implements evidence.Source.
func (s *Source) Child(ctx context.Context, ref evidence.Ref) (*evidence.Application, error) {
	if s.hides(ref) {
		return nil, errPrivate(ref)
	}
	child, err := s.Source.Child(ctx, ref)
	if child == nil {
		return nil, err
	}
	// A reference without a namespace, or with the name of the application itself, may lead to another one than it seems to.
	is := evidence.Ref{Group: "argoproj.io", Kind: "Application", Namespace: cmp.Or(child.Metadata.Namespace, ref.Namespace), Name: cmp.Or(child.Metadata.Name, ref.Name)}
	if s.hides(is) {
		return nil, errPrivate(ref)
	}
	return Application(ctx, cmp.Or(ref.Namespace, s.self.Namespace), child, s.apps), err // which may have children that are not named
}

// Application is one that was read alone. namespace is the one that it is in where it does not say it.
func Application(ctx context.Context, namespace string, app *evidence.Application, apps Applications) *evidence.Application {
	if app == nil {
		return nil
	}
	of := New(nil, cmp.Or(app.Metadata.Namespace, namespace), app.Metadata.Name, apps)
	of.meet(app)
	return of.application(ctx, app)
}

// Text is a text about an application, of which nothing is known but its name.
func Text(ctx context.Context, namespace, name string, t string, apps Applications) string {
	return texts(ctx, New(nil, namespace, name, apps), t)
}
