package diagnose_test

import (
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestWhatASyncTouches: two resources of one name are told apart by their namespaces.
func TestWhatASyncTouches(t *testing.T) {
	engine, err := diagnose.New([]*diagnose.Rule{rule("drift/x", finds(diagnose.Finding{Title: "differs", Why: "x", Sync: diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "y"}}))})
	if err != nil {
		t.Fatal(err)
	}
	app := &evidence.Application{}
	app.Metadata.Name = "web"
	app.Status.Sync.Status = "OutOfSync"
	for _, ref := range []evidence.Ref{{Kind: "Secret", Namespace: "team-a", Name: "pull"}, {Kind: "Secret", Namespace: "team-b", Name: "pull"}, {Kind: "ConfigMap", Namespace: "team-b", Name: "settings"}} {
		app.Status.Resources = append(app.Status.Resources, evidence.ResourceStatus{Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name, Status: "OutOfSync", Health: &evidence.Health{Status: "Healthy"}})
	}
	r, err := engine.Diagnose(t.Context(), (&evidence.Case{Application: app}).Source(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"Secret/pull in team-a: changed", "Secret/pull in team-b: changed", "ConfigMap/settings: changed"}; !slices.Equal(r.Sync.Affects, want) {
		t.Errorf("got %q, want %q", r.Sync.Affects, want)
	}
}
