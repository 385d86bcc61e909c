package rules_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// growing are applications that have n of something.
var growing = map[string]func(c *evidence.Case, n int){
	"resources out of sync": func(c *evidence.Case, n int) {
		for i := range n {
			c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Version: "v1", Kind: "ConfigMap", Namespace: "s", Name: fmt.Sprint("c", i), Status: "OutOfSync"})
		}
	},
	"missing resources": func(c *evidence.Case, n int) {
		for i := range n {
			c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Version: "v1", Kind: "ConfigMap", Namespace: "s", Name: fmt.Sprint("c", i), Status: "OutOfSync", Health: &evidence.Health{Status: "Missing"}})
		}
	},
	"degraded resources": func(c *evidence.Case, n int) {
		c.Application.Status.Health.Status = "Degraded"
		for i := range n {
			c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Group: "apps", Version: "v1", Kind: "Deployment", Namespace: "s", Name: fmt.Sprint("c", i), Status: "Synced", Health: &evidence.Health{Status: "Degraded", Message: fmt.Sprint("it broke ", i)}})
		}
	},
	"degraded custom resources": func(c *evidence.Case, n int) {
		c.Application.Status.Health.Status = "Degraded"
		for i := range n {
			c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Group: "x.io", Version: "v1", Kind: fmt.Sprint("K", i), Namespace: "s", Name: fmt.Sprint("c", i), Status: "Synced", Health: &evidence.Health{Status: "Degraded", Message: fmt.Sprint("it broke ", i)}})
		}
	},
	"prunable resources": func(c *evidence.Case, n int) {
		for i := range n {
			c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Version: "v1", Kind: "ConfigMap", Namespace: "s", Name: fmt.Sprint("c", i), Status: "OutOfSync", RequiresPruning: true})
		}
	},
	"progressing applications": func(c *evidence.Case, n int) {
		c.Application.Status.Health.Status = "Degraded"
		for i := range n {
			c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Group: "argoproj.io", Version: "v1alpha1", Kind: "Application", Namespace: "argocd", Name: fmt.Sprint("c", i), Status: "Synced", Health: &evidence.Health{Status: "Degraded"}})
		}
	},
	"failed tasks": func(c *evidence.Case, n int) {
		op := &evidence.OperationState{Phase: evidence.OperationFailed, Message: "one or more objects failed to apply", SyncResult: &evidence.SyncResult{Revision: "a"}}
		for i := range n {
			op.SyncResult.Resources = append(op.SyncResult.Resources, evidence.ResourceResult{Version: "v1", Kind: "ConfigMap", Namespace: "s", Name: fmt.Sprint("c", i), Status: "SyncFailed", Message: fmt.Sprintf("configmaps \"c%d\" is forbidden: exceeded quota: q%d", i, i)})
		}
		c.Application.Status.OperationState = op
	},
	"failed hooks": func(c *evidence.Case, n int) {
		op := &evidence.OperationState{Phase: evidence.OperationFailed, Message: "one or more synchronization tasks completed unsuccessfully", SyncResult: &evidence.SyncResult{Revision: "a"}}
		for i := range n {
			op.SyncResult.Resources = append(op.SyncResult.Resources, evidence.ResourceResult{Group: "batch", Version: "v1", Kind: "Job", Namespace: "s", Name: fmt.Sprint("c", i), HookType: "PreSync", HookPhase: "Failed", Message: "Job has reached the specified backoff limit"})
		}
		c.Application.Status.OperationState = op
	},
	"conditions": func(c *evidence.Case, n int) {
		for i := range n {
			c.Application.Status.Conditions = append(c.Application.Status.Conditions, evidence.Condition{Type: "ComparisonError", Message: fmt.Sprintf("Failed to load target state: failed to generate manifest for source 1 of %d: no such file x%d", i, i)})
		}
	},
	"warnings": func(c *evidence.Case, n int) {
		for i := range n {
			c.Application.Status.Conditions = append(c.Application.Status.Conditions, evidence.Condition{Type: "SharedResourceWarning", Message: fmt.Sprintf("ConfigMap/c%d is part of applications argocd/a and b%d", i, i)})
		}
	},
	"pods": func(c *evidence.Case, n int) {
		c.Application.Status.Health.Status = "Degraded"
		c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Group: "apps", Version: "v1", Kind: "Deployment", Namespace: "s", Name: "web", Status: "Synced", Health: &evidence.Health{Status: "Degraded", Message: "x"}})
		for i := range n {
			c.Tree.Nodes = append(c.Tree.Nodes, evidence.Node{Version: "v1", Kind: "Pod", Namespace: "s", Name: fmt.Sprint("web-", i), UID: fmt.Sprint(i), ParentRefs: []evidence.Parent{{Group: "apps", Kind: "Deployment", Namespace: "s", Name: "web"}}, Health: &evidence.Health{Status: "Degraded", Message: fmt.Sprint("back-off restarting ", i)}, Info: []evidence.InfoItem{{Name: "Status Reason", Value: "CrashLoopBackOff"}}})
		}
	},
	"a chain of nodes": func(c *evidence.Case, n int) {
		c.Application.Status.Health.Status = "Degraded"
		c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Group: "apps", Version: "v1", Kind: "Deployment", Namespace: "s", Name: "n0", Status: "Synced", Health: &evidence.Health{Status: "Degraded", Message: "x"}})
		for i := range n {
			c.Tree.Nodes = append(c.Tree.Nodes, evidence.Node{Group: "apps", Version: "v1", Kind: "Deployment", Namespace: "s", Name: fmt.Sprint("n", i+1), ParentRefs: []evidence.Parent{{Group: "apps", Kind: "Deployment", Namespace: "s", Name: fmt.Sprint("n", i)}}, Health: &evidence.Health{Status: "Degraded"}})
		}
	},
	"drifted": drifted,
	"ignored": func(c *evidence.Case, n int) {
		drifted(c, 20)
		for i := range n {
			c.Application.Spec.IgnoreDifferences = append(c.Application.Spec.IgnoreDifferences, evidence.IgnoredDifference{Kind: "ConfigMap", JSONPointers: []string{fmt.Sprint("/data/x", i)}, JQPathExpressions: []string{fmt.Sprint(".data.y", i)}})
		}
	},
	"ignored, each by itself": func(c *evidence.Case, n int) {
		for i := range 20 {
			c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Version: "v1", Kind: "ConfigMap", Namespace: "s", Name: fmt.Sprint("c", i), Status: "OutOfSync"})
		}
		drifted(c, 20)
		for i := range n {
			c.Application.Spec.IgnoreDifferences = append(c.Application.Spec.IgnoreDifferences, evidence.IgnoredDifference{Group: "x.io", Kind: fmt.Sprint("K", i), JSONPointers: []string{"/spec"}})
		}
	},
	"healthy custom resources": func(c *evidence.Case, n int) {
		c.Application.Status.Sync.Status = "Synced"
		for i := range n {
			c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Group: "x.io", Version: "v1", Kind: "K", Namespace: "s", Name: fmt.Sprint("c", i), Status: "Synced", Health: &evidence.Health{Status: "Healthy"}})
			c.Tree.Nodes = append(c.Tree.Nodes, evidence.Node{Group: "x.io", Version: "v1", Kind: "K", Namespace: "s", Name: fmt.Sprint("c", i), Health: &evidence.Health{Status: "Healthy"}})
		}
	},
	"ports removed": func(c *evidence.Case, n int) {
		member := func(i int, proto string) string {
			return fmt.Sprintf(`{"name":"p%d","port":%d,"protocol":"%s"}`, i, i+1, proto)
		}
		state := func(proto string) evidence.State {
			var b strings.Builder
			for i := range n {
				if i > 0 {
					b.WriteString(",")
				}
				b.WriteString(member(i, proto))
			}
			return evidence.State(`{"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"s","managedFields":[{"manager":"kubectl-edit","operation":"Update","fieldsV1":{"f:spec":{"f:ports":{}}}}]},"spec":{"ports":[` + b.String() + `]}}`)
		}
		c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Version: "v1", Kind: "Service", Namespace: "s", Name: "web", Status: "OutOfSync"})
		c.Managed.Items = append(c.Managed.Items, evidence.ResourceDiff{Kind: "Service", Namespace: "s", Name: "web", TargetState: state("TCP"), LiveState: state("UDP"), NormalizedLiveState: state("UDP"), PredictedLiveState: state("TCP")})
	},
	"members ignored by index": func(c *evidence.Case, n int) {
		state := func(v int) evidence.State {
			var b strings.Builder
			for i := range n {
				if i > 0 {
					b.WriteString(",")
				}
				fmt.Fprintf(&b, `{"name":"p%d","value":"%d"}`, i, v)
			}
			return evidence.State(`{"apiVersion":"x.io/v1","kind":"K","metadata":{"name":"web","namespace":"s"},"spec":{"env":[` + b.String() + `]}}`)
		}
		c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Group: "x.io", Version: "v1", Kind: "K", Namespace: "s", Name: "web", Status: "OutOfSync"})
		c.Managed.Items = append(c.Managed.Items, evidence.ResourceDiff{Group: "x.io", Kind: "K", Namespace: "s", Name: "web", TargetState: state(1), LiveState: state(2), NormalizedLiveState: state(2), PredictedLiveState: state(1)})
		e := evidence.IgnoredDifference{Group: "x.io", Kind: "K"}
		for range 25 {
			e.JQPathExpressions = append(e.JQPathExpressions, ".spec.env[1].nothing")
		}
		c.Application.Spec.IgnoreDifferences = append(c.Application.Spec.IgnoreDifferences, e)
	},
	"Services that select no pod, and pods": func(c *evidence.Case, n int) {
		servicesAndPods(c, n, func(i int) string { return fmt.Sprint("other", i) })
	},
	"Services and their pods": func(c *evidence.Case, n int) {
		servicesAndPods(c, n, func(i int) string { return fmt.Sprint("app", i%5) })
	},
	"history": func(c *evidence.Case, n int) {
		for i := range n {
			c.Application.Status.History = append(c.Application.Status.History, evidence.Deployment{ID: int64(i), Revision: fmt.Sprint(i)})
		}
	},
	"sources": func(c *evidence.Case, n int) {
		c.Application.Spec.Source = nil
		for i := range n {
			c.Application.Spec.Sources = append(c.Application.Spec.Sources, evidence.ApplicationSource{RepoURL: fmt.Sprintf("https://g.example/%d.git", i), Path: fmt.Sprint("p", i)})
		}
		c.Application.Status.Conditions = append(c.Application.Status.Conditions, evidence.Condition{Type: "ComparisonError", Message: "Failed to load target state: failed to generate manifest for source 1 of 3: no such file x"})
	},
}

