package world

import (
	"errors"
	"fmt"

	"github.com/argo-why/argo-why/internal/simulator"
)

// Commit is a commit with that hash that repairs the failure, wherever its cause is. Argo CD sees it with the next refresh or sync.
func (w *World) Commit(name simulator.Name, revision string) error {
	if err := w.ArgoCD.Push(name, simulator.Commit{Revision: revision}); err != nil {
		return err
	}
	w.failures.mu.Lock()
	defer w.failures.mu.Unlock()
	delete(w.failures.of, name)
	return nil
}

// CommitElse is a commit with that hash that does not repair the failure. Argo CD sees it at once.
func (w *World) CommitElse(name simulator.Name, revision string) error {
	f := w.FailureOf(name)
	if f == nil {
		return fmt.Errorf("%s has no failure to fix", name)
	}
	if err := w.ArgoCD.Push(name, simulator.Commit{Revision: revision, Case: f.text}); err != nil {
		return err
	}
	return w.ArgoCD.Refresh(name, false)
}

// CommitElsewhere is a commit with that hash in the repository of the applications that changes nothing of them. Argo CD sees it at
// once.
func (w *World) CommitElsewhere(revision string, names ...simulator.Name) error {
	var errs []error
	for _, name := range names {
		errs = append(errs, w.ArgoCD.Push(name, simulator.Commit{Revision: revision, Elsewhere: true}), w.ArgoCD.Refresh(name, false))
	}
	return errors.Join(errs...)
}
