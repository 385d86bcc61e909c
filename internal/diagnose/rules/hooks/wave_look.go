package hooks

import (
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

// wait is what a sync waits for, or waited for in vain.
type wait struct {
	in  *diagnose.In
	ref evidence.Ref
	// status is its health in one word, health what Argo CD says about it.
	status, health string
	// cause is what the rules about health find at it, nil where they find nothing.
	cause *diagnose.Finding
	// seen is what they look at, nil where it is healthy.
	seen  *unhealthy.Resource
	since time.Duration
}

// look asks the rules about health why the resource is not healthy. known is false while the evidence has not been read.
func (w *wait) look() (known bool) {
	found, known := w.in.At(diagnose.GroupHealth, w.ref)
	if len(found) > 0 {
		w.cause = &found[0]
	}
	if p := unhealthy.Look(w.in.Asking(w.ref)); p != nil {
		if i := slices.IndexFunc(p.Resources, func(s *unhealthy.Resource) bool { return s.Ref == w.ref }); i >= 0 {
			w.seen = p.Resources[i]
		}
	}
	return known
}

// awaitsConsumer reports whether it is a claim whose storage class creates the volume for the first pod that uses it.
func (w *wait) awaitsConsumer() bool {
	return w.ref.Kind == "PersistentVolumeClaim" && w.seen != nil && pods.LastEvent(w.seen.Events, "WaitForFirstConsumer") != nil
}
