package simulator_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/simulator"
)

// inTheWay is a migration whose failed Job nothing deletes.
func inTheWay(t *testing.T) []byte {
	t.Helper()
	return recorded(t, hookFailed, "BeforeHookCreation", "HookSucceeded")
}

func (w *world) state(app string) simulator.State {
	w.tb.Helper()
	got, err := w.State(own(app))
	w.must(err)
	return got
}

// shows compares the state of an application with "Synced Healthy Succeeded".
func (w *world) shows(app, want string) {
	w.tb.Helper()
	if s := w.state(app); strings.TrimSpace(s.Sync+" "+s.Health+" "+s.Operation) != want {
		w.tb.Errorf("shows %+v, want %s", s, want)
	}
}

func TestSomebodySyncsBesideTheBot(t *testing.T) {
	t.Parallel()
	const app = "rating-api-two"
	w := start(t, recorded(t, scaled))
	w.must(w.Sync(own(app), false))
	w.shows(app, "Synced Healthy Succeeded")
	if by := w.get(app).Status.OperationState.Operation.InitiatedBy.Username; by != simulator.Person {
		t.Errorf("started by %q", by)
	}
	if o := w.Operations(); len(o) != 1 || o[0].By != simulator.Person {
		t.Errorf("operations: %+v", o)
	}
	if len(w.Refreshes()) != 0 || w.Refresh(own(app), true) != nil || len(w.Refreshes()) != 0 {
		t.Error("a person's refresh counts as one over the API")
	}
}

