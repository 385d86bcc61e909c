package rules_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// ofPods are the rules about what keeps a pod from starting or ends it, whoever owns it.
var ofPods = []string{
	"health/image-pull", "health/config-missing", "health/unschedulable", "health/volume-pending", "health/pod-sandbox", "health/node-not-ready",
	"health/container-create", "health/oom-killed", "health/evicted",
}

// ofOwner are the cases in which what helps depends on who owns the pod: another version of it still runs, it can run fewer pods, or replace one before the other, or is well
// between two restarts.
var ofOwner = []string{
	"health/container-create/args-of-another-image.json", "health/volume-pending/own-02.json", "health/volume-pending/thread-04.json",
	"health/volume-pending/two-replicas-one-volume.json", "health/oom-killed/ready-between-kills.json",
}

// TestTheSameTroubleOfAHook replays each recorded case of a pod in trouble as if the pod belonged to a hook that a sync waits for: the first step is the same.
func TestTheSameTroubleOfAHook(t *testing.T) {
	e, n := engine(t), 0
	for _, r := range recordedCases(t) {
		if r.c.Application == nil || r.c.Tree == nil || r.c.Application.CurrentOperation() != nil || !slices.Contains(ofPods, r.expect.Rule) || slices.Contains(ofOwner, r.name) {
			continue
		}
		root := diagnosed(t, e, r.c).Root()
		if root == nil || root.Rule != r.expect.Rule || root.Resource.Kind != "Deployment" || root.Role != diagnose.RoleCause {
			continue
		}
		n++
		got := diagnosed(t, e, asHook(r.c, root.Resource)).Root()
		switch {
		case got == nil:
			t.Errorf("%s: no cause of a hook, instead of %q", r.name, root.Title)
		case !strings.HasPrefix(got.Rule, "hook/") || ofJob(got.Fix[0].Text) != ofJob(root.Fix[0].Text):
			t.Errorf("%s: of a hook %s, first %q\ninstead of %q", r.name, got.Rule, got.Fix[0].Text, root.Fix[0].Text)
		}
	}
	if n < 80 {
		t.Fatalf("compared %d cases: some are missing", n)
	}
}

// ofJob is a text in which it does not matter which kind owns the pod.
func ofJob(said string) string { return strings.ReplaceAll(said, "Deployment", "Job") }

// asHook is the case with the Deployment as a Job that a sync has been waiting for as a PreSync hook.
func asHook(c *evidence.Case, ref evidence.Ref) *evidence.Case {
	out, app, tree := *c, *c.Application, &evidence.Tree{}
	owns := []evidence.Ref{ref} // the Deployment and its ReplicaSets
	for _, n := range c.Tree.Nodes {
		if slices.ContainsFunc(n.ParentRefs, func(p evidence.Parent) bool { return p.Kind == ref.Kind && p.Name == ref.Name }) && n.Kind == "ReplicaSet" {
			owns = append(owns, n.Ref())
		}
	}
	job := evidence.Parent{Group: "batch", Kind: "Job", Namespace: ref.Namespace, Name: ref.Name}
	for _, n := range c.Tree.Nodes {
		switch {
		case n.Ref() == ref:
			n.Group, n.Kind, n.Health = job.Group, job.Kind, &evidence.Health{Status: "Progressing"}
		case slices.Contains(owns, n.Ref()):
			continue
		}
		n.ParentRefs = slices.Clone(n.ParentRefs)
		for i, p := range n.ParentRefs {
			if slices.Contains(owns, p.Ref()) {
				n.ParentRefs[i] = job
			}
		}
		tree.Nodes = append(tree.Nodes, n)
	}
	app.Status.Resources = slices.DeleteFunc(slices.Clone(app.Status.Resources), func(r evidence.ResourceStatus) bool { return r.Ref() == ref })
	app.Status.Health, app.Status.Sync.Status = evidence.Health{Status: "Healthy"}, "OutOfSync"
	op := &evidence.OperationState{
		Phase: evidence.OperationRunning, Message: "waiting for completion of hook batch/Job/" + ref.Name, StartedAt: evidence.Time{Time: c.Now.Add(-20 * time.Minute)},
		SyncResult: &evidence.SyncResult{Revision: app.Status.Sync.Revision, Resources: []evidence.ResourceResult{
			{Group: job.Group, Kind: job.Kind, Namespace: job.Namespace, Name: job.Name, HookType: "PreSync", HookPhase: evidence.OperationRunning, SyncPhase: "PreSync"},
		}},
	}
	op.Operation.Sync = &evidence.SyncOperation{Revision: app.Status.Sync.Revision}
	app.Status.OperationState = op
	out.Application, out.Tree = &app, tree
	return &out
}
