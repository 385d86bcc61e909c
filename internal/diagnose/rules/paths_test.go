package rules_test

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// otherwise are the cases in which the way to the trouble is part of the answer.
var otherwise = map[string]string{
	"health/volume-pending/own-06.json": "a sync that waits for the claim keeps its user from coming, if that is a PostSync hook",
	"health/stale/own-02.json":          "whether Argo CD has missed a change is known only of what it compared after the operation",
	"health/stale/foreign-stale-1.json": "the same",
}

// TestTheSameTroubleOnEveryPath replays each recorded case of something unhealthy as if a sync waited for it, had failed on it, or had been terminated:
// the title and the first step are the same, whichever way one comes to it.
func TestTheSameTroubleOnEveryPath(t *testing.T) {
	e, n := engine(t), 0
	for _, r := range recordedCases(t) {
		if r.c.Application == nil || !strings.HasPrefix(r.expect.Rule, "health/") {
			continue
		}
		app := r.c.Application
		shown := app.Status.Health.Status == "Degraded" || app.Status.Health.Status == "Progressing"
		if !shown || app.CurrentOperation() != nil || !app.Metadata.DeletionTimestamp.IsZero() {
			continue
		}
		root := diagnosed(t, e, r.c).Root()
		if root == nil || !diagnose.GroupHealth.Has(root.Rule) || root.Resource.IsZero() {
			continue
		}
		n++
		for _, path := range []string{"waits", "failed", "terminated"} {
			if path == "failed" && app.Status.Health.Status != "Degraded" {
				continue
			}
			got := diagnosed(t, e, stoppedAt(r.c, root.Resource, path)).Root()
			if got == nil {
				t.Errorf("%s, %s: no cause, instead of %q", r.name, path, root.Title)
			} else if _, other := otherwise[r.name]; !other && (got.Title != root.Title || len(root.Fix) > 0 && got.Fix[0].Text != root.Fix[0].Text) {
				t.Errorf("%s, %s: %q, first %q\ninstead of %q, first %q", r.name, path, got.Title, got.Fix[0].Text, root.Title, root.Fix[0].Text)
			}
		}
	}
	if n < 300 {
		t.Fatalf("compared %d cases: some are missing", n)
	}
}

// stoppedAt is the case as it is while, or after, a sync stops at a resource: it "waits" for it, it "failed" on it, or was "terminated".
func stoppedAt(c *evidence.Case, ref evidence.Ref, how string) *evidence.Case {
	out, app := *c, *c.Application
	ago := func(d time.Duration) evidence.Time { return evidence.Time{Time: c.Now.Add(-d)} }
	op := &evidence.OperationState{StartedAt: ago(20 * time.Minute)}
	op.Operation.Sync = &evidence.SyncOperation{Revision: app.Status.Sync.Revision, Revisions: app.Status.Sync.Revisions}
	task := evidence.ResourceResult{Group: ref.Group, Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name, Status: evidence.ResultSynced, SyncPhase: "Sync"}
	task.HookPhase, task.Message = evidence.OperationRunning, ref.Name+" configured"
	switch how {
	case "waits":
		op.Phase, op.Message = evidence.OperationRunning, "waiting for healthy state of "+ref.Group+"/"+ref.Kind+"/"+ref.Name
	case "failed":
		op.Phase, op.Message, op.FinishedAt = evidence.OperationFailed, "one or more synchronization tasks completed unsuccessfully", ago(time.Minute)
		task.HookPhase, task.Message = evidence.OperationFailed, ""
		for _, r := range app.Status.Resources {
			if r.Ref() == ref && r.Health != nil {
				task.Message = r.Health.Message
			}
		}
	case "terminated":
		op.Phase, op.Message, op.FinishedAt = evidence.OperationFailed, "Operation terminated", ago(time.Minute)
	}
	op.SyncResult = &evidence.SyncResult{Revision: app.Status.Sync.Revision, Revisions: app.Status.Sync.Revisions, Resources: []evidence.ResourceResult{task}}
	app.Status.OperationState = op
	out.Application = &app
	return &out
}
