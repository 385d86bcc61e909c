package simulator_test

import (
	"encoding/json"
	"strings"
	"testing"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"

	"github.com/argo-why/argo-why/internal/simulator"
)

func TestAnApplicationIsWellBeforeItFails(t *testing.T) {
	t.Parallel()
	for _, name := range []string{hookFailed, waveStuck, noRender, scaled, imagePull, pruning, immutable, window, well} {
		w := start(t, recorded(t, name))
		app := w.Names()[0].Name
		before := w.state(app)
		w.must(w.Settle(own(app)))
		w.shows(app, "Synced Healthy Succeeded")
		after := w.state(app)
		if after.Running || after.FailedJobs != nil || after.Revision == before.Revision || len(after.Revision) != 40 {
			t.Errorf("%s: %+v, before %+v", name, after, before)
		}
		w.must(w.Sync(own(app), false))
		w.shows(app, "Synced Healthy Succeeded")
		w.must(w.Put(recorded(t, name)))
		if broken := w.state(app); broken.Sync != before.Sync || broken.Health != before.Health || broken.Operation != before.Operation {
			t.Errorf("%s: %+v, before %+v", name, broken, before)
		}
	}
}

func TestSomebodyEditsByHand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, app, want, manager, reverted string }{
		{scaled, "rating-api-two", "Deployment web: spec.replicas 2 → 5", "kubectl", "2 "},
		{pruning, "harbor-view-eu", "ConfigMap keep: data.a 1 → 10", "kubectl-edit", ` {"a":"1"} `},
	} {
		w := start(t, recorded(t, c.name))
		w.must(w.Settle(own(c.app)))
		edit, err := w.Edit(own(c.app))
		w.must(err)
		if edit.String() != c.want || edit.Manager != c.manager {
			t.Errorf("edited %s by %s", edit, edit.Manager)
		}
		w.shows(c.app, "OutOfSync Healthy Succeeded")
		if live := w.live(c.app, edit); !strings.Contains(live, `"manager":"`+c.manager+`"`) {
			t.Errorf("nobody is noted as writer: %s", live)
		}
		w.must(w.Refresh(own(c.app), true)) // does not make it go away
		w.shows(c.app, "OutOfSync Healthy Succeeded")
		w.must(w.Sync(own(c.app), false))
		w.shows(c.app, "Synced Healthy Succeeded")
		if live := w.live(c.app, edit); !strings.Contains(live, c.reverted) || strings.HasPrefix(live, "5") {
			t.Errorf("not reverted: %s", live)
		}
		again, err := w.Edit(own(c.app))
		w.must(err)
		if again != edit {
			t.Errorf("the next time: %+v", again)
		}
	}
	w := start(t, recorded(t, noRender))
	if _, err := w.Edit(own("tariff-api-two")); err == nil || !strings.Contains(err.Error(), "no synced workload or ConfigMap") {
		t.Errorf("edited: %v", err)
	}
}

// live is what the API server has of the object that was edited: its fields as JSON.
func (w *world) live(app string, e simulator.Edit) string {
	w.tb.Helper()
	r, err := w.apps.ManagedResources(w.tb.Context(), &applicationpkg.ResourcesQuery{ApplicationName: &app, Kind: &e.Object.Kind, Name: &e.Object.Name})
	w.must(err)
	if len(r.Items) != 1 {
		w.tb.Fatalf("%d objects", len(r.Items))
	}
	var object struct {
		Metadata struct{ ManagedFields json.RawMessage }
		Spec     struct{ Replicas json.RawMessage }
		Data     json.RawMessage
	}
	w.must(json.Unmarshal([]byte(r.Items[0].LiveState), &object))
	return strings.Join([]string{string(object.Spec.Replicas), string(object.Data), string(object.Metadata.ManagedFields)}, " ")
}
