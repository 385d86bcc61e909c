package world

import (
	"errors"
	"time"

	"github.com/argo-why/argo-why/internal/simulator"
)

// RepairEverything makes all causes go away, and then does in Argo CD what a person would do with each application, until all are well.
func (w *World) RepairEverything() error {
	var errs []error
	for _, s := range w.ArgoCD.States() {
		if f := w.FailureOf(s.Name); f != nil && f.Repair != "" { // else a sync corrects it
			errs = append(errs, w.Repair(s.Name))
		}
		if Unwell(s) || s.Running || s.Pushed != "" {
			w.workers.Go(func() { w.finish(s.Name) })
		}
	}
	return errors.Join(errs...)
}

// finish does what is left to do about an application whose cause is gone. It gives up when somebody breaks it again.
func (w *World) finish(name simulator.Name) {
	const rounds = 5 // terminate, delete, refresh, sync; one to spare
	for range rounds {
		changed := w.ArgoCD.Changed()
		s, err := w.ArgoCD.State(name)
		f := w.FailureOf(name)
		switch {
		case err != nil, f != nil && f.Repair != "":
			return
		case s.Running:
			_ = w.ArgoCD.Terminate(name) // it may have ended by now
		case len(s.FailedJobs) > 0:
			for _, job := range s.FailedJobs {
				_ = w.ArgoCD.Delete(name, job) // somebody was faster
			}
			continue
		case Unwell(s) || s.Pushed != "":
			_ = w.ArgoCD.Sync(name, true) // refused: the next round sees why
		default:
			return
		}
		if !w.settled(name, changed) {
			return
		}
	}
}

// settled waits until no operation of an application runs; false if the world ends.
func (w *World) settled(name simulator.Name, changed <-chan struct{}) bool {
	timeout := time.After(time.Minute)
	for {
		select {
		case <-changed:
		case <-timeout:
			return true
		case <-w.closing:
			return false
		}
		changed = w.ArgoCD.Changed()
		if s, err := w.ArgoCD.State(name); err != nil || !s.Running {
			return true
		}
	}
}
