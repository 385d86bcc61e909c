package rules_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/foreign"
)

const (
	// largeResources is the size of an application that is large in real life: an operator's, or a whole team's.
	largeResources = 2000
	// largeDrifted of them are out of sync, each in one field: all but the last.
	largeDrifted = largeResources - 1
)

// largeApplication has 2,000 Deployments with a ReplicaSet and two pods each, as Argo CD shows them; one pod crashes.
func largeApplication(tb testing.TB) *evidence.Case {
	tb.Helper()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	app := &evidence.Application{Metadata: evidence.Metadata{Name: "large", Namespace: "argocd"}}
	app.Status.Sync = evidence.SyncStatus{Status: "OutOfSync", Revision: strings.Repeat("a", 40)}
	app.Status.Health = evidence.Health{Status: "Degraded", LastTransitionTime: evidence.Time{Time: now.Add(-time.Hour)}}
	app.Status.ReconciledAt = evidence.Time{Time: now.Add(-time.Minute)}
	app.Status.OperationState = &evidence.OperationState{Phase: evidence.OperationSucceeded, SyncResult: &evidence.SyncResult{Revision: app.Status.Sync.Revision}}
	c := &evidence.Case{Now: evidence.Time{Time: now}, Application: app, Tree: &evidence.Tree{}}
	c.Managed = &struct {
		Items []evidence.ResourceDiff `json:"items"`
	}{}
	for i := range largeResources {
		addDeployment(c, i)
	}
	return c
}

func addDeployment(c *evidence.Case, i int) {
	name := fmt.Sprintf("web-%04d", i)
	ref := evidence.Ref{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: name}
	status := evidence.ResourceStatus{Group: "apps", Version: "v1", Kind: "Deployment", Namespace: "shop", Name: name, Status: "Synced", Health: &evidence.Health{Status: "Healthy"}}
	live := 2
	if i < largeDrifted {
		status.Status, live = "OutOfSync", 5
	}
	pod := evidence.Node{Version: "v1", Kind: "Pod", Namespace: "shop", Health: &evidence.Health{Status: "Healthy"}, Info: []evidence.InfoItem{{Name: "Status Reason", Value: "Running"}}}
	if i == largeResources-1 {
		status.Health = &evidence.Health{Status: "Degraded", Message: fmt.Sprintf("Deployment %q exceeded its progress deadline", name)}
		pod.Health = &evidence.Health{Status: "Degraded", Message: "back-off 5m0s restarting failed container=app pod=web"}
		pod.Info[0].Value = "CrashLoopBackOff"
	}
	c.Application.Status.Resources = append(c.Application.Status.Resources, status)
	parent := evidence.Parent{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: name}
	set := evidence.Node{Group: "apps", Version: "v1", Kind: "ReplicaSet", Namespace: "shop", Name: name + "-1", ParentRefs: []evidence.Parent{parent}}
	c.Tree.Nodes = append(c.Tree.Nodes, evidence.Node{Group: "apps", Version: "v1", Kind: "Deployment", Namespace: "shop", Name: name, Health: status.Health}, set)
	for p := range 2 {
		pod := pod
		pod.Name, pod.UID = fmt.Sprintf("%s-1-%d", name, p), fmt.Sprintf("%s-%d", name, p)
		pod.ParentRefs = []evidence.Parent{{Group: "apps", Kind: "ReplicaSet", Namespace: "shop", Name: set.Name}}
		c.Tree.Nodes = append(c.Tree.Nodes, pod)
	}
	manifest := func(replicas int, more string) evidence.State {
		return evidence.State(fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":%q,"namespace":"shop"%s},"spec":{"replicas":%d,"template":{"spec":{"containers":[{"name":"app","image":"registry.example.com/app:1.0","env":[%s{"name":"LAST","value":"1"}]}]}}}}`,
			name, more, replicas, strings.Repeat(`{"name":"SOME_VARIABLE","value":"some value of a usual length"},`, 20)))
	}
	owners := `,"managedFields":[{"manager":"argocd-controller","operation":"Update","time":"2026-11-19T12:00:00Z","fieldsV1":{"f:spec":{"f:template":{}}}},{"manager":"kubectl","operation":"Update","subresource":"scale","time":"2026-11-20T11:00:00Z","fieldsV1":{"f:spec":{"f:replicas":{}}}}]`
	c.Managed.Items = append(c.Managed.Items, evidence.ResourceDiff{
		Group: ref.Group, Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name, TargetState: manifest(2, ""), LiveState: manifest(live, owners),
		NormalizedLiveState: manifest(live, ""), PredictedLiveState: manifest(2, ""),
	})
}

