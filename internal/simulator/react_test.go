package simulator_test

import (
	"slices"
	"strings"
	"testing"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/simulator"
)

const fixed = "f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1"

// TestAFailedMigration: the same Git fails again, with the Job that somebody deleted; the fix is seen by a refresh and heals.
func TestAFailedMigration(t *testing.T) {
	t.Parallel()
	const app = "courier-api"
	w := start(t, recorded(t, hookFailed))
	w.deleteJob(app)
	if w.has(app, "Job", "migrate") {
		t.Fatal("the Job is still there")
	}
	again := w.sync(app)
	w.want(again, "OutOfSync Healthy Failed")
	if r := again.Status.OperationState.SyncResult.Resources[0]; r.Message != "Job has reached the specified backoff limit" || !w.has(app, "Job", "migrate") {
		t.Errorf("failed with %+v, and the Job is there: %v", r, w.has(app, "Job", "migrate"))
	}

	w.must(w.Push(own(app), simulator.Commit{Revision: fixed}))
	if r := w.get(app).Status.Sync.Revision; r == fixed {
		t.Error("the commit is seen before anybody looks")
	}
	if seen := w.refresh(app, "normal"); seen.Status.Sync.Revision != fixed {
		t.Errorf("compared with %s", seen.Status.Sync.Revision)
	} else {
		w.want(seen, "OutOfSync Healthy Failed")
	}
	healed := w.sync(app)
	w.want(healed, "Synced Healthy Succeeded")
	if r := healed.Status.OperationState.SyncResult.Revision; r != fixed {
		t.Errorf("synced to %s", r)
	}
	w.want(w.sync(app), "Synced Healthy Succeeded")
}

// TestACommitElsewhere: another revision is compared, and all else is as it was, until a sync of it fails for the same reason.
func TestACommitElsewhere(t *testing.T) {
	t.Parallel()
	const app, elsewhere = "courier-api", "e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1"
	w := start(t, recorded(t, hookFailed, "BeforeHookCreation", "HookSucceeded"))
	before := w.get(app)
	w.must(w.Push(own(app), simulator.Commit{Revision: elsewhere, Elsewhere: true}))
	after := w.refresh(app, "normal")
	w.want(after, "OutOfSync Healthy Failed")
	if after.Status.Sync.Revision != elsewhere || after.Status.OperationState.SyncResult.Revision != before.Status.OperationState.SyncResult.Revision {
		t.Errorf("compared with %s, and the operation was of %s", after.Status.Sync.Revision, after.Status.OperationState.SyncResult.Revision)
	}
	stumbles := w.sync(app)
	w.want(stumbles, "OutOfSync Healthy Failed")
	if m := stumbles.Status.OperationState.SyncResult.Resources[0].Message; strings.Contains(m, "immutable") {
		t.Errorf("the Job is the same as before, and it says %q", m)
	}

	w.must(w.Push(own(app), simulator.Commit{Revision: "later", Elsewhere: true}))
	w.refresh(app, "normal")
	for _, revision := range []string{elsewhere, "later"} {
		manifests, err := w.apps.GetManifests(t.Context(), &applicationpkg.ApplicationManifestQuery{Name: new(app), Revision: new(revision)})
		if err != nil || len(manifests.Manifests) == 0 {
			t.Errorf("manifests of %s: %v", revision, err)
		}
	}

	// On top of a repair it keeps the repair.
	w.must(w.Push(own(app), simulator.Commit{Revision: fixed}))
	w.must(w.Push(own(app), simulator.Commit{Revision: "another", Elsewhere: true}))
	w.deleteJob(app)
	w.want(w.sync(app), "Synced Healthy Succeeded")
}

// TestAJobThatNobodyDeletes: Argo CD judges the old Job again until somebody deletes it, also after the fix.
func TestAJobThatNobodyDeletes(t *testing.T) {
	t.Parallel()
	const app = "courier-api"
	w := start(t, recorded(t, hookFailed, "BeforeHookCreation", "HookSucceeded"))
	w.must(w.Push(own(app), simulator.Commit{Revision: fixed}))
	stumbles := w.sync(app)
	w.want(stumbles, "OutOfSync Healthy Failed")
	if m := stumbles.Status.OperationState.SyncResult.Resources[0].Message; !strings.Contains(m, "field is immutable") {
		t.Errorf("says %q", m)
	}
	w.deleteJob(app)
	w.want(w.sync(app), "Synced Healthy Succeeded")
}

