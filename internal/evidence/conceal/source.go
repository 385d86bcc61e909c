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
}

// Source is the evidence about an application without the others that its reader may not see. It is for one diagnosis.
type Source struct {
	evidence.Source
	apps Applications
	self evidence.Ref

	mu sync.Mutex
	// numbers tell apart those that are not named, by namespace and name. ready: they were given out.
	numbers map[[2]string]int
	// names are those of children, of which nothing else in the application has the name, and messages what was said of them.
	names    map[string]string
	messages []string
}

// New makes a Source. namespace is that of the application itself.
func New(s evidence.Source, namespace, name string, apps Applications) *Source {
	self := evidence.Ref{Group: "argoproj.io", Kind: "Application", Namespace: namespace, Name: name}
	return &Source{Source: s, apps: apps, self: self, numbers: map[[2]string]int{}, names: map[string]string{}}
}

// notice stands for what was said of an application that the reader may not see.
const notice = "not shown: the application is private"

// errPrivate: nothing is read of it.
func errPrivate(ref evidence.Ref) error {
	return fmt.Errorf("read %s: %s: %w", ref.Kind, notice, evidence.ErrAbsent)
}

// hides reports whether a reference is to an application that the reader may not see.
func (s *Source) hides(ref evidence.Ref) bool {
	if !ref.IsApplication() || evidence.HasPrivate(ref.Name) {
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

// meet gives numbers to the children that are not named, and notes what is said of them.
func (s *Source) meet(app *evidence.Application) {
	var hidden []evidence.Ref
	others := map[string]bool{s.self.Name: true, app.Spec.Destination.Namespace: true}
	note := func(ref evidence.Ref, messages ...string) {
		if !s.hides(ref) {
			others[ref.Name] = others[ref.Name] || !ref.IsApplication()
			others[ref.Namespace] = true
			return
		}
		hidden = append(hidden, ref)
		for _, m := range messages {
			if len(m) >= 8 && !slices.Contains(s.messages, m) { // "Synced" is said of everything
				s.messages = append(s.messages, m)
			}
		}
	}
	for _, r := range app.Status.Resources {
		m := ""
		if r.Health != nil {
			m = r.Health.Message
		}
		note(r.Ref(), m)
	}
	for _, r := range app.Status.OperationState.Results() {
		if r.Failed() {
			note(r.Ref(), r.Message)
		} else {
			note(r.Ref())
		}
	}
	slices.SortFunc(hidden, func(a, b evidence.Ref) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ref := range hidden {
		standIn := s.number(ref)
		if _, met := s.names[ref.Name]; others[ref.Name] || met && ref.Namespace != s.self.Namespace {
			continue // of two in different namespaces, a text without one means that beside the application itself, else the first
		}
		s.names[ref.Name] = standIn
	}
	// The longest first: one may be part of another.
	slices.SortStableFunc(s.messages, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
}

// number is what stands for an application. The caller holds the lock.
func (s *Source) number(ref evidence.Ref) string {
	key := [2]string{cmp.Or(ref.Namespace, s.self.Namespace), ref.Name}
	n, known := s.numbers[key]
	if !known {
		n = len(s.numbers) + 1
		s.numbers[key] = n
	}
	return evidence.PrivateName(n)
}

// standIn is what stands for an application that is not named.
func (s *Source) standIn(ref evidence.Ref) string {
	if evidence.HasPrivate(ref.Name) {
		return ref.Name
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.number(ref)
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

// Child implements evidence.Source.
func (s *Source) Child(ctx context.Context, ref evidence.Ref) (*evidence.Application, error) {
	if s.hides(ref) {
		return nil, errPrivate(ref)
	}
	child, err := s.Source.Child(ctx, ref)
	if child == nil {
		return nil, err
	}
	of := New(nil, cmp.Or(ref.Namespace, s.self.Namespace), ref.Name, s.apps) // which may have children that are not named
	of.meet(child)
	return of.application(ctx, child), err
}
