package diagnose_test

import (
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestTheDateIsThatOfWhatTheCauseRestsOn: a failed operation of last week does not date a container that crashes since this morning.
func TestTheDateIsThatOfWhatTheCauseRestsOn(t *testing.T) {
	at := func(hour int) evidence.Time {
		return evidence.Time{Time: time.Date(2026, 3, 2, hour, 0, 0, 0, time.UTC)}
	}
	for name, c := range map[string]struct {
		rule, health string
		condition    bool
		want         time.Time
	}{
		"health":              {"health/x", "Degraded", false, at(3).Time},
		"of what is healthy":  {"health/x", "Healthy", false, time.Time{}},
		"a condition":         {"render/x", "Degraded", true, at(4).Time},
		"an operation":        {"apply/x", "Degraded", false, time.Time{}},
		"a difference":        {"drift/x", "Degraded", false, time.Time{}},
		"a missing resource":  {"drift/x", "Missing", false, at(3).Time},
		"health, unknown":     {"health/x", "Unknown", false, at(3).Time},
		"nothing that failed": {"", "Healthy", false, time.Time{}},
	} {
		app := &evidence.Application{}
		app.Metadata.Name = "web"
		app.Status.Health = evidence.Health{Status: c.health, LastTransitionTime: at(3)}
		if c.condition {
			app.Status.Conditions = []evidence.Condition{
				{Type: "OrphanedResourceWarning", Message: "1", LastTransitionTime: at(1)}, {Type: "ComparisonError", Message: "it does not render", LastTransitionTime: at(4)},
			}
		}
		check := finds(diagnose.Finding{Title: "x", Why: "x"})
		if c.condition {
			check = statement.Each(func(_ *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
				return diagnose.Finding{Title: "x", Why: "x"}, true
			})
		}
		var list []*diagnose.Rule
		if c.rule != "" {
			list = append(list, rule(c.rule, check))
		}
		engine, err := diagnose.New(list)
		if err != nil {
			t.Fatal(err)
		}
		r, err := engine.Diagnose(t.Context(), (&evidence.Case{Application: app}).Source(), at(9).Time)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Context.CauseSince.Equal(c.want) {
			t.Errorf("%s: since %v, want %v", name, r.Context.CauseSince, c.want)
		}
	}
}

// TestHowAHealthyApplicationCameToBeSo: what a recovery tells.
func TestHowAHealthyApplicationCameToBeSo(t *testing.T) {
	at := func(hour int) evidence.Time {
		return evidence.Time{Time: time.Date(2026, 3, 2, hour, 0, 0, 0, time.UTC)}
	}
	app := func(messages ...string) *evidence.Application {
		a := &evidence.Application{}
		a.Metadata.Name = "web"
		a.Status.Sync.Status, a.Status.Health = "Synced", evidence.Health{Status: "Healthy", LastTransitionTime: at(3)}
		op := &evidence.OperationState{Phase: "Succeeded", StartedAt: at(1), FinishedAt: at(2), SyncResult: &evidence.SyncResult{Revision: "9c1e0d2"}}
		op.Operation.Sync = &evidence.SyncOperation{}
		op.Operation.InitiatedBy.Username = "bob"
		for _, m := range messages {
			op.SyncResult.Resources = append(op.SyncResult.Resources, evidence.ResourceResult{Kind: "ConfigMap", Name: "settings", Status: "Synced", Message: m})
		}
		a.Status.OperationState = op
		return a
	}
	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	well := func(a *evidence.Application) *diagnose.Well {
		r, err := engine.Diagnose(t.Context(), (&evidence.Case{Application: a}).Source(), at(9).Time)
		if err != nil {
			t.Fatal(err)
		}
		return r.Well
	}
	w := well(app("configmap/settings unchanged", "configmap/settings unchanged"))
	if w == nil || !w.Since.Equal(at(3).Time) || w.Sync == nil {
		t.Fatalf("%+v", w)
	}
	if s := w.Sync; s.By != "bob" || s.Revision != "9c1e0d2" || !s.Finished.Equal(at(2).Time) || len(s.Applied) != 2 || !s.Untouched || s.Selected {
		t.Errorf("%+v", s)
	}
	for _, messages := range [][]string{{"configmap/settings unchanged", "configmap/settings configured"}, {"configmap/settings serverside-applied"}, nil} {
		if well(app(messages...)).Sync.Untouched {
			t.Errorf("%q: untouched", messages)
		}
	}
	tried := app()
	tried.Status.OperationState.Operation.Sync.DryRun = true
	if w := well(tried); w == nil || w.Sync != nil {
		t.Errorf("a dry run: %+v", w)
	}
	failing := app()
	failing.Status.OperationState.Phase = "Failed"
	if w := well(failing); w != nil {
		t.Errorf("one that fails: %+v", w)
	}
}

// TestTheDateIsTheEarliestOfWhatSaysTheSame: Argo CD updates the date of a condition whenever its wording changes.
func TestTheDateIsTheEarliestOfWhatSaysTheSame(t *testing.T) {
	at := func(hour int) evidence.Time {
		return evidence.Time{Time: time.Date(2026, 3, 2, hour, 0, 0, 0, time.UTC)}
	}
	const (
		wrapped = "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = "
		cached  = wrapped + "Manifest generation error (cached): "
		helm    = "failed to execute helm template command: `helm template . --name-template web` failed exit status 1: Error: values don't meet the specifications of the schema"
		other   = "failed to execute helm template command: `helm template . --name-template web` failed exit status 1: Error: parse error at (web/templates/x.yaml:3)"
		caching = "error synchronizing cache state : failed to sync cluster https://10.96.0.1:443: failed to load initial state of resource LimitRange: limitranges is forbidden"
	)
	condition := func(of, message string, hour int) evidence.Condition {
		return evidence.Condition{Type: of, Message: message, LastTransitionTime: at(hour)}
	}
	for name, c := range map[string]struct {
		conditions []evidence.Condition
		operation  string // that failed at 1
		want       int
	}{
		"the operation failed of it": {
			[]evidence.Condition{condition("ComparisonError", cached+helm, 8)}, "ComparisonError: " + wrapped + helm, 1,
		},
		"the operation failed of something else": {
			[]evidence.Condition{condition("ComparisonError", cached+helm, 8)}, "ComparisonError: " + wrapped + other, 8,
		},
		"an older condition says it": {
			[]evidence.Condition{condition("ComparisonError", "Failed to load live state: "+caching, 8), condition("UnknownError", caching, 4)}, "", 4,
		},
		"an older condition says something else": {
			[]evidence.Condition{condition("ComparisonError", wrapped+helm, 8), condition("UnknownError", "context deadline exceeded", 4)}, "", 8,
		},
	} {
		app := &evidence.Application{}
		app.Metadata.Name = "web"
		app.Status.Conditions = c.conditions
		if c.operation != "" {
			op := &evidence.OperationState{Phase: "Error", Message: c.operation, StartedAt: at(1), FinishedAt: at(1)}
			op.Operation.Sync = &evidence.SyncOperation{}
			app.Status.OperationState = op
		}
		engine, err := diagnose.New([]*diagnose.Rule{rule("render/x", statement.Each(func(_ *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
			return diagnose.Finding{Title: "x", Why: s.Failure.Text}, s.Condition == "ComparisonError"
		}))})
		if err != nil {
			t.Fatal(err)
		}
		r, err := engine.Diagnose(t.Context(), (&evidence.Case{Application: app}).Source(), at(9).Time)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Context.CauseSince.Equal(at(c.want).Time) {
			t.Errorf("%s: since %v, want %v", name, r.Context.CauseSince, at(c.want))
		}
	}
}
