package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

const commit = "3f2a91c0000000000000000000000000000000aa"

// syncing is an application of six resources in three waves whose sync has applied four of them.
func syncing() *evidence.Application {
	a := app("OutOfSync", "Progressing").Application
	op := &evidence.OperationState{Phase: "Running", SyncResult: &evidence.SyncResult{Revision: commit}}
	op.Operation.Sync = &evidence.SyncOperation{Revision: commit}
	for n, name := range []string{"a", "b", "c", "d", "e", "f"} {
		res := evidence.ResourceStatus{Kind: "ConfigMap", Namespace: "shop", Name: name, Status: "OutOfSync", SyncWave: int64(n / 2)}
		a.Status.Resources = append(a.Status.Resources, res)
		if n < 4 {
			op.SyncResult.Resources = append(op.SyncResult.Resources, evidence.ResourceResult{Kind: "ConfigMap", Namespace: "shop", Name: name, Status: "Synced", HookPhase: "Running"})
		}
	}
	a.Status.OperationState = op
	return a
}

func preSync(name, phase string) evidence.ResourceResult {
	return evidence.ResourceResult{Group: "batch", Kind: "Job", Namespace: "shop", Name: name, HookType: "PreSync", HookPhase: phase}
}

func report(t *testing.T, a *evidence.Application) *diagnose.Report {
	t.Helper()
	e, err := diagnose.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Diagnose(t.Context(), &source{subject: evidence.Subject{Application: a}}, time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestProgressOfARunningOperation(t *testing.T) {
	for want, change := range map[string]func(*evidence.Application, *evidence.OperationState){
		"syncing 3f2a91c: 4 of 6 resources applied, in wave 1 (of waves 0 to 2)": func(*evidence.Application, *evidence.OperationState) {},
		"syncing 3f2a91c: 4 of 6 resources applied, in wave 1 (of waves 0 to 2); PreSync hook Job/db-migrate running": func(_ *evidence.Application, op *evidence.OperationState) {
			op.SyncResult.Resources = append(op.SyncResult.Resources, preSync("db-migrate", "Running"), preSync("done", "Succeeded"))
		},
		"syncing 3f2a91c: 0 of 6 resources applied, waves 0 to 2; PreSync hook Job/a, PreSync hook Job/b, PreSync hook Job/c and 1 more running": func(_ *evidence.Application, op *evidence.OperationState) {
			op.SyncResult.Resources = []evidence.ResourceResult{preSync("c", "Running"), preSync("a", "Running"), preSync("d", "Running"), preSync("b", "Running")}
		},
		"syncing 3f2a91c, retry 2 of 5: 3 of 6 resources applied, 1 failed, in wave 1 (of waves 0 to 2)": func(_ *evidence.Application, op *evidence.OperationState) {
			op.RetryCount, op.Operation.Retry.Limit = 2, 5
			op.Message = "one or more objects failed to apply. Retrying attempt #2 at 10:28AM."
			op.SyncResult.Resources[0].Status = "SyncFailed"
		},
		"syncing 3f2a91c: 4 of 6 resources applied, in wave 1 (of waves 0 to 2); waiting for Deployment/db and 2 more to be healthy": func(_ *evidence.Application, op *evidence.OperationState) {
			op.Message = "waiting for healthy state of apps/Deployment/db and 2 more resources"
		},
		"terminating the sync of 3f2a91c: 4 of 6 resources applied, in wave 1 (of waves 0 to 2)": func(_ *evidence.Application, op *evidence.OperationState) { op.Phase = "Terminating" },
		"dry run of 3f2a91c: 4 of 6 resources tried, in wave 1 (of waves 0 to 2)":                func(_ *evidence.Application, op *evidence.OperationState) { op.Operation.Sync.DryRun = true },
		"syncing 3f2a91c: 4 of 4 resources applied": func(a *evidence.Application, _ *evidence.OperationState) {
			a.Status.Resources = nil
		},
		"syncing 3f2a91c: 1 of 2 resources applied": func(a *evidence.Application, op *evidence.OperationState) { // two were selected
			a.Status.Resources, op.SyncResult.Resources = nil, op.SyncResult.Resources[:1]
			op.Operation.Sync.Resources = []evidence.Ref{{Kind: "ConfigMap", Name: "a"}, {Kind: "ConfigMap", Name: "b"}}
		},
		"syncing 3f2a91c: 4 of 5 resources applied, in wave 1 (of waves 0 to 2)": func(a *evidence.Application, op *evidence.OperationState) { // what is not pruned is not waited for
			a.Status.Resources[5].RequiresPruning = true
		},
		"syncing 3f2a91c: 0 of 6 resources applied, waves 0 to 2": func(a *evidence.Application, op *evidence.OperationState) { op.SyncResult.Resources = nil },
		"syncing 3f2a91c, 1.2.3: 4 of 6 resources applied, in wave 1 (of waves 0 to 2)": func(_ *evidence.Application, op *evidence.OperationState) {
			op.SyncResult.Revision, op.Operation.Sync.Revision = "", ""
			op.SyncResult.Revisions = []string{commit, "1.2.3"}
		},
		"": func(_ *evidence.Application, op *evidence.OperationState) { op.Phase = "Succeeded" },
		"an operation is requested and has not started": func(a *evidence.Application, op *evidence.OperationState) {
			op.Phase, a.Operation = "Failed", &evidence.Operation{}
		},
	} {
		a := syncing()
		change(a, a.Status.OperationState)
		if got := report(t, a).Progress; got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func dryRun(phase string) *evidence.Application {
	a := syncing()
	op := a.Status.OperationState
	op.Phase, op.Operation.Sync.DryRun, op.Message = phase, true, "one or more objects failed to apply"
	op.Operation.InitiatedBy.Username = "dana"
	op.StartedAt, op.FinishedAt = evidence.Time{Time: time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)}, evidence.Time{Time: time.Date(2026, 11, 20, 7, 1, 0, 0, time.UTC)}
	a.Status.Sync.Revision = commit
	if phase == "Failed" {
		op.SyncResult.Resources[0].Status, op.SyncResult.Resources[0].Message = "SyncFailed", "ConfigMap \"a\" is forbidden"
	}
	return a
}

// TestADryRunIsNoSync: it changed nothing, so neither its failure nor its success is the application's.
func TestADryRunIsNoSync(t *testing.T) {
	failed := dryRun("Failed")
	failed.Status.Sync.Status, failed.Status.Health.Status, failed.Status.Resources = "Synced", "Healthy", nil
	r := report(t, failed)
	if r.Verdict != diagnose.VerdictHealthy || r.Headline != "web: Synced and healthy" || r.Context.Phase != "" || !r.Context.Since.IsZero() || !r.Context.DryRun {
		t.Errorf("%s: %s, %+v", r.Verdict, r.Headline, r.Context)
	}
	want := `The last operation was a dry run of 3f2a91c; it failed: ConfigMap/a: ConfigMap "a" is forbidden.`
	if got := strings.Join(r.Effects, "\n"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !strings.HasSuffix(r.Sync.Why, ", and the last dry run of this revision failed") {
		t.Errorf("sync now: %s", r.Sync.Why)
	}

	succeeded := dryRun("Succeeded")
	succeeded.Status.OperationState.SyncResult.Resources = append(succeeded.Status.OperationState.SyncResult.Resources, preSync("db-migrate", "Succeeded"))
	r = report(t, succeeded)
	if got := strings.Join(r.Sync.Affects, "\n"); !strings.Contains(got, "Job/db-migrate: PreSync hook, runs again") {
		t.Errorf("a sync touches\n%s", got)
	}
	if r.Verdict != diagnose.VerdictDrifted || strings.Join(r.Effects, "\n") != "The last operation was a dry run of 3f2a91c; it succeeded." {
		t.Errorf("%s: %v", r.Verdict, r.Effects)
	}
	if strings.Contains(r.Sync.Why, "dry run") {
		t.Errorf("sync now: %s", r.Sync.Why)
	}

	r = report(t, dryRun("Running"))
	if r.Verdict != diagnose.VerdictProgressing || r.Headline != "web: Dry run in progress" || r.Effects[0] != "This is a dry run: it changes nothing." || r.Context.Phase != "Running" {
		t.Errorf("%s: %s, %v, %+v", r.Verdict, r.Headline, r.Effects, r.Context)
	}
}

func TestTheApplicationIsLeftAsItWasRead(t *testing.T) {
	a := dryRun("Failed")
	report(t, a)
	if a.Status.OperationState == nil {
		t.Error("who read it misses its operation")
	}
}
