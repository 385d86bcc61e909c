package evidence

import (
	"context"
	"fmt"
	"sync"
)

// territory is where an application has objects or may have some: the namespaces of what lives of it, in Argo CD's tree and in what it compares, as
// far as that was read, and those that the project lets the application use. The project is read once.
type territory struct {
	source Source
	app    func() *Application

	mu   sync.Mutex
	seen map[string]bool // the namespaces of what Argo CD takes for the application's

	once    sync.Once
	project *Project
	err     error
}

// see notes the namespaces of what lives.
func see[T any](t *territory, of []T, namespace func(*T) (name string, lives bool)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	for i := range of {
		if name, lives := namespace(&of[i]); lives {
			t.seen[name] = true
		}
	}
}

// readProject reads the project when it is first asked for.
func (t *territory) readProject(ctx context.Context) (*Project, error) {
	t.once.Do(func() { t.project, t.err = t.source.Project(ctx) })
	return t.project, t.err
}

// enter is nil where the cluster may be asked about a namespace; an empty one stands for objects without a namespace. What lives of the
// application counts where its project is not known: until Argo CD has compared with the cluster that it now names, it may live on another one.
func (t *territory) enter(ctx context.Context, namespace string) error {
	t.mu.Lock()
	seen := t.seen[namespace]
	t.mu.Unlock()
	if namespace == "" {
		return nil
	}
	project, err := t.readProject(ctx)
	switch {
	case err != nil && seen:
		return nil
	case err != nil:
		return fmt.Errorf("whether the application may use namespace %s is not known, so nothing was read in it: %w", namespace, ErrAbsent)
	}
	if app := t.app(); app == nil || !project.Permits(app, namespace) {
		return fmt.Errorf("the project does not let the application use namespace %s, so nothing was read in it: %w", namespace, ErrAbsent)
	}
	return nil
}
