package action_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

// resource adds a resource to a situation. target and live are its manifests without kind and name; nil is none.
func resource(s *action.Situation, status, kind, name string, target, live map[string]any) *evidence.ResourceStatus {
	whole := func(m map[string]any) evidence.State {
		if m == nil {
			return "null"
		}
		metadata := map[string]any{"name": name, "namespace": "payments"}
		if notes := evidence.Object(m).At("metadata", "annotations"); notes != nil {
			metadata["annotations"] = notes
		}
		o := map[string]any{"apiVersion": "v1", "kind": kind}
		maps.Copy(o, m)
		o["metadata"] = metadata
		text, err := json.Marshal(o)
		if err != nil {
			panic(err)
		}
		return evidence.State(text)
	}
	d := evidence.ResourceDiff{Kind: kind, Namespace: "payments", Name: name, TargetState: whole(target), LiveState: whole(live)}
	d.NormalizedLiveState, d.PredictedLiveState = d.LiveState, d.TargetState
	s.Managed = append(s.Managed, d)
	s.Application.Status.Resources = append(s.Application.Status.Resources, evidence.ResourceStatus{Kind: kind, Namespace: "payments", Name: name, Status: status, RequiresPruning: target == nil})
	return &s.Application.Status.Resources[len(s.Application.Status.Resources)-1]
}

func options(list string) map[string]any {
	return map[string]any{"annotations": map[string]any{"argocd.argoproj.io/sync-options": list}}
}

func data(kv ...string) map[string]any {
	values := map[string]any{}
	for i := 0; i+1 < len(kv); i += 2 {
		values[kv[i]] = kv[i+1]
	}
	return map[string]any{"data": values}
}

func shown(p *action.Plan) []string {
	var out []string
	for _, c := range p.Changes {
		line := fmt.Sprintf("%s %s", c.Ref, c.Effect)
		if c.HoldsData {
			line += ", holds data"
		}
		if len(c.Fields) > 0 {
			line += ": " + strings.Join(c.Fields, " ")
		}
		out = append(out, line)
	}
	return out
}

// everything has a resource for each effect, in an order that is none.
func everything() *action.Situation {
	s := failed()
	resource(s, "OutOfSync", "Service", "new", data("a", "1"), nil)
	resource(s, "OutOfSync", "Secret", "token", data("password", "hunter2"), data("password", "hunter3"))
	resource(s, "OutOfSync", "ConfigMap", "old", nil, data("a", "1"))
	resource(s, "Synced", "ConfigMap", "same", data("a", "1"), data("a", "1"))
	resource(s, "OutOfSync", "ConfigMap", "settings", data("a", "secret-1", "b", "2"), data("a", "secret-0"))
	resource(s, "OutOfSync", "StatefulSet", "db", map[string]any{"metadata": options("Force=true,Replace=true")}, map[string]any{"spec": "x"})
	resource(s, "OutOfSync", "ConfigMap", "forced", map[string]any{"metadata": options("Validate=false, Force=true")}, map[string]any{})
	resource(s, "OutOfSync", "PersistentVolumeClaim", "disk", nil, map[string]any{})
	resource(s, "OutOfSync", "PersistentVolumeClaim", "kept", nil, map[string]any{"metadata": options("Prune=false")})
	resource(s, "OutOfSync", "ConfigMap", "asked", nil, map[string]any{"metadata": options("Prune=confirm")})
	resource(s, "OutOfSync", "Namespace", "ns", map[string]any{"metadata": options("Force=true,Replace=true")}, map[string]any{})
	resource(s, "Synced", "ConfigMap", "rewritten", map[string]any{"metadata": options("Replace=true,Force=true")}, map[string]any{"metadata": options("Replace=true,Force=true")})
	resource(s, "OutOfSync", "ConfigMap", "finished", nil, map[string]any{}).Hook = true
	return s
}

