package rules_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestSecondTrouble: what is Degraded beside a failure that Argo CD reports is named as another cause, unless the failure is about it.
func TestSecondTrouble(t *testing.T) {
	e := engine(t)
	refused := `Service "api" is invalid: spec.clusterIPs[0]: Invalid value: ["10.0.0.9"]: may not change once set`
	for name, c := range map[string]struct {
		failure func(*evidence.Application)
		first   string
		second  bool
	}{
		"a manifest cannot be rendered": {func(app *evidence.Application) {
			app.Status.Sync.Status = "Unknown"
			app.Status.Conditions = []evidence.Condition{{Type: "ComparisonError", Message: "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = apps/api: app path does not exist"}}
		}, "render/path-not-found", true},
		"another resource is refused": {func(app *evidence.Application) {
			fail(app, evidence.ResourceResult{Version: "v1", Kind: "Service", Namespace: "shop", Name: "api", Status: evidence.ResultSyncFailed, Message: refused})
		}, "apply/immutable-field", true},
		"the crashing one is refused": {func(app *evidence.Application) {
			r := app.Status.Resources[0]
			fail(app, evidence.ResourceResult{Group: r.Group, Version: r.Version, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name, Status: evidence.ResultSyncFailed,
				Message: `Deployment.apps "` + r.Name + `" is invalid: spec.selector: Invalid value: field is immutable`})
		}, "apply/immutable-field", false},
	} {
		t.Run(name, func(t *testing.T) {
			crash := *crashing(t)
			app := *crash.Application
			c.failure(&app)
			crash.Application = &app
			rep := diagnosed(t, e, &crash)
			if !strings.HasPrefix(rep.Findings[0].Rule, c.first) {
				t.Fatalf("first: %s, %s", rep.Findings[0].Rule, rep.Headline)
			}
			second := false
			for _, f := range rep.Findings[1:] {
				second = second || f.Rule == "health/crash-loop" && f.Role == diagnose.RoleCause
			}
			if second != c.second {
				t.Errorf("the crash is another cause: %v, want %v (%+v)", second, c.second, rep.Findings)
			}
			if rep.Sync.Verdict != diagnose.SyncPointless {
				t.Errorf("sync %s: %s", rep.Sync.Verdict, rep.Sync.Why)
			}
		})
	}
}

// crashing is a recorded Deployment whose container crashes.
func crashing(t *testing.T) *evidence.Case {
	t.Helper()
	for _, r := range recordedCases(t) {
		if r.name == "health/crash-loop/own-02.json" {
			return r.c
		}
	}
	t.Fatal("the recording is gone")
	return nil
}

func fail(app *evidence.Application, task evidence.ResourceResult) {
	app.Status.Sync.Status = "OutOfSync"
	app.Status.OperationState = &evidence.OperationState{
		Phase: evidence.OperationFailed, Message: "one or more objects failed to apply",
		SyncResult: &evidence.SyncResult{Revision: app.Status.Sync.Revision, Resources: []evidence.ResourceResult{task}},
	}
}
