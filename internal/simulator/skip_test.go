package simulator_test

import (
	"context"
	"testing"
	"time"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"

	"github.com/argo-why/argo-why/internal/evidence"
)

// TestWhatIsRequestedOfASkippedApplicationStaysPending: the server takes the requests, and no controller acts on them.
func TestWhatIsRequestedOfASkippedApplicationStaysPending(t *testing.T) {
	t.Parallel()
	name := "rating-api-two"
	w := start(t, recorded(t, scaled, `"kubectl.kubernetes.io/last-applied-configuration": "{\"apiVersion\":\"argoproj.io`, `"`+evidence.AnnotationSkip+`": "true", "kubectl.kubernetes.io/last-applied-configuration": "{\"apiVersion\":\"argoproj.io`))
	before := w.get(name)

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	hard := "hard"
	if _, err := w.apps.Get(ctx, &applicationpkg.ApplicationQuery{Name: &name, Refresh: &hard}); err == nil {
		t.Error("the refresh happened")
	}
	w.must(w.Sync(own(name), false))
	after := w.get(name)
	if after.Annotations[evidence.AnnotationRefresh] != "hard" || after.Operation == nil || after.Status.OperationState != nil {
		t.Errorf("annotations %v, operation %v, state %v", after.Annotations, after.Operation, after.Status.OperationState)
	}
	if !after.Status.ReconciledAt.Equal(before.Status.ReconciledAt) || after.Status.Sync.Status != before.Status.Sync.Status {
		t.Error("it was compared")
	}

	w.must(w.Repair(own(name)))
	if again := w.refresh(name, "normal"); again.Annotations[evidence.AnnotationRefresh] != "" || !again.Status.ReconciledAt.After(before.Status.ReconciledAt.Time) {
		t.Errorf("given back, it is not compared: %v, %s", again.Annotations, again.Status.ReconciledAt)
	}
}
