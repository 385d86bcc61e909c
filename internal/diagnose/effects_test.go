package diagnose_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

// TestWhichRevisionRuns: the last deployment is still running only where the failed sync applied nothing and the application is
// healthy; where it applied some of the resources, those of the others that exist are still at it, and where it applied all of them
// nothing is.
func TestWhichRevisionRuns(t *testing.T) {
	const before = "49b5916000000000000000000000000000000aaa"
	for want, change := range map[string]func(*evidence.Application, *evidence.OperationState){
		"49b5916 is still running.": func(a *evidence.Application, op *evidence.OperationState) {
			a.Status.Health.Status = "Healthy"
			op.SyncResult.Resources = nil
		},
		"4 resources were applied; ConfigMap/e, ConfigMap/f in wave 2 were not applied.": func(*evidence.Application, *evidence.OperationState) {},
		"4 resources were applied; ConfigMap/e, ConfigMap/f in wave 2 were not applied. The rest is still at 49b5916.": func(a *evidence.Application, _ *evidence.OperationState) {
			a.Status.Resources[4].Health = &evidence.Health{Status: "Healthy"} // it is in the cluster
		},
		"PreSync hook Job/backup succeeded. 49b5916 is still deployed.": func(a *evidence.Application, op *evidence.OperationState) {
			a.Status.Health.Status = "Degraded"
			op.SyncResult.Resources = []evidence.ResourceResult{preSync("backup", "Succeeded"), preSync("migrate", "Failed")}
		},
		"4 resources were applied before the PostSync phase: 3f2a91c is deployed.": func(a *evidence.Application, op *evidence.OperationState) {
			a.Status.Resources = a.Status.Resources[:4]
			op.SyncResult.Resources = append(op.SyncResult.Resources, evidence.ResourceResult{Kind: "Job", Name: "smoke", HookType: "PostSync", HookPhase: "Failed"})
		},
	} {
		a := syncing()
		op := a.Status.OperationState
		op.Phase = evidence.OperationFailed
		a.Status.History = []evidence.Deployment{{Revision: before}}
		change(a, op)
		if got := strings.Join(report(t, a).Effects, " "); !strings.Contains(got, want) || strings.Contains(got, before[:7]) != strings.Contains(want, before[:7]) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
