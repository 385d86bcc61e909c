package rules_test

import (
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

const byKubectl = `[{"manager":"kubectl-edit","operation":"Update","time":"2026-11-20T11:00:00Z","fieldsV1":{"f:spec":{"f:replicas":{}}}},` +
	`{"manager":"argocd-controller","operation":"Update","time":"2026-11-20T10:00:00Z","fieldsV1":{"f:spec":{"f:replicas":{},"f:paused":{}},"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/last-applied-configuration":{}}}}}]`

// edited is a resource that a person changed after the last sync.
func edited(t *testing.T, live, desired string) *evidence.Case {
	t.Helper()
	c := differing(t, "Deployment", live, desired, byKubectl)
	c.Application.Status.OperationState = &evidence.OperationState{Phase: "Succeeded"}
	c.Application.Status.OperationState.SyncResult = &evidence.SyncResult{Revision: "0000000000000000000000000000000000000001"}
	c.Application.Status.Sync.Revision = "0000000000000000000000000000000000000001"
	return c
}

// TestUndoingSaysWhatElseItApplies: who undoes an edit with a sync rolls out what Git changed in the meantime, too, and is
// told so beside the command and in the verdict.
func TestUndoingSaysWhatElseItApplies(t *testing.T) {
	c := edited(t, `"spec":{"replicas":6,"minReadySeconds":1}`, `"spec":{"replicas":2,"minReadySeconds":30}`)
	const applied = `"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"spec\":{\"replicas\":2,\"minReadySeconds\":1}}"},"managedFields"`
	item := &c.Managed.Items[0]
	for _, state := range []*evidence.State{&item.LiveState, &item.NormalizedLiveState, &item.PredictedLiveState} {
		*state = evidence.State(strings.Replace(string(*state), `"managedFields"`, applied, 1))
	}
	c.Application.Status.Sync.Revision = "0000000000000000000000000000000000000002" // nobody has synced it
	rep := diagnosed(t, engine(t), c)
	if root := rep.Root(); root == nil || root.Rule != "drift/manual-edit" {
		t.Fatalf("cause %+v, want drift/manual-edit", rep.Findings)
	}
	const also = "also applies what Git changed since: spec.minReadySeconds"
	if undo := rep.Findings[0].Fix[1].Text; !strings.Contains(undo, also) {
		t.Errorf("the step says %q, want %q in it", undo, also)
	}
	if !strings.Contains(rep.Sync.Why, also) {
		t.Errorf("the verdict says %q, want %q in it", rep.Sync.Why, also)
	}
}

// TestCommandsNameAllResources: a command that mends one of three missing resources leaves two behind.
func TestCommandsNameAllResources(t *testing.T) {
	c := edited(t, `"spec":{}`, `"spec":{}`)
	c.Managed = nil
	c.Application.Status.Resources = nil
	for _, name := range []string{"a", "b", "c"} {
		c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{
			Kind: "ConfigMap", Namespace: "shop", Name: name, Status: "OutOfSync", Health: &evidence.Health{Status: "Missing"},
		})
	}
	rep := diagnosed(t, engine(t), c)
	root := rep.Root()
	if root == nil || root.Rule != "drift/missing" {
		t.Fatalf("cause %+v, want drift/missing", rep.Findings)
	}
	const want = "argocd app sync web --resource :ConfigMap:shop/a --resource :ConfigMap:shop/b --resource :ConfigMap:shop/c"
	if got := root.Fix[len(root.Fix)-1].Command; got != want {
		t.Errorf("command %q, want %q", got, want)
	}
}

// TestChildrenWithoutHealthAreNamed: Argo CD calls an app of apps healthy whatever its children are.
func TestChildrenWithoutHealthAreNamed(t *testing.T) {
	c := edited(t, `"spec":{}`, `"spec":{}`)
	c.Managed = nil
	c.Application.Status.Sync.Status = "Synced"
	c.Application.Status.Resources = []evidence.ResourceStatus{{Group: "argoproj.io", Kind: "Application", Namespace: "argocd", Name: "kid", Status: "Synced"}}
	rep := diagnosed(t, engine(t), c)
	if rep.Verdict != diagnose.VerdictHealthy || len(rep.Findings) != 1 || rep.Findings[0].Role != diagnose.RoleNote {
		t.Fatalf("verdict %s, findings %+v: want a healthy application and one note", rep.Verdict, rep.Findings)
	}
	if title := rep.Findings[0].Title; !strings.Contains(title, "Application/kid") {
		t.Errorf("title %q does not name the child", title)
	}
}

// TestLoopNamesTheAutoscaler: between two turns nothing differs, and still it can be told who the other one is.
func TestLoopNamesTheAutoscaler(t *testing.T) {
	c := edited(t, `"spec":{}`, `"spec":{}`)
	c.Managed = nil
	st := &c.Application.Status
	st.Sync.Status = "Synced"
	st.Resources = []evidence.ResourceStatus{{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "thing", Status: "Synced"}}
	st.OperationState.SyncResult.Resources = []evidence.ResourceResult{{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "thing", Status: "Synced"}}
	c.Application.Spec.SyncPolicy = &evidence.SyncPolicy{Automated: &evidence.AutomatedSync{SelfHeal: true}}
	for i := range 6 {
		st.History = append(st.History, evidence.Deployment{Revision: st.Sync.Revision, DeployedAt: evidence.Time{Time: c.Now.Add(time.Duration(i-6) * time.Minute)}})
	}
	scaler, err := evidence.DecodeObject([]byte(`{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"thing","namespace":"shop"},
		"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"thing"},"minReplicas":3,"maxReplicas":6}}`))
	if err != nil {
		t.Fatal(err)
	}
	c.Resources = []evidence.Object{scaler}
	root := diagnosed(t, engine(t), c).Root()
	if root == nil || root.Rule != "drift/selfheal-loop" {
		t.Fatalf("cause %+v, want drift/selfheal-loop", root)
	}
	if !strings.Contains(root.Why, "HorizontalPodAutoscaler/thing") || !strings.Contains(root.Fix[1].Patch, "- /spec/replicas") {
		t.Errorf("neither why nor fix speak of the autoscaler: %s %+v", root.Why, root.Fix)
	}
}

// TestASyncIsWorthATryOnceTheCauseIsRepaired: that somebody has repaired a database, or what Git wants, Argo CD does not see
// until it tries. What a sync cannot mend whatever a person does is not offered at all.
func TestASyncIsWorthATryOnceTheCauseIsRepaired(t *testing.T) {
	offered := map[string]bool{}
	for _, r := range recordedCases(t) {
		rep := diagnosed(t, engine(t), r.c)
		root := rep.Root()
		for _, a := range rep.Actions {
			if a.Once == "" || root == nil {
				continue
			}
			offered[diagnose.Group(root.Rule)] = true
			if a.ID != diagnose.ActionSync || a.RefusedBecause == "" || rep.Sync.Verdict != diagnose.SyncPointless {
				t.Errorf("%s: %+v, verdict %s", r.name, a, rep.Sync.Verdict)
			}
		}
	}
	for group, want := range map[string]bool{"hook": true, "apply": true, "render": false, "spec": false, "compare": false, "drift": false, "health": false} {
		if offered[group] != want {
			t.Errorf("group %s: offered %v, want %v", group, offered[group], want)
		}
	}
}
