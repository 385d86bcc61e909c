package rules_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

// TestWorkGrowsWithTheTasks: of each recorded sync that failed, its longest refusal again and again, for other resources, in other words and in
// longer ones. Four times as many take about four times the steps and the memory, also where the evidence that a rule asks for cannot be read.
func TestWorkGrowsWithTheTasks(t *testing.T) {
	const (
		small, limit = 20, 6
		nothing      = 500    // KB
		few          = 10_000 // steps
	)
	seen := map[string]bool{}
	for _, r := range recordedCases(t) {
		rule, _, _ := strings.Cut(r.name, ".json")
		rule = rule[:max(0, strings.LastIndexByte(rule, '/'))]
		task := longestRefusal(r.c)
		if task == nil || seen[rule] {
			continue
		}
		seen[rule] = true
		t.Run(rule, func(t *testing.T) {
			takes := func(n int) (steps int, kilobytes float64) {
				e, c := engine(t), *r.c
				e.Spent = func(n int) { steps = n }
				app := *c.Application
				op := *app.Status.OperationState
				result := *op.SyncResult
				c.Application, app.Status.OperationState, op.SyncResult = &app, &op, &result
				result.Resources = nil
				for i := range n {
					again := *task
					again.Name = fmt.Sprint("x", i)
					again.Message = fmt.Sprintf("%d %s %s", i, strings.Repeat(task.Message[:len(task.Message)/2]+" ", 3), task.Message)
					result.Resources = append(result.Resources, again)
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				if _, err := e.Diagnose(t.Context(), c.Source(), c.Now.Time); err != nil {
					t.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				return steps, float64(after.TotalAlloc-before.TotalAlloc) / 1024
			}
			takes(5)
			steps, kilobytes := takes(small)
			more, moreKilobytes := takes(4 * small)
			if more > limit*(steps+few) || moreKilobytes > limit*(kilobytes+nothing) {
				t.Errorf("%d take %d steps and %.0f KB, %d take %d steps and %.0f KB", small, steps, kilobytes, 4*small, more, moreKilobytes)
			}
		})
	}
	if len(seen) < 20 {
		t.Errorf("only %d rules", len(seen))
	}
}

// longestRefusal is the failed task of a case with the longest message; nil without one.
func longestRefusal(c *evidence.Case) *evidence.ResourceResult {
	if c.Application == nil || c.Application.Status.OperationState == nil || c.Application.Status.OperationState.SyncResult == nil {
		return nil
	}
	var out *evidence.ResourceResult
	results := c.Application.Status.OperationState.SyncResult.Resources
	for i := range results {
		if r := &results[i]; r.Failed() && r.HookType == "" && (out == nil || len(r.Message) > len(out.Message)) {
			out = r
		}
	}
	return out
}
