package world

import (
	"errors"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/simulator"
)

// comparesAfter is how long Argo CD takes to look at a repository again by itself. In real life that is three minutes.
const comparesAfter = 3 * time.Second

// Fleet are forty applications of eight services in five regions.
func Fleet() []simulator.Name { return slices.Clone(fleet) }

var fleet = makeFleet()

func makeFleet() []simulator.Name {
	var out []simulator.Name
	for _, service := range []string{"basket", "catalog", "loyalty", "media", "offers", "reviews", "search", "stores"} {
		for _, region := range []string{"ap-south", "eu-north", "eu-west", "us-east", "us-west"} {
			out = append(out, simulator.Name{Namespace: "argocd", Name: service + "-" + region})
		}
	}
	return out
}

// BreakFleet makes the whole fleet fail with one cause.
func (w *World) BreakFleet() error { return w.Break(w.Shared(), Fleet()...) }

// RepairFleet makes that cause go away, wherever it is one. Argo CD notices by itself a moment later.
func (w *World) RepairFleet() error {
	var names []simulator.Name
	var errs []error
	shared := w.Shared()
	for _, s := range w.ArgoCD.States() {
		if w.FailureOf(s.Name) == shared {
			errs = append(errs, w.Repair(s.Name))
			names = append(names, s.Name)
		}
	}
	if len(names) == 0 {
		return errors.New("the Git host is already reachable")
	}
	w.workers.Go(func() {
		select {
		case <-time.After(comparesAfter):
		case <-w.closing:
			return
		}
		for _, name := range names {
			_ = w.ArgoCD.Refresh(name, true) // gone meanwhile
		}
	})
	return errors.Join(errs...)
}