func TestWhatIsRefusedOverTheAPIIsRefusedToAPerson(t *testing.T) {
	t.Parallel()
	w := start(t, recorded(t, window), recorded(t, waveStuck), recorded(t, well))
	for _, c := range []struct {
		err  error
		want string
	}{
		{w.Sync(own("inventory"), false), "blocked by sync window"},
		{w.Sync(own("meter-reader"), false), "another operation is already in progress"},
		{w.Terminate(own("orders-worker-eu")), "No operation is in progress"},
		{w.Sync(own("nobody"), false), "no application argocd/nobody"},
		{w.Settle(own("nobody")), "no application argocd/nobody"},
		{w.Repair(own("nobody")), "no application argocd/nobody"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
	w.must(w.Terminate(own("meter-reader")))
	w.shows("meter-reader", "OutOfSync Progressing Failed")
	w.must(w.Repair(own("inventory")))
	w.must(w.Refresh(own("inventory"), true))
	w.must(w.Sync(own("inventory"), false))
	w.shows("inventory", "Synced Healthy Succeeded")
}

// TestAJobStaysInTheWayAfterARefresh: that Argo CD has seen the fix does not delete the Job that failed before.
func TestAJobStaysInTheWayAfterARefresh(t *testing.T) {
	t.Parallel()
	const app = "courier-api"
	w := start(t, inTheWay(t))
	w.must(w.Push(own(app), simulator.Commit{Revision: fixed}))
	w.must(w.Refresh(own(app), true))
	w.must(w.Sync(own(app), false))
	w.shows(app, "OutOfSync Healthy Failed")
	jobs := w.state(app).FailedJobs
	if len(jobs) != 1 || jobs[0].Name != "migrate" {
		t.Fatalf("in the way: %v", jobs)
	}
	w.must(w.Delete(own(app), jobs[0]))
	w.must(w.Sync(own(app), false))
	w.shows(app, "Synced Healthy Succeeded")
	if jobs := w.state(app).FailedJobs; jobs != nil {
		t.Errorf("still in the way: %v", jobs)
	}
}

// TestACauseThatArgoCDDoesNotRender needs no hard refresh: what is asked again is the database, not a cache.
func TestACauseThatArgoCDDoesNotRender(t *testing.T) {
	t.Parallel()
	const app = "courier-api"
	w := start(t, recorded(t, hookFailed))
	revision := w.state(app).Revision
	w.must(w.Repair(own(app)))
	if p := w.state(app).Pushed; p != revision {
		t.Errorf("Git has %q", p)
	}
	w.must(w.Sync(own(app), false))
	w.shows(app, "Synced Healthy Succeeded")
}

func TestASyncTakesItsTime(t *testing.T) {
	t.Parallel()
	s, err := simulator.New(simulator.Options{Token: token, SyncTakes: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	w := connect(t, s)
	w.must(s.Put(recorded(t, scaled)))
	const app = "rating-api-two"
	w.want(w.sync(app), "OutOfSync Healthy Running")
	if s := w.state(app); !s.Running {
		t.Errorf("%+v", s)
	}
	w.must(w.Terminate(own(app)))
	w.shows(app, "OutOfSync Healthy Failed")
}

func TestASyncEndsByItself(t *testing.T) {
	t.Parallel()
	s, err := simulator.New(simulator.Options{Token: token, SyncTakes: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	w := connect(t, s)
	const app = "rating-api-two"
	w.must(s.Put(recorded(t, scaled)))
	w.must(w.Sync(own(app), false))
	for {
		changed := s.Changed()
		if !w.state(app).Running {
			break
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			t.Fatal("it still runs")
		}
	}
	w.shows(app, "Synced Healthy Succeeded")
}

func TestEveryChangeIsSignalled(t *testing.T) {
	t.Parallel()
	const app = "rating-api-two"
	w := start(t, recorded(t, scaled))
	for what, change := range map[string]func() error{
		"push":    func() error { return w.Push(own(app), simulator.Commit{Revision: fixed}) },
		"refresh": func() error { return w.Refresh(own(app), false) },
		"sync":    func() error { return w.Sync(own(app), false) },
		"put":     func() error { return w.Put(recorded(t, well)) },
		"settle":  func() error { return w.Settle(own(app)) },
		"remove":  func() error { return w.Remove(own("orders-worker-eu")) },
	} {
		if what == "remove" {
			w.must(w.Put(recorded(t, well)))
		}
		changed := w.Changed()
		select {
		case <-changed:
			t.Fatalf("signalled before: %s", what)
		default:
		}
		w.must(change())
		select {
		case <-changed:
		default:
			t.Errorf("not signalled: %s", what)
		}
	}
}

func TestStatesAreInOrderOfArrival(t *testing.T) {
	t.Parallel()
	w := start(t, recorded(t, well), recorded(t, noRender))
	w.must(w.Push(own("tariff-api-two"), simulator.Commit{Revision: fixed}))
	states := w.States()
	if len(states) != 2 || states[0].Name != own("orders-worker-eu") || states[1].Name != own("tariff-api-two") {
		t.Fatalf("%+v", states)
	}
	if s := states[1]; s.Sync != "Unknown" || s.Operation != "Error" || !strings.HasPrefix(s.Message, "ComparisonError") || s.Pushed != fixed || s.Project != "default" {
		t.Errorf("%+v", s)
	}
}

// TestSeveralSources: what is pushed is pushed to the first of them.
func TestSeveralSources(t *testing.T) {
	t.Parallel()
	const app = "courier-api"
	w := start(t, severalSources(t, inTheWay(t)))
	job := w.state(app).FailedJobs
	if len(job) != 1 || w.state(app).Revision != "a1" {
		t.Fatalf("%+v", w.state(app))
	}
	w.must(w.Push(own(app), simulator.Commit{Revision: fixed}))
	w.must(w.Refresh(own(app), false))
	w.must(w.Delete(own(app), job[0]))
	w.must(w.Sync(own(app), false))
	w.shows(app, "Synced Healthy Succeeded")
	if got := w.get(app).Status.Sync.Revisions; !slices.Equal(got, []string{fixed, "b1"}) {
		t.Errorf("synced to %v", got)
	}
	w.must(w.Settle(own(app)))
	w.shows(app, "Synced Healthy Succeeded")
	if s := w.get(app).Status.Sync; len(s.Revisions) != 2 || s.Revisions[0] == fixed || s.Revision != "" {
		t.Errorf("settled at %+v", s)
	}
}

// severalSources makes the application of a case one of two sources.
func severalSources(t *testing.T, text []byte) []byte {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	app, _ := doc["application"].(map[string]any)
	spec, _ := app["spec"].(map[string]any)
	spec["sources"] = []any{spec["source"], spec["source"]}
	delete(spec, "source")
	status, _ := app["status"].(map[string]any)
	sync, _ := status["sync"].(map[string]any)
	sync["revisions"] = []string{"a1", "b1"}
	delete(sync, "revision")
	out, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNobodyKnowsHowARunningSyncEnds: what it comes to is shown when it has ended.
func TestNobodyKnowsHowARunningSyncEnds(t *testing.T) {
	t.Parallel()
	s, err := simulator.New(simulator.Options{Token: token, SyncTakes: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	w := connect(t, s)
	w.must(s.Put(recorded(t, immutable)))
	running := w.sync("checkout")
	w.want(running, "OutOfSync Healthy Running")
	if o := running.Status.OperationState; o.Message != "" || len(o.SyncResult.Resources) != 0 {
		t.Errorf("says %q and shows %v", o.Message, o.SyncResult.Resources)
	}
	// What does not render does not begin.
	w.must(s.Put(recorded(t, noRender)))
	w.want(w.sync("tariff-api-two"), "Unknown Healthy Error")
}

// TestARefreshRevertsNothing: what somebody changed in the cluster is no cause outside of Git that can go away.
func TestARefreshRevertsNothing(t *testing.T) {
	t.Parallel()
	const app = "rating-api-two"
	w := start(t, recorded(t, scaled))
	w.must(w.Settle(own(app)))
	if _, err := w.Edit(own(app)); err != nil {
		t.Fatal(err)
	}
	w.must(w.Repair(own(app)))
	w.must(w.Refresh(own(app), true))
	w.shows(app, "OutOfSync Healthy Succeeded")
}

// TestARefreshIsEnoughAfterAnOutage: what lives was deployed from what Git still holds.
func TestARefreshIsEnoughAfterAnOutage(t *testing.T) {
	t.Parallel()
	const app = "garage-api"
	w := start(t, recorded(t, "render/git-unreachable/own-01"))
	w.shows(app, "Unknown Healthy Succeeded")
	w.must(w.Refresh(own(app), true))
	w.shows(app, "Unknown Healthy Succeeded")
	w.must(w.Repair(own(app)))
	w.shows(app, "Unknown Healthy Succeeded")
	w.must(w.Refresh(own(app), false))
	w.shows(app, "Synced Healthy Succeeded")
}
