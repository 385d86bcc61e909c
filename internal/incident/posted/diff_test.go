package posted_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident/posted"
)

// drifted is an application whose resources differ in a field each.
func drifted(t *testing.T, resources ...string) (*evidence.Application, []evidence.ResourceDiff) {
	t.Helper()
	var app evidence.Application
	var managed []evidence.ResourceDiff
	for _, r := range resources {
		group, kind, name := "", "ConfigMap", r
		if k, n, ok := strings.Cut(r, "/"); ok {
			group, kind, name = "argoproj.io", k, n
		}
		var status evidence.ResourceStatus
		read(t, fmt.Sprintf(`{"group": %q, "kind": %q, "namespace": "argocd", "name": %q, "status": "OutOfSync"}`, group, kind, name), &status)
		app.Status.Resources = append(app.Status.Resources, status)
		object := func(value string) string {
			return fmt.Sprintf(`{"apiVersion": "v1", "kind": %q, "metadata": {"namespace": "argocd", "name": %q}, "data": {"note": %q}}`, kind, name, value)
		}
		var d evidence.ResourceDiff
		raw, err := json.Marshal(map[string]string{
			"group": group, "kind": kind, "namespace": "argocd", "name": name, "targetState": object("quiet"), "liveState": object("see " + said),
			"normalizedLiveState": object("see " + said), "predictedLiveState": object("quiet"),
		})
		if err != nil {
			t.Fatal(err)
		}
		read(t, string(raw), &d)
		managed = append(managed, d)
	}
	return &app, managed
}

func read(t *testing.T, raw string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw), into); err != nil {
		t.Fatal(err)
	}
}

func TestADiffIsShownWithoutPrivateNames(t *testing.T) {
	app, managed := drifted(t, "settings", "Application/vault-core", "AppProject/vault", "Application/shop")
	d := posted.DiffTo(places.InChannel(t.Context(), "ops"), shop, app, managed)
	if got := shown(t, d); strings.Contains(got, "vault") || !strings.Contains(got, "see "+instead) {
		t.Errorf("outsiders read %s", got)
	}
	if len(d.Resources) != 4 || d.Resources[1].Ref.Name != evidence.Private || d.Resources[2].Ref.Name != evidence.Private || d.Resources[1].Unread == "" || len(d.Resources[3].Fields) != 1 {
		t.Errorf("%+v", d.Resources)
	}
	if got := shown(t, posted.DiffTo(audience.All(), shop, app, managed)); !strings.Contains(got, "vault-core") || !strings.Contains(got, `"vault"`) {
		t.Errorf("somebody who sees all reads %s", got)
	}
}

func TestADiffCountsWhatItLeavesOut(t *testing.T) {
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprintf("settings-%d", i))
	}
	app, managed := drifted(t, names...)
	if d := posted.DiffTo(audience.All(), shop, app, managed); len(d.Resources)+d.Further != 40 || d.Further == 0 {
		t.Errorf("%d resources and %d further", len(d.Resources), d.Further)
	}
}