func TestManifestsThatDoNotRender(t *testing.T) {
	t.Parallel()
	const app = "tariff-api-two"
	w := start(t, recorded(t, noRender))
	refused := w.sync(app)
	w.want(refused, "Unknown Healthy Error")
	if m := refused.Status.OperationState.Message; !strings.HasPrefix(m, "ComparisonError: ") {
		t.Errorf("says %q", m)
	}
	w.must(w.Push(own(app), simulator.Commit{Revision: fixed}))
	w.want(w.refresh(app, "normal"), "OutOfSync Healthy Error")
	w.want(w.sync(app), "Synced Healthy Succeeded")

	// The other way round: a commit that breaks it, which a refresh shows already.
	w.must(w.Push(own(app), simulator.Commit{Revision: "broken", Case: recorded(t, noRender)}))
	w.want(w.refresh(app, "normal"), "Unknown Healthy Succeeded")
}

// TestACauseOutsideOfGit: what was rendered is kept per revision, so that only a hard refresh sees that the cause is gone.
func TestACauseOutsideOfGit(t *testing.T) {
	t.Parallel()
	const app = "tariff-api-two"
	w := start(t, recorded(t, noRender))
	same := w.get(app).Status.Sync.Revision
	if same == "" {
		same = "r1"
		w.must(w.Push(own(app), simulator.Commit{Revision: same, Case: recorded(t, noRender)}))
		w.refresh(app, "hard")
	}
	w.must(w.Push(own(app), simulator.Commit{Revision: same}))
	w.want(w.refresh(app, "normal"), "Unknown Healthy Error")
	w.want(w.refresh(app, "hard"), "OutOfSync Healthy Error")
}

func TestDriftIsGoneAfterASync(t *testing.T) {
	t.Parallel()
	const app = "rating-api-two"
	name := app
	w := start(t, recorded(t, scaled))
	w.want(w.sync(app), "Synced Healthy Succeeded")
	managed, err := w.apps.ManagedResources(t.Context(), &applicationpkg.ResourcesQuery{ApplicationName: &name})
	w.must(err)
	for _, r := range managed.Items {
		if r.NormalizedLiveState != r.PredictedLiveState {
			t.Errorf("%s %s still differs", r.Kind, r.Name)
		}
	}
}

// TestASyncDoesNotCureWhatGitWants: an image that cannot be pulled is as Git wants it.
func TestASyncDoesNotCureWhatGitWants(t *testing.T) {
	t.Parallel()
	const app = "pricing-us"
	w := start(t, recorded(t, imagePull))
	w.want(w.sync(app), "Synced Degraded Succeeded")
	w.must(w.Push(own(app), simulator.Commit{Revision: fixed}))
	w.want(w.refresh(app, "normal"), "OutOfSync Degraded Succeeded")
	w.want(w.sync(app), "Synced Healthy Succeeded")
	for _, n := range w.tree(app).Nodes {
		if n.Health != nil && n.Health.Status != "Healthy" {
			t.Errorf("%s %s is %s", n.Kind, n.Name, n.Health.Status)
		}
	}
}

func TestPruningIsAskedFor(t *testing.T) {
	t.Parallel()
	const app = "harbor-view-eu"
	w := start(t, recorded(t, pruning))
	before := len(w.get(app).Status.Resources)
	w.want(w.sync(app), "OutOfSync Healthy Succeeded")
	prune := func(q *applicationpkg.ApplicationSyncRequest) { yes := true; q.Prune = &yes }
	pruned := w.sync(app, prune)
	w.want(pruned, "Synced Healthy Succeeded")
	if len(pruned.Status.Resources) >= before {
		t.Errorf("%d resources, before %d", len(pruned.Status.Resources), before)
	}
}