func TestWhatASyncChanges(t *testing.T) {
	changed := []string{
		"ConfigMap/settings changed: data.a data.b", "Secret/token changed", "Service/new created",
	}
	grave := []string{
		"StatefulSet/db recreated, holds data: metadata.annotations[argocd.argoproj.io/sync-options] spec",
		"ConfigMap/forced recreated: metadata.annotations[argocd.argoproj.io/sync-options]", "ConfigMap/rewritten recreated",
	}
	for name, test := range map[string]struct {
		options action.SyncOptions
		app     []string
		want    []string
		summary string
	}{
		"prune is off": {
			want: slices.Concat(grave[:1], []string{"Namespace/ns replaced, holds data: metadata.annotations[argocd.argoproj.io/sync-options]"}, grave[1:], changed, []string{
				"ConfigMap/asked kept: prune is off", "ConfigMap/old kept: prune is off", "PersistentVolumeClaim/disk kept, holds data: prune is off",
				"PersistentVolumeClaim/kept kept: Prune=false",
			}),
			summary: "sync 3f2a91c (3 recreated, 1 replaced, 2 changed, 1 created, 4 kept)",
		},
		"with prune": {
			options: action.SyncOptions{Prune: true},
			want: slices.Concat([]string{
				"PersistentVolumeClaim/disk pruned, holds data", grave[0],
				"Namespace/ns replaced, holds data: metadata.annotations[argocd.argoproj.io/sync-options]", "ConfigMap/asked pruned: Prune=confirm", "ConfigMap/old pruned",
			}, grave[1:], changed, []string{"PersistentVolumeClaim/kept kept: Prune=false"}),
			summary: "sync 3f2a91c (3 pruned, 3 recreated, 1 replaced, 2 changed, 1 created, 1 kept)",
		},
		"selected resources": {
			options: action.SyncOptions{Prune: true, Resources: []evidence.Ref{
				{Kind: "ConfigMap", Namespace: "payments", Name: "old"}, {Kind: "Service", Namespace: "payments", Name: "new"},
			}},
			want:    []string{"ConfigMap/old pruned", "Service/new created"},
			summary: "sync 3f2a91c, only 2 resources (1 pruned, 1 created)",
		},
		"options of the application for pruning and force are none": {
			app:     []string{"Prune=false", "Force=true", "ApplyOutOfSyncOnly=true"},
			options: action.SyncOptions{Prune: true, Resources: []evidence.Ref{{Kind: "ConfigMap", Name: "old"}, {Kind: "ConfigMap", Name: "settings"}, {Kind: "ConfigMap", Name: "rewritten"}}},
			want:    []string{"ConfigMap/old pruned", "ConfigMap/settings changed: data.a data.b"},
			summary: "sync 3f2a91c, only 3 resources (1 pruned, 1 changed)",
		},
		"the application replaces": {
			app:     []string{"Replace=true"},
			options: action.SyncOptions{DryRun: true, Resources: []evidence.Ref{{Kind: "ConfigMap", Name: "settings"}, {Kind: "ConfigMap", Name: "same"}}},
			want:    []string{"ConfigMap/same replaced", "ConfigMap/settings replaced: data.a data.b"},
			summary: "dry run of 3f2a91c, only 2 resources (2 replaced)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := everything()
			s.Application.Spec.SyncPolicy = &evidence.SyncPolicy{SyncOptions: test.app}
			p := action.Build(syncing(test.options), s, noon)
			if p.RefusedBecause != "" {
				t.Fatal(p.RefusedBecause)
			}
			if got := shown(p); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if got := p.Summary(); got != test.summary {
				t.Errorf("summary %q, want %q", got, test.summary)
			}
		})
	}
}

func TestPlanShowsNoValues(t *testing.T) {
	text, err := json.Marshal(action.Build(syncing(action.SyncOptions{}), everything(), noon))
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"hunter", "secret-", "password"} {
		if strings.Contains(string(text), value) {
			t.Errorf("%q is in the plan: %s", value, text)
		}
	}
}

