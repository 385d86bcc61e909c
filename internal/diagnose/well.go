package diagnose

import (
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Well is how an application that is healthy came to be so, as far as Argo CD tells.
type Well struct {
	// Since is when its health last changed; zero where Argo CD does not say.
	Since time.Time
	// Sync is the last operation, if it was a sync.
	Sync *Synced
}

// Synced is a sync that succeeded.
type Synced struct {
	Revision          string
	Started, Finished time.Time
	// By is who started it: "auto-sync", or a user of Argo CD; empty where that is not known.
	By string
	// Info is what its requester noted about it.
	Info []evidence.OperationInfo
	// Applied are the resources that it wrote. Untouched: it is known to have found all of them as they should be. Selected: it was of
	// some resources only.
	Applied             []evidence.Ref
	Untouched, Selected bool
}

// well is how a healthy application came to be so; nil of any other.
func (r *run) well(v Verdict) *Well {
	if v != VerdictHealthy {
		return nil
	}
	w := &Well{}
	if st := r.app.Status; st.Health.Status == "Healthy" {
		w.Since = st.Health.LastTransitionTime.Time
	}
	op := r.app.Status.OperationState
	if op == nil || op.Phase != evidence.OperationSucceeded || op.Operation.Sync == nil {
		return w
	}
	w.Sync = &Synced{
		Revision: op.Revision(), Started: op.StartedAt.Time, Finished: op.FinishedAt.Time, By: op.Operation.Starter(), Info: op.Operation.Info,
		Selected: len(op.Operation.Sync.Resources) > 0,
	}
	for _, res := range op.Results() {
		if res.IsHook() || !res.Applied() {
			continue
		}
		w.Sync.Applied = append(w.Sync.Applied, res.Ref())
	}
	w.Sync.Untouched = len(op.Results()) > 0 && !slices.ContainsFunc(op.Results(), func(res evidence.ResourceResult) bool {
		return res.IsHook() || !res.Applied() || !strings.HasSuffix(res.Message, " unchanged")
	})
	return w
}