func TestADryRunChangesNothing(t *testing.T) {
	t.Parallel()
	const app = "rating-api-two"
	w := start(t, recorded(t, scaled))
	dry := func(q *applicationpkg.ApplicationSyncRequest) { yes := true; q.DryRun = &yes }
	w.want(w.sync(app, dry), "OutOfSync Healthy Succeeded")
	if o := w.Operations(); len(o) != 1 || !o[0].DryRun || o[0].Name() != own(app) {
		t.Errorf("operations: %+v", o)
	}
}

// TestAnOperationThatHangs is terminated, and hangs again.
func TestAnOperationThatHangs(t *testing.T) {
	t.Parallel()
	name := "meter-reader"
	w := start(t, recorded(t, waveStuck))
	if _, err := w.apps.Sync(t.Context(), &applicationpkg.ApplicationSyncRequest{Name: &name}); err == nil || !strings.Contains(err.Error(), "another operation is already in progress") {
		t.Errorf("a second operation: %v", err)
	}
	_, err := w.apps.TerminateOperation(t.Context(), &applicationpkg.OperationTerminateRequest{Name: &name})
	w.must(err)
	w.want(w.get(name), "OutOfSync Progressing Failed")
	again := w.sync(name)
	w.want(again, "OutOfSync Progressing Running")
	if m := again.Status.OperationState.Message; !strings.HasPrefix(m, "waiting for healthy state of") {
		t.Errorf("says %q", m)
	}
	w.must(w.Finish(own(name), simulator.Succeed(simulator.Operation{})))
	w.want(w.get(name), "Synced Healthy Succeeded")
}

func TestADeletedResourceIsMissing(t *testing.T) {
	t.Parallel()
	const app = "orders-worker-eu"
	w := start(t, recorded(t, well))
	var deployment *v1alpha1.ResourceStatus
	for _, r := range w.get(app).Status.Resources {
		if r.Kind == "Deployment" {
			deployment = &r
		}
	}
	if deployment == nil {
		t.Fatal("the case has no Deployment")
	}
	name := app
	_, err := w.apps.DeleteResource(t.Context(), &applicationpkg.ApplicationResourceDeleteRequest{
		Name: &name, Namespace: &deployment.Namespace, ResourceName: &deployment.Name, Kind: &deployment.Kind, Group: &deployment.Group, Version: &deployment.Version,
	})
	w.must(err)
	w.want(w.get(app), "OutOfSync Missing Succeeded")
	if w.has(app, "Deployment", deployment.Name) || slices.ContainsFunc(w.tree(app).Nodes, func(n v1alpha1.ResourceNode) bool { return n.Kind == "ReplicaSet" }) {
		t.Error("it, or what it owned, is still in the tree")
	}
}

func TestARecordedRefusalIsGivenAgain(t *testing.T) {
	t.Parallel()
	name := "inventory"
	w := start(t, recorded(t, window))
	if _, err := w.apps.Sync(t.Context(), &applicationpkg.ApplicationSyncRequest{Name: &name}); err == nil || !strings.Contains(err.Error(), "blocked by sync window") {
		t.Errorf("synced: %v", err)
	}
}

// TestReactionsOfTheCaller are asked instead.
func TestReactionsOfTheCaller(t *testing.T) {
	t.Parallel()
	const app = "courier-api"
	w := start(t, recorded(t, hookFailed))
	var heard []string
	w.React(simulator.Reactions{
		Sync: func(simulator.Operation) simulator.Outcome { return simulator.Outcome{Phase: "Failed", Message: "no"} },
		Refresh: func(_ simulator.Name, hard bool) {
			heard = append(heard, map[bool]string{true: "hard", false: "normal"}[hard])
		},
		Delete: func(_ simulator.Name, object evidence.Ref) { heard = append(heard, object.Name) },
	})
	w.refresh(app, "hard")
	w.deleteJob(app)
	if got := w.sync(app).Status.OperationState; got.Phase != "Failed" || got.Message != "no" {
		t.Errorf("synced: %+v", got)
	}
	if got := strings.Join(heard, " "); got != "hard migrate" {
		t.Errorf("heard %q", got)
	}
}
