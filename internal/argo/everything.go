package argo

import (
	"context"
	"errors"
	"sync"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Everything reads what a complete case file needs beyond what was read already: the tree, the managed resources, the
// events of the application, the sync windows and the project, in parallel. Each is read as far as possible; the error names
// those that could not be. Call it after Subject, with Record set.
func (a *App) Everything(ctx context.Context) error {
	self := evidence.ObjectQuery{Ref: evidence.Ref{Group: "argoproj.io", Kind: "Application", Namespace: a.ownNamespace(), Name: a.name}}
	reads := []struct {
		kind evidence.Kind
		read func() error
	}{
		{evidence.KindTree, func() error { _, err := a.Tree(ctx); return err }},
		{evidence.KindManaged, func() error { _, err := a.ManagedResources(ctx); return err }},
		{evidence.KindEvents, func() error { _, err := a.Events(ctx, self); return err }},
		{evidence.KindWindows, func() error { _, err := a.SyncWindows(ctx); return err }},
		{evidence.KindProject, func() error { _, err := a.Project(ctx); return err }},
	}
	errs := make([]error, len(reads))
	var wg sync.WaitGroup
	for i, r := range reads {
		a.mu.Lock()
		done := a.answered[r.kind]
		a.mu.Unlock()
		if !done {
			wg.Go(func() { errs[i] = r.read() })
		}
	}
	wg.Wait()
	return errors.Join(errs...)
}