func TestManyFieldsAreCounted(t *testing.T) {
	s := failed()
	var target, live []string
	for i := range 12 {
		key := fmt.Sprintf("k%02d", i)
		target, live = append(target, key, "new"), append(live, key, "old")
	}
	resource(s, "OutOfSync", "ConfigMap", "settings", data(target...), data(live...))
	want := []string{"ConfigMap/settings changed: data.k00 data.k01 data.k02 data.k03 data.k04 7 more"}
	if got := shown(action.Build(syncing(action.SyncOptions{}), s, noon)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestIgnoredDifferencesAndWhatBecomesOfThem(t *testing.T) {
	s := everything()
	s.Application.Spec.IgnoreDifferences = []evidence.IgnoredDifference{
		{Kind: "ConfigMap", JSONPointers: []string{"/data/a", "/data/b"}},
		{Kind: "Secret", Name: "token", JQPathExpressions: []string{".data"}, ManagedFieldsManagers: []string{"vault"}},
		{Kind: "Secret", Name: "other", JSONPointers: []string{"/data"}},
		{Group: "apps", Kind: "StatefulSet", JSONPointers: []string{"/spec/replicas"}}, // the resource of this test is in another group
		{Kind: "Serv*", Name: "*", Namespace: "payments", JSONPointers: []string{"/spec/ports"}},
		{Kind: "Service", Namespace: "ledger", JSONPointers: []string{"/spec"}},
	}
	for option, fate := range map[string]string{
		"RespectIgnoreDifferences=true":  "the sync leaves it unchanged (RespectIgnoreDifferences=true)",
		"RespectIgnoreDifferences=false": "the sync overwrites it where Git has a value",
	} {
		s.Application.Spec.SyncPolicy = &evidence.SyncPolicy{SyncOptions: []string{option}}
		equal(t, option, action.Build(syncing(action.SyncOptions{}), s, noon).Ignored, []string{
			".data, fields set by vault in Secret/token: " + fate,
			"/data/a, /data/b in ConfigMap/asked, ConfigMap/forced, ConfigMap/old and 3 more: " + fate,
			"/spec/ports in Service/new: " + fate,
		})
	}
}

func TestWhatElseThereIsToKnowOfASync(t *testing.T) {
	s := everything()
	s.Application.Spec.SyncPolicy = &evidence.SyncPolicy{Automated: &evidence.AutomatedSync{Prune: true, SelfHeal: true}, Retry: &evidence.Retry{Limit: 5}}
	s.Application.Status.ReconciledAt = at(-20 * time.Minute)
	s.Windows = &evidence.SyncWindows{CanSync: new(true), ActiveWindows: []evidence.SyncWindow{{Kind: "deny", ManualSync: true}}}
	s.Unread = []string{"events: time-out"}
	equal(t, "notes", action.Build(syncing(action.SyncOptions{}), s, noon).Notes, []string{
		"Prune is off: 3 resources removed from Git stay in the cluster, so the application stays out of sync.",
		"Auto-sync is on (with prune and self-heal): Argo CD also syncs on its own.",
		"A sync window blocks auto-sync now, but allows manual syncs.",
		"If it fails, Argo CD retries it up to 5 times.",
		"The comparison is stale: Argo CD last compared 20 min ago, at 11:40 UTC.",
		"Could not read: events: time-out",
	})
	s = everything()
	s.Application.Spec.SyncPolicy = &evidence.SyncPolicy{Automated: &evidence.AutomatedSync{}, Retry: &evidence.Retry{Limit: -1}}
	equal(t, "notes", action.Build(syncing(action.SyncOptions{Prune: true}), s, noon).Notes, []string{
		"Argo CD waits for someone to confirm the deletion of resources with Prune=confirm.",
		"Auto-sync is on: Argo CD also syncs on its own.",
		"If it fails, Argo CD retries it until someone terminates it.",
	})
	if notes := action.Build(syncing(action.SyncOptions{}), failed(), noon).Notes; len(notes) > 0 {
		t.Errorf("notes without need: %q", notes)
	}
}
