package simulator_test

import (
	"strings"
	"testing"
	"time"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"

	"github.com/argo-why/argo-why/internal/simulator"
)

// whole is an Argo CD that makes up the managed resources that a case lacks.
func whole(t *testing.T, cases ...[]byte) *world {
	t.Helper()
	s, err := simulator.New(simulator.Options{Token: token, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	w := connect(t, s)
	for _, text := range cases {
		w.must(s.Put(text))
	}
	return w
}

func (w *world) managed(app string) ([]*v1alpha1.ResourceDiff, error) {
	got, err := w.apps.ManagedResources(w.tb.Context(), &applicationpkg.ResourcesQuery{ApplicationName: &app})
	return got.GetItems(), err
}

// differing are the managed resources that a sync changes, and which side of each there is.
func (w *world) differing(app string) string {
	w.tb.Helper()
	items, err := w.managed(app)
	w.must(err)
	var out []string
	for _, r := range items {
		if r.NormalizedLiveState == r.PredictedLiveState {
			continue
		}
		sides := ""
		if r.TargetState != "null" {
			sides += " in Git"
		}
		if r.LiveState != "null" {
			sides += " live"
		}
		out = append(out, r.Kind+"/"+r.Name+sides)
	}
	return strings.Join(out, ", ")
}

func outOfSync(app *v1alpha1.Application) string {
	var out []string
	for _, r := range app.Status.Resources {
		if r.Status == v1alpha1.SyncStatusCodeOutOfSync && !r.Hook {
			out = append(out, r.Kind+"/"+r.Name)
		}
	}
	return strings.Join(out, ", ")
}

// TestWhatACommitChanges: once it is compared, what fails is out of sync, and its image differs.
func TestWhatACommitChanges(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ file, app, wants string }{
		"an image":              {imagePull, "pricing-us", `"image":"registry.example/web:f1f1f1f"`},
		"what was refused":      {immutable, "checkout", `"image":"registry.example/web:f1f1f1f"`},
		"an application alone":  {noRender, "tariff-api-two", `"image":"registry.example.com/tariff-api-two:f1f1f1f"`},
		"one that is in order":  {well, "orders-worker-eu", `:f1f1f1f"`},
		"one without manifests": {"health/crash-loop/own-01", "ledger", `"image":"registry.example.com/ledger:f1f1f1f"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := whole(t, recorded(t, test.file))
			w.must(w.Push(own(test.app), simulator.Commit{Revision: fixed}))
			seen := w.refresh(test.app, "normal")
			if got := outOfSync(seen); seen.Status.Sync.Status != "OutOfSync" || strings.Count(got, "/") != 1 || w.differing(test.app) != got+" in Git live" {
				t.Errorf("%s: out of sync: %q; differing: %q", seen.Status.Sync.Status, got, w.differing(test.app))
			}
			items, err := w.managed(test.app)
			w.must(err)
			for _, r := range items {
				if r.Modified && (!strings.Contains(r.TargetState, test.wants) || !strings.Contains(r.PredictedLiveState, test.wants)) {
					t.Errorf("Git wants %s, and gets %s", r.TargetState, r.PredictedLiveState)
				}
			}
			w.want(w.sync(test.app), "Synced Healthy Succeeded")
			if got := w.differing(test.app); got != "" {
				t.Errorf("after the sync: %s", got)
			}
		})
	}
}

// TestManifestsPutBack: what the commit puts back is in sync, and nothing is to be pruned.
func TestManifestsPutBack(t *testing.T) {
	t.Parallel()
	const app = "web-store"
	w := whole(t, recorded(t, "operation/prune-blocked/own-03"))
	if got := w.differing(app); got != "Service/web-store live, Deployment/web-store live, ConfigMap/web-store live" {
		t.Errorf("differing: %s", got)
	}
	w.must(w.Push(own(app), simulator.Commit{Revision: fixed}))
	seen := w.refresh(app, "normal")
	w.want(seen, "Synced Healthy -")
	if got := w.differing(app); got != "" {
		t.Errorf("differing: %s", got)
	}
	for _, r := range seen.Status.Resources {
		if r.RequiresPruning {
			t.Errorf("%s %s is to be pruned", r.Kind, r.Name)
		}
	}
	w.must(w.Put(recorded(t, "operation/prune-blocked/own-03")))
	w.must(w.Settle(own(app)))
	if n := len(w.get(app).Status.Resources); n != 3 {
		t.Errorf("before Git lost them, there were %d resources", n)
	}
}

// TestReplicasLeftToTheAutoscaler: with them out of Git, nothing differs.
func TestReplicasLeftToTheAutoscaler(t *testing.T) {
	t.Parallel()
	const app = "mailer"
	w := whole(t, recorded(t, "drift/hpa/foreign-hpa-1"))
	w.must(w.Push(own(app), simulator.Commit{Revision: fixed}))
	w.want(w.refresh(app, "normal"), "Synced Healthy Succeeded")
	items, err := w.managed(app)
	w.must(err)
	if strings.Contains(items[0].TargetState, "replicas") || w.differing(app) != "" {
		t.Errorf("differing: %q; Git has %s", w.differing(app), items[0].TargetState)
	}
}

// TestWhatTheProjectForbidsLeavesGit: it never came into the cluster.
func TestWhatTheProjectForbidsLeavesGit(t *testing.T) {
	t.Parallel()
	const app = "depot"
	w := whole(t, recorded(t, "spec/resource-not-permitted/own-01"))
	w.must(w.Push(own(app), simulator.Commit{Revision: fixed}))
	seen := w.refresh(app, "normal")
	w.want(seen, "Synced Healthy Failed")
	if len(seen.Status.Resources) != 1 || w.differing(app) != "" {
		t.Errorf("resources: %+v", seen.Status.Resources)
	}
}

// TestManagedResourcesAreMadeUp only where Argo CD could compare, and where it is asked for.
func TestManagedResourcesAreMadeUp(t *testing.T) {
	t.Parallel()
	quota, outage := recorded(t, "apply/quota-exceeded/own-03"), recorded(t, "compare/cluster-unreachable/own-02")
	w := whole(t, quota, outage)
	if got := w.differing("lodging"); got != "Service/lodging in Git" {
		t.Errorf("differing: %s", got)
	}
	if items, err := w.managed("lodging"); err != nil || len(items) != 2 {
		t.Errorf("%v, %v", items, err)
	}
	missing := func(w *world, app string) {
		t.Helper()
		if _, err := w.managed(app); err == nil || !strings.Contains(err.Error(), "cache: key is missing") {
			t.Errorf("%s: %v", app, err)
		}
	}
	missing(w, "crm-sync")
	missing(start(t, quota), "lodging")
	w.must(w.Repair(own("crm-sync")))
	w.want(w.refresh("crm-sync", "hard"), "Synced Healthy -")
	if items, err := w.managed("crm-sync"); err != nil || len(items) != 2 {
		t.Errorf("compared again: %v, %v", items, err)
	}
}

// TestASyncWindowThatEnded: nothing has to be compared for that.
func TestASyncWindowThatEnded(t *testing.T) {
	t.Parallel()
	w := start(t, recorded(t, window))
	w.must(w.Repair(own("inventory")))
	w.want(w.sync("inventory"), "Synced Healthy Succeeded")
}

// TestADeletionIsFinished: what is being deleted is gone once nothing holds that up.
func TestADeletionIsFinished(t *testing.T) {
	t.Parallel()
	const app = "leaver"
	deleting := recorded(t, "health/deleting/own-01")
	for name, repair := range map[string]func(*world) error{
		"outside of Git": func(w *world) error { return w.Repair(own(app)) },
		"in Git":         func(w *world) error { return w.Push(own(app), simulator.Commit{Revision: fixed}) },
	} {
		w := start(t, deleting)
		w.must(w.Settle(own(app)))
		if w.get(app).DeletionTimestamp != nil {
			t.Error("it was deleted before anybody deleted it")
		}
		w.must(w.Put(deleting))
		changed := w.Changed()
		w.must(repair(w))
		if names := w.Names(); len(names) != 0 {
			t.Errorf("%s: there is %v", name, names)
		}
		select {
		case <-changed:
		default:
			t.Errorf("%s: nobody is notified", name)
		}
	}
}

// TestAFailureIsRecent: what failed long before it was recorded failed a minute ago, all else in its order; what hangs has
// hung as long as it had.
func TestAFailureIsRecent(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 1, 2, 3, 4, 5, 0, time.UTC)
	s, err := simulator.New(simulator.Options{Token: token, Recent: true, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	w := connect(t, s)
	for _, file := range []string{"render/path-not-found/own-03", "operation/stuck/own-02", "health/oom-killed/foreign-oom-killed-1"} {
		w.must(s.Put(recorded(t, file)))
	}
	failed := w.get("cargo-desk").Status
	if ended := failed.OperationState.FinishedAt; now.Sub(ended.Time) != time.Minute {
		t.Errorf("failed %s ago", now.Sub(ended.Time))
	}
	if at := failed.Conditions[0].LastTransitionTime; now.Sub(at.Time) >= time.Minute || now.Before(at.Time) {
		t.Errorf("complains since %s", now.Sub(at.Time))
	}
	if at := failed.Health.LastTransitionTime; now.Sub(at.Time) != 47*time.Minute+25*time.Second {
		t.Errorf("healthy since %s", now.Sub(at.Time))
	}
	if at := w.get("label-print").Status.OperationState.StartedAt; now.Sub(at.Time) < 13*time.Hour {
		t.Errorf("runs for %s", now.Sub(at.Time))
	}
	if at := w.get("media-store").Status.Health.LastTransitionTime; now.Sub(at.Time) != time.Minute {
		t.Errorf("degraded for %s", now.Sub(at.Time))
	}
}
