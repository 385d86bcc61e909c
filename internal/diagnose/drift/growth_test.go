package drift_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

// A list of thousands, each member with an owner of its own, is compared with work that grows with its length: four times the members
// would be sixteen times the allocations if each were looked for among all.
func TestCompareGrowsWithTheList(t *testing.T) {
	allocations := func(n int) float64 {
		d := variables(t, n)
		return testing.AllocsPerRun(1, func() {
			r, err := drift.Compare(d)
			if err != nil || len(r.Fields) != n || len(r.Fields[n-1].Owners) != 1 || !r.Fields[n-1].Owners[0].Exact {
				t.Errorf("of %d variables, %d fields differ: %v", n, len(r.Fields), err)
			}
		})
	}
	small, large := allocations(100), allocations(400)
	if large > 6*small {
		t.Errorf("%.0f allocations for 100 members, %.0f for 400", small, large)
	}
}

// variables is a resource with n variables that differ, each of which its manager owns.
func variables(t *testing.T, n int) evidence.ResourceDiff {
	t.Helper()
	state := func(value string) string {
		var list []any
		owned := map[string]any{}
		for i := range n {
			name := fmt.Sprintf("V%d", i)
			list = append(list, map[string]any{"name": name, "value": value})
			owned[fmt.Sprintf(`k:{"name":%q}`, name)] = map[string]any{".": map[string]any{}, "f:name": map[string]any{}, "f:value": map[string]any{}}
		}
		out, err := json.Marshal(map[string]any{
			"apiVersion": "example.com/v1", "kind": "Settings",
			"metadata": map[string]any{"name": "web", "namespace": "shop", "managedFields": []any{map[string]any{
				"manager": "editor", "operation": "Update", "fieldsV1": map[string]any{"f:spec": map[string]any{"f:env": owned}},
			}}},
			"spec": map[string]any{"env": list},
		})
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	var d evidence.ResourceDiff
	raw, err := json.Marshal(map[string]any{
		"group": "example.com", "kind": "Settings", "namespace": "shop", "name": "web",
		"liveState": state("1"), "targetState": state("2"), "normalizedLiveState": state("1"), "predictedLiveState": state("2"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	return d
}
