package action_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

// object is a manifest with annotations, given as key and value in turn.
func object(kind, name string, annotations ...string) evidence.Object {
	notes := map[string]any{}
	for i := 0; i+1 < len(annotations); i += 2 {
		notes[annotations[i]] = annotations[i+1]
	}
	return evidence.Object{"apiVersion": "batch/v1", "kind": kind, "metadata": map[string]any{"name": name, "namespace": "payments", "annotations": notes}}
}

func TestHooksInTheOrderInWhichTheyRun(t *testing.T) {
	const hook, wave, helm, weight = "argocd.argoproj.io/hook", "argocd.argoproj.io/sync-wave", "helm.sh/hook", "helm.sh/hook-weight"
	generated := evidence.Object{"apiVersion": "batch/v1", "kind": "Job", "metadata": map[string]any{
		"generateName": "notify-", "annotations": map[string]any{hook: "PostSync"},
	}}
	manifests := []evidence.Object{
		object("ConfigMap", "settings"),
		object("Job", "cleanup", hook, "SyncFail"),
		object("Job", "report", helm, "post-install,post-upgrade", weight, "-5"),
		object("Job", "seed", hook, "PreSync", wave, "2", weight, "-9"),
		object("Job", "migrate", hook, "PreSync", wave, "-1"),
		object("Job", "check", helm, "pre-upgrade", weight, "-1"),
		object("Job", "both", hook, "PostSync, PreSync,Dance"),
		object("Job", "skipped", hook, "Skip", helm, "pre-install"),
		object("Job", "during", hook, "Sync", wave, "soon", weight, "3"),
		object("Job", "after deletion", hook, "PostDelete"),
		object("Pod", "test", helm, "test"),
		object("Job", "ours counts", hook, "PostSync", helm, "pre-install"),
		object("CustomResourceDefinition", "crd", helm, "crd-install"),
		object("Job", "rollback", helm, "pre-rollback,pre-install"),
		generated,
	}
	want := []string{
		"PreSync -1 check", "PreSync -1 migrate", "PreSync 0 both", "PreSync 0 rollback", "PreSync 2 seed", "Sync 3 during",
		"PostSync -5 report", "PostSync 0 both", "PostSync 0 notify-*", "PostSync 0 ours counts", "SyncFail 0 cleanup",
	}
	random := rand.New(rand.NewSource(1))
	for range 20 {
		random.Shuffle(len(manifests), func(i, j int) { manifests[i], manifests[j] = manifests[j], manifests[i] })
		s := failed()
		s.Manifests = manifests
		var got []string
		for _, h := range action.Build(syncing(action.SyncOptions{}), s, noon).Hooks {
			got = append(got, fmt.Sprintf("%s %d %s", h.Phase, h.Wave, h.Ref.Name))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got  %q\nwant %q", got, want)
		}
	}
}

// Argo CD runs no hooks in a sync of selected resources, nor in a dry run.
func TestNoHooksRunInAPartOfASync(t *testing.T) {
	s := failed()
	s.Manifests = []evidence.Object{object("Job", "migrate", "argocd.argoproj.io/hook", "PreSync")}
	s.Application.Status.Resources = []evidence.ResourceStatus{{Kind: "ConfigMap", Name: "settings", Status: "Synced"}}
	for said, o := range map[string]action.SyncOptions{
		"hooks do not run": {Resources: []evidence.Ref{{Kind: "ConfigMap", Name: "settings"}}},
		"Dry run only: nothing is changed and no hooks run.": {DryRun: true},
		"Dry run only: nothing is changed and":               {DryRun: true, Prune: true},
	} {
		p := action.Build(syncing(o), s, noon)
		if p.RefusedBecause != "" || len(p.Hooks) > 0 {
			t.Errorf("%+v: refused %q, hooks %v", o, p.RefusedBecause, p.Hooks)
		}
		contains(t, p.Notes, said)
	}
	s.Manifests = nil
	contains(t, action.Build(syncing(action.SyncOptions{}), s, noon).Notes, "Could not read which hooks will run.")
}

func syncing(o action.SyncOptions) action.Request {
	return action.Request{Kind: action.Sync, App: prod, Sync: o}
}
