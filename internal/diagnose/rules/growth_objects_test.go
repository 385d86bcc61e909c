package rules_test

import (
	"fmt"
	"path"
	"runtime"
	"slices"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

// TestWorkGrowsWithTheObjects: of each recorded failure of an object, every list and map in what was read of it, four times as long. Whoever writes a pod or
// a claim chooses how long they are, and a rule may compare each of one with each of another.
func TestWorkGrowsWithTheObjects(t *testing.T) {
	const (
		small, limit = 250, 6
		nothing      = 1000 // KB
	)
	const ofRule = 3 // cases
	seen := map[string]int{}
	for _, r := range recordedCases(t) {
		rule := path.Dir(r.name)
		if seen[rule] == ofRule || len(r.c.Resources) == 0 {
			continue
		}
		seen[rule]++
		t.Run(r.name, func(t *testing.T) {
			takes := func(n int) (kilobytes float64) {
				e, c := engine(t), *r.c
				c.Resources = nil
				for _, o := range r.c.Resources {
					grown, _ := lengthened(map[string]any(o), n).(map[string]any)
					c.Resources = append(c.Resources, evidence.Object(grown))
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				if _, err := e.Diagnose(t.Context(), c.Source(), c.Now.Time); err != nil {
					t.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				return float64(after.TotalAlloc-before.TotalAlloc) / 1024
			}
			takes(1)
			kilobytes, more := takes(small), takes(4*small)
			if more > limit*(kilobytes+nothing) {
				t.Errorf("%d take %.0f KB, %d take %.0f KB", small, kilobytes, 4*small, more)
			}
		})
	}
	if len(seen) < 20 {
		t.Errorf("the objects of only %d rules were looked at", len(seen))
	}
}

// lengthened is a value whose outermost lists, and whose maps of texts, have n entries more, each like one that they have.
func lengthened(v any, n int) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		words := len(v) > 0 // labels, a selector
		for key, inner := range v {
			out[key] = lengthened(inner, n)
			_, word := inner.(string)
			words = words && word
		}
		if !words || v["name"] != nil || v["key"] != nil || v["kind"] != nil || v["type"] != nil {
			return out
		}
		for i := range n {
			out[fmt.Sprint("more", i)] = "x"
		}
		return out
	case []any:
		out := slices.Clone(v)
		for i := 0; i < n && len(v) > 0; i++ {
			e := v[i%len(v)]
			if s, ok := e.(string); ok {
				e = fmt.Sprint(s, i)
			}
			out = append(out, e)
		}
		return out
	}
	return v
}
