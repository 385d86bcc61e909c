package drift_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
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
	return twoStates(state("1"), state("2"))
}

// twoStates is a resource that is live in one state, and in another one in Git.
func twoStates(live, git string) evidence.ResourceDiff {
	return evidence.ResourceDiff{
		Group: "example.com", Kind: "Settings", Namespace: "shop", Name: "web",
		LiveState: evidence.State(live), TargetState: evidence.State(git), NormalizedLiveState: evidence.State(live), PredictedLiveState: evidence.State(git),
	}
}

// settings is a resource with a spec, and the entries of managedFields.
func settings(spec string, managers ...string) string {
	return `{"apiVersion":"example.com/v1","kind":"Settings","metadata":{"name":"web","namespace":"shop","managedFields":[` + strings.Join(managers, ",") + `]},"spec":` + spec + `}`
}

// hostileStates are objects whose comparison was superlinear: n is how many parts they have, value is what differs.
var hostileStates = map[string]func(n int, value string) string{
	"many fields at the end of a long path": func(n int, value string) string {
		depth := n / 10
		return settings(strings.Repeat(`{"a":`, depth) + "{" + entries(n, `"k%d":`+value) + "}" + strings.Repeat("}", depth))
	},
	"a field at each level": func(n int, value string) string {
		return settings(strings.Repeat(`{"b":`+value+`,"c":`+value+`,"a":`, n/10) + "1" + strings.Repeat("}", n/10))
	},
	"lists in lists": func(n int, value string) string {
		depth := n / 30
		return settings(`{"x":` + strings.Repeat(`[{"name":"a","x":`, depth) + "[" + entries(n, `{"name":"n%d","value":`+value+"}") + "]" + strings.Repeat(`},{"name":"b"}]`, depth) + "}")
	},
	"a member with a long key": func(n int, value string) string {
		return settings(`{"x":[{"name":"` + strings.Repeat("n", 10*n) + `",` + entries(n, `"k%d":`+value) + "}]}")
	},
	"many managers": func(n int, value string) string {
		managers := strings.Split(entries(n, `{"manager":"m%d","operation":"Update","fieldsV1":{"f:spec":{}}}|`), "|,")
		managers[n-1] = strings.TrimSuffix(managers[n-1], "|")
		return settings("{"+entries(n, `"k%d":`+value)+"}", managers...)
	},
	"many ways to tell members apart": func(n int, value string) string {
		owned := entries(n, `"k:{\"k%d\":1}":{}`)
		return settings(`{"x":[`+entries(n, `{"k%d":`+value+"}")+"]}", `{"manager":"m","operation":"Update","fieldsV1":{"f:spec":{"f:x":{`+owned+`}}}}`)
	},
	"many secrets of one name": func(n int, value string) string {
		return settings(`{"x":[` + entries(n, `{"password":"Xk7dp9fZ2qW%d`+value+`"}`) + "]}")
	},
}

// entries are n numbered ones.
func entries(n int, one string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(one, i)
	}
	return strings.Join(out, ",")
}

// Four times the object may take about four times the memory, and not 16 times.
func TestCompareGrowsWithTheObject(t *testing.T) {
	for name, state := range hostileStates {
		takes := func(n int) float64 {
			d := twoStates(state(n, "1"), state(n, "2"))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := drift.Compare(d)
			runtime.ReadMemStats(&after)
			if err != nil || len(r.Fields) == 0 {
				t.Errorf("%s: %d fields: %v", name, len(r.Fields), err)
			}
			return float64(after.TotalAlloc - before.TotalAlloc)
		}
		takes(100) // what is made once
		if small, large := takes(1_500), takes(6_000); large > 6*small {
			t.Errorf("%s: %.0f KB are allocated for 1,500 parts, %.0f KB for 6,000", name, small/1024, large/1024)
		}
	}
}

// A path that takes too much room is not dropped without a word.
func TestFieldsThatAreNotNotedAreCounted(t *testing.T) {
	fan := func(n int, value string) string {
		const depth = 100
		return settings(strings.Repeat(`{"a":`, depth) + "{" + entries(n, `"k%d":`+value) + "}" + strings.Repeat("}", depth))
	}
	for name, state := range map[string]func(n int, value string) string{"many": fan, "long": hostileStates["a member with a long key"]} {
		const n = 8_000
		r, err := drift.Compare(twoStates(state(n, "1"), state(n, "2")))
		if err != nil || len(r.Fields) == 0 || len(r.Fields)+r.Further != n {
			t.Errorf("%s: %d fields and %d further ones: %v", name, len(r.Fields), r.Further, err)
		}
	}
	key := strings.Repeat("k", 1<<20)
	r, err := drift.Compare(twoStates(settings(`{"`+key+`":1}`), settings(`{"`+key+`":2}`)))
	if err != nil || len(r.Fields) != 1 || r.Fields[0].Path.String() != "spec" {
		t.Errorf("of a field with a long name, %d are noted: %v", len(r.Fields), err)
	}
}

// Maps in maps were looked at twice as often for each level.
func TestSameLooksAtEachValueOnce(t *testing.T) {
	nested := func(leaf any) any {
		for range 500 {
			leaf = map[string]any{"a": leaf, "b": 1.0}
		}
		return leaf
	}
	if how, same := drift.Same(nested("1"), nested(1.0)); !same || how == "" {
		t.Errorf("they are said to differ (%s)", how)
	}
	if _, same := drift.Same(nested("1"), nested(2.0)); same {
		t.Error("they are said to be the same")
	}
}