// TestWorkGrowsWithTheApplication: four times as much of anything takes about four times the steps and the memory, and not 16 times. Findings are
// compared each with each, so there are never many.
func TestWorkGrowsWithTheApplication(t *testing.T) {
	const (
		small, limit = 250, 6
		nothing      = 100 // KB, which a diagnosis of nothing takes
		mostFindings = 500 // there are up to 400 statements
	)
	for name, grow := range growing {
		t.Run(name, func(t *testing.T) {
			takes := func(n int) (steps int, kilobytes float64) {
				e, c := engine(t), growingCase()
				e.Spent = func(n int) { steps = n }
				grow(c, n)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				r, err := e.Diagnose(t.Context(), c.Source(), c.Now.Time)
				runtime.ReadMemStats(&after)
				if err != nil {
					t.Fatal(err)
				}
				if len(r.Findings) > mostFindings {
					t.Errorf("%d findings of %d", len(r.Findings), n)
				}
				return steps, float64(after.TotalAlloc-before.TotalAlloc) / 1024
			}
			takes(10) // what is made once
			steps, kilobytes := takes(small)
			more, moreKilobytes := takes(4 * small)
			t.Logf("%d: %d steps, %.0f KB; %d: %d steps, %.0f KB", small, steps, kilobytes, 4*small, more, moreKilobytes)
			if more > limit*steps || moreKilobytes > limit*(kilobytes+nothing) {
				t.Errorf("%d take %d steps and %.0f KB, %d take %d steps and %.0f KB", small, steps, kilobytes, 4*small, more, moreKilobytes)
			}
		})
	}
}

