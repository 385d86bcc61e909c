package drift

import (
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

// TestANullInGitIsNoEmptyValue: Argo CD predicts "" where Git has null, but an apply removes the field.
func TestANullInGitIsNoEmptyValue(t *testing.T) {
	r, err := Compare(evidence.ResourceDiff{
		Kind: "ConfigMap", Name: "settings",
		TargetState:         `{"kind":"ConfigMap","data":{"LOG":"info","PROXY":null}}`,
		LiveState:           `{"kind":"ConfigMap","data":{"LOG":"info"}}`,
		NormalizedLiveState: `{"kind":"ConfigMap","data":{"LOG":"info"}}`,
		PredictedLiveState:  `{"kind":"ConfigMap","data":{"LOG":"info","PROXY":""}}`,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Fields) != 1 || r.Fields[0].Desired != nil || !r.Fields[0].InDesired {
		t.Errorf("the desired value is not null: %+v", r.Fields)
	}
}

func TestKnownDefaults(t *testing.T) {
	for name, c := range map[string]struct {
		field Field
		want  bool
	}{
		"a port's protocol":             {Field{Path: Path{{Field: "protocol"}}, Live: "TCP", InLive: true}, true},
		"another protocol":              {Field{Path: Path{{Field: "protocol"}}, Live: "UDP", InLive: true}, false},
		"one that Git sets":             {Field{Path: Path{{Field: "protocol"}}, Live: "TCP", InLive: true, Desired: "UDP", InDesired: true}, false},
		"one that Git sets to null":     {Field{Path: Path{{Field: "protocol"}}, Live: "TCP", InLive: true, InDesired: true}, true},
		"an object of defaults":         {Field{Path: Path{{Field: "rollingUpdate"}}, Live: map[string]any{"maxSurge": "25%", "maxUnavailable": "25%"}, InLive: true}, true},
		"an object with something else": {Field{Path: Path{{Field: "rollingUpdate"}}, Live: map[string]any{"maxSurge": "90%"}, InLive: true}, false},
		"an empty object":               {Field{Path: Path{{Field: "namespaceSelector"}}, Live: map[string]any{}, InLive: true}, true},
		"a list":                        {Field{Path: Path{{Field: "protocol"}}, Live: []any{"TCP"}, InLive: true}, false},
	} {
		if got := c.field.IsDefault(); got != c.want {
			t.Errorf("%s: IsDefault() = %v", name, got)
		}
	}
}

func TestLessComparesQuantities(t *testing.T) {
	if !Less("10Gi", "50Gi") || Less("1000m", 1.0) || Less("ten", "50Gi") {
		t.Error("quantities are not compared as such")
	}
}
