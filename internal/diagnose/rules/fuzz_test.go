package rules_test

import (
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// FuzzDiagnose: whatever a case file holds, there is a report or an error, no panic; and nothing is called healthy that
// Argo CD does not call synced.
func FuzzDiagnose(f *testing.F) {
	for i, r := range recordedCases(f) {
		if i%40 == 0 && r.c.Application != nil {
			f.Add(r.c.Application.Status.Sync.Status, "Failed", r.c.APIError, "PreSync", "Running")
		}
	}
	f.Add("OutOfSync", "Running", "waiting for completion of hook batch/Job/", "PreSync", "Running")
	f.Add("OutOfSync", "Failed", "waiting for healthy state of ///", "", "Failed")
	e := engine(f)
	f.Fuzz(func(t *testing.T, sync, phase, text, hookType, hookPhase string) {
		app := &evidence.Application{}
		st := &app.Status
		st.Sync.Status = sync
		st.Conditions = []evidence.Condition{{Type: "ComparisonError", Message: text}, {Type: hookType, Message: text}}
		st.Resources = []evidence.ResourceStatus{{Kind: "Job", Name: text, Status: sync, Hook: true}}
		st.OperationState = &evidence.OperationState{Phase: phase, Message: text, SyncResult: &evidence.SyncResult{
			Resources: []evidence.ResourceResult{{Group: "batch", Kind: "Job", Name: text, Message: text, HookType: hookType, HookPhase: hookPhase}},
		}}
		tree := &evidence.Tree{Nodes: []evidence.Node{
			{Group: "batch", Kind: "Job", Name: text},
			{Kind: "Pod", Name: text, Health: &evidence.Health{Status: "Degraded", Message: text}, ParentRefs: []evidence.Parent{{Group: "batch", Kind: "Job", Name: text}}},
		}}
		c := &evidence.Case{Application: app, APIError: text, Tree: tree, Logs: []evidence.Log{{Pod: text, Text: text}},
			Events: []evidence.Event{{Type: "Warning", Reason: "FailedCreate", Message: text}}}
		rep, err := e.Diagnose(t.Context(), c.Source(), time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		if rep.Verdict == "healthy" && sync != "Synced" {
			t.Errorf("healthy with sync status %q", sync)
		}
	})
}