// servicesAndPods are n Services, each of which selects what its number says, and as many pods.
func servicesAndPods(c *evidence.Case, n int, selects func(int) string) {
	c.Application.Status.Sync.Status = "Synced"
	for i := range n {
		name := fmt.Sprint("c", i)
		c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Version: "v1", Kind: "Service", Namespace: "s", Name: name, Status: "Synced"})
		healthy := &evidence.Health{Status: "Healthy"}
		c.Tree.Nodes = append(c.Tree.Nodes,
			evidence.Node{Version: "v1", Kind: "Service", Namespace: "s", Name: name, Health: healthy, Networking: &evidence.Networking{TargetLabels: map[string]string{"app": selects(i)}}},
			evidence.Node{Version: "v1", Kind: "Pod", Namespace: "s", Name: fmt.Sprint("p", i), Health: healthy, Networking: &evidence.Networking{Labels: map[string]string{"app": fmt.Sprint("app", i%5)}}})
	}
}

func growingCase() *evidence.Case {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	app := &evidence.Application{Metadata: evidence.Metadata{Name: "large", Namespace: "argocd"}}
	app.Spec.Source = &evidence.ApplicationSource{RepoURL: "https://git.example.com/x.git", Path: "x"}
	app.Status.Sync = evidence.SyncStatus{Status: "OutOfSync", Revision: "a"}
	app.Status.Health.Status = "Healthy"
	app.Status.ReconciledAt = evidence.Time{Time: now.Add(-time.Minute)}
	c := &evidence.Case{Now: evidence.Time{Time: now}, Application: app, Tree: &evidence.Tree{}}
	c.Managed = &struct {
		Items []evidence.ResourceDiff `json:"items"`
	}{}
	return c
}

func drifted(c *evidence.Case, n int) {
	state := func(v int, i int) evidence.State {
		return evidence.State(fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c%d","namespace":"s"},"data":{"k%d":"%d"}}`, i, i, v))
	}
	for i := range n {
		c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Version: "v1", Kind: "ConfigMap", Namespace: "s", Name: fmt.Sprint("c", i), Status: "OutOfSync"})
		c.Managed.Items = append(c.Managed.Items, evidence.ResourceDiff{Kind: "ConfigMap", Namespace: "s", Name: fmt.Sprint("c", i), TargetState: state(1, i), LiveState: state(2, i), NormalizedLiveState: state(2, i), PredictedLiveState: state(1, i)})
	}
}
