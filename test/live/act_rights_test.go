//go:build live

package live_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/policy"
)

// TestEachActionNeedsItsLine takes away one line after the other: the actions that need it are refused, with the words that
// give it back, and no others.
func TestEachActionNeedsItsLine(t *testing.T) {
	for i, line := range policyOf(t, "rbac-actions.yaml", "policy.argo-why-actions.csv", "argo-why") {
		t.Run("without "+line, func(t *testing.T) { withoutLine(t, i) })
	}
}

func withoutLine(t *testing.T, i int) {
	l, a := newActing(t, migrate("fail"))
	if _, err := a.app.Sync(t.Context(), argo.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	l.untilPhase("Failed")
	ref := evidence.Ref{Group: "batch", Kind: "Job", Namespace: l.name, Name: "migrate"}
	live, err := a.app.Object(t.Context(), evidence.ObjectQuery{Ref: ref})
	if err != nil || live == nil {
		t.Fatalf("the Job of the hook: %v, %v", live, err)
	}
	line := a.lines[i]
	gives := func(r argo.Right) bool { return r.Line(a.name, "*") == line }
	if !slices.ContainsFunc(argo.Rights, gives) {
		t.Fatal("no action needs it")
	}
	a.allow(slices.Delete(slices.Clone(a.lines), i, i+1))
	for _, right := range argo.Rights {
		a.until(right, !gives(right))
	}
	check := func(right argo.Right, err error) {
		t.Helper()
		var problem *argo.Error
		denied := errors.As(err, &problem) && problem.Problem == argo.Forbidden
		switch {
		case denied != gives(right), err != nil && !denied && !(errors.As(err, &problem) && problem.Problem == argo.Idle):
			t.Errorf("%s: %v", right.Action, err)
		case denied && !strings.HasSuffix(err.Error(), ": add to "+policy.Place(a.name, right.Verb)+": "+right.Line(a.name, "default")):
			t.Errorf("%s does not say what is missing: %v", right.Action, err)
		}
	}
	check(argo.RightDeleteHookJob, a.app.DeleteResource(t.Context(), ref, live.Text("metadata", "uid")))
	_, err = a.app.Refresh(t.Context(), true)
	check(argo.RightHardRefresh, err)
	_, err = a.app.Sync(t.Context(), argo.SyncRequest{DryRun: true})
	check(argo.RightSync, err)
	check(argo.RightTerminate, a.app.Terminate(t.Context()))
}