// TestLargeApplication: a diagnosis of an application with 2,000 resources allocates less than 50 MB, and names the drift as well
// as the one pod that crashes. BenchmarkLargeApplication checks that it takes less than a second.
func TestLargeApplication(t *testing.T) {
	e, c := engine(t), largeApplication(t)
	rep := diagnosed(t, e, c)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	diagnosed(t, e, c)
	runtime.ReadMemStats(&after)
	allocated := float64(after.TotalAlloc-before.TotalAlloc) / (1 << 20)
	t.Logf("%d resources, %d drifted: %.1f MB allocated: %s", largeResources, largeDrifted, allocated, rep.Headline)
	if allocated > 50 {
		t.Errorf("allocated %.1f MB, want less than 50", allocated)
	}
	found := map[string]bool{}
	for _, f := range rep.Findings {
		found[f.Rule] = true
	}
	if !found["drift/manual-edit"] {
		t.Errorf("the drift was not found: %v", found)
	}
	if rep.Sync.Verdict != diagnose.SyncOverwritesLive {
		t.Errorf("sync verdict %s", rep.Sync.Verdict)
	}
}

func BenchmarkLargeApplication(b *testing.B) {
	e, c := engine(b), largeApplication(b)
	b.ReportAllocs()
	for b.Loop() {
		diagnosed(b, e, c)
	}
	lessThanASecond(b)
}

// lessThanASecond fails a benchmark of a diagnosis that takes longer of our own time.
func lessThanASecond(b *testing.B) {
	b.Helper()
	if each := b.Elapsed() / time.Duration(b.N); each > time.Second {
		b.Errorf("took %s, want less than a second", each)
	}
}

// TestAListThatNobodyWritesIsTooLarge: rules go through it for each thing that is wrong.
func TestAListThatNobodyWritesIsTooLarge(t *testing.T) {
	for name, grow := range map[string]func(app *evidence.Application, n int){
		"spec.ignoreDifferences": func(app *evidence.Application, n int) {
			app.Spec.IgnoreDifferences = make([]evidence.IgnoredDifference, 10*n)
		},
		"spec.syncPolicy.syncOptions": func(app *evidence.Application, n int) {
			app.Spec.SyncPolicy = &evidence.SyncPolicy{SyncOptions: make([]string, n)}
		},
		"metadata.finalizers": func(app *evidence.Application, n int) { app.Metadata.Finalizers = make([]string, n/2) },
	} {
		for n, refused := range map[int]bool{200: false, 204: true} {
			c := growingCase()
			grow(c.Application, n)
			_, err := engine(t).Diagnose(t.Context(), c.Source(), c.Now.Time)
			if foreign.IsTooLarge(err) != refused || refused && !strings.Contains(err.Error(), name+" has ") {
				t.Errorf("%s, %d: %v, want refused: %t", name, n, err, refused)
			}
		}
	}
}

// TestObjectsThatOwnOneAnother end a diagnosis in good time: whoever writes objects can have each of hundreds of workloads own all of hundreds of
// objects that own one another.
func TestObjectsThatOwnOneAnother(t *testing.T) {
	takes := func(workloads, objects int) (time.Duration, error) {
		c := &evidence.Case{Now: evidence.Time{Time: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}, Application: &evidence.Application{}, Tree: &evidence.Tree{}}
		degraded := &evidence.Health{Status: "Degraded"}
		c.Application.Metadata.Name = "owned"
		c.Application.Status.Health = *degraded
		var owners []evidence.Parent
		for i := range workloads {
			name := fmt.Sprint("web-", i)
			c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Group: "apps", Version: "v1", Kind: "Deployment", Namespace: "shop", Name: name, Health: degraded})
			owners = append(owners, evidence.Parent{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: name})
		}
		for i := range objects {
			owners = append(owners, evidence.Parent{Group: "apps", Kind: "ReplicaSet", Namespace: "shop", Name: fmt.Sprint("set-", i)})
		}
		for i := range objects {
			c.Tree.Nodes = append(c.Tree.Nodes, evidence.Node{Group: "apps", Version: "v1", Kind: "ReplicaSet", Namespace: "shop", Name: fmt.Sprint("set-", i), ParentRefs: owners})
		}
		began := time.Now()
		_, err := engine(t).Diagnose(t.Context(), c.Source(), c.Now.Time)
		return time.Since(began), err
	}
	if took, err := takes(50, 100); err != nil || took > 10*time.Second {
		t.Errorf("50 workloads, 100 objects: %s, %v", took, err)
	}
	if took, err := takes(400, 250); !foreign.IsTooLarge(err) || took > 20*time.Second {
		t.Errorf("400 workloads, 250 objects: %s, %v, want too large", took, err)
	}
}
