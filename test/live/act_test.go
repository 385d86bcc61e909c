//go:build live

package live_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/evidence"
)

var (
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	jobs       = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}
	projects   = schema.GroupVersionResource{Group: "argoproj.io", Version: "v1alpha1", Resource: "appprojects"}
	podLogs    = schema.GroupVersionResource{Group: "kwok.x-k8s.io", Version: "v1alpha1", Resource: "clusterlogs"}
)

// eventually asks until it is so.
func (l *lab) eventually(what string, ok func() bool) {
	l.t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			l.t.Fatalf("waited in vain for %s", what)
		}
	}
}

const settings = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {a: "1"}
`

// migrate is a PreSync hook whose pods behave like that.
func migrate(behave string) string {
	return settings + `---
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {argocd.argoproj.io/hook: PreSync, argocd.argoproj.io/hook-delete-policy: BeforeHookCreation}
spec:
  backoffLimit: 0
  template:
    metadata: {labels: {lab.io/behave: ` + behave + `}, annotations: {lab.io/message: "", lab.io/exit-code: "3"}}
    spec:
      restartPolicy: Never
      containers: [{name: migrate, image: "registry.example/migrate:1.0"}]
`
}

// newActing makes an application from a manifest, and an account that may act on it.
func newActing(t *testing.T, manifest string) (*lab, *actor) {
	l := newLab(t, func(name string, app map[string]any) {
		spec, _ := app["spec"].(map[string]any)
		spec["source"] = map[string]any{"repoURL": os.Getenv("GIT_URL"), "path": name, "targetRevision": "main"}
		spec["syncPolicy"] = map[string]any{"syncOptions": []any{"ApplyOutOfSyncOnly=true"}, "retry": map[string]any{"limit": int64(0)}}
		commit(t, name, manifest)
	})
	return l, newActor(l)
}

// operation is that of the application as Argo CD shows it.
func (l *lab) operation() (phase string, whole map[string]any) {
	l.t.Helper()
	o, err := l.client.Resource(apps).Namespace("argocd").Get(l.t.Context(), l.name, metav1.GetOptions{})
	if err != nil {
		l.t.Fatal(err)
	}
	phase, _, _ = unstructured.NestedString(o.Object, "status", "operationState", "phase")
	whole, _, _ = unstructured.NestedMap(o.Object, "status", "operationState", "operation")
	return phase, whole
}

func (l *lab) untilPhase(want string) {
	l.t.Helper()
	l.eventually("an operation in phase "+want, func() bool { phase, _ := l.operation(); return phase == want })
}

func TestSyncOfExactlyWhatWasAskedFor(t *testing.T) {
	l, a := newActing(t, settings)
	app, err := a.app.Refresh(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if app.Status.Sync.Status != "OutOfSync" {
		t.Fatalf("after a refresh it is %s", app.Status.Sync.Status)
	}
	revision := app.Status.Sync.Revision

	info := []argo.SyncInfo{{Name: "argo-why", Value: "r-1"}, {Name: "argo-why/by", Value: "dana (U0123)"}}
	got, err := a.app.Sync(t.Context(), argo.SyncRequest{Revision: revision, DryRun: true, Info: info})
	if err != nil || got != revision {
		t.Fatalf("dry run: %q, %v, want %q", got, err, revision)
	}
	l.untilPhase("Succeeded")
	if _, err := l.client.Resource(configMaps).Namespace(l.name).Get(t.Context(), "settings", metav1.GetOptions{}); err == nil {
		t.Error("a dry run has made the ConfigMap")
	}

	// What is committed meanwhile is not what was confirmed.
	commit(t, l.name, strings.Replace(settings, `"1"`, `"2"`, 1))
	if got, err = a.app.Sync(t.Context(), argo.SyncRequest{Revision: revision, Info: info}); err != nil || got != revision {
		t.Fatalf("sync: %q, %v, want %q", got, err, revision)
	}
	l.eventually("the sync", func() bool {
		_, err := l.client.Resource(configMaps).Namespace(l.name).Get(t.Context(), "settings", metav1.GetOptions{})
		return err == nil
	})
	l.untilPhase("Succeeded")
	if v := l.value(configMaps, "settings", []string{"data", "a"}); v != `"1"` {
		t.Errorf("the newer commit was synced: %s", v)
	}
	_, operation := l.operation()
	text, _ := json.Marshal(operation)
	for _, want := range []string{
		`"info":[{"name":"argo-why","value":"r-1"},{"name":"argo-why/by","value":"dana (U0123)"}]`,
		`"syncOptions":["ApplyOutOfSyncOnly=true"]`, `"username":"` + a.name + `"`, `"revision":"` + revision + `"`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the operation does not have %s: %s", want, text)
		}
	}
	if subject, err := a.app.Subject(t.Context()); err != nil || subject.Application.Status.OperationState.Revision() != revision {
		t.Errorf("the last operation as it is read: %+v, %v", subject.Application, err)
	}
}

func TestApplicationThatSyncsItself(t *testing.T) {
	l, a := newActing(t, settings)
	app, err := a.app.Refresh(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	before := app.Status.Sync.Revision
	commit(t, l.name, strings.Replace(settings, `"1"`, `"2"`, 1))
	l.write(apps, l.name, `{"spec":{"syncPolicy":{"automated":{}}}}`, "live-test", "argocd")
	if _, err := a.app.Refresh(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	l.eventually("auto-sync of the new commit", func() bool {
		s, err := a.app.Subject(t.Context())
		if err != nil || s.Application == nil || s.Application.Operation != nil {
			return false
		}
		st := s.Application.Status
		op := st.OperationState
		return st.Sync.Status == "Synced" && st.Sync.Revision != before && op != nil && op.Phase == "Succeeded" && op.Revision() == st.Sync.Revision
	})
	got, err := a.app.Sync(t.Context(), argo.SyncRequest{Revision: before})
	if err != nil || got == before || len(got) != 40 {
		t.Errorf("sync of another revision than the target: %q, %v", got, err)
	}
}

func TestSyncOfSeveralSources(t *testing.T) {
	l, a := newActing(t, settings)
	commit(t, l.name+"-more", strings.Replace(settings, "name: settings", "name: more", 1))
	source := func(path string) string {
		return `{"repoURL":"` + os.Getenv("GIT_URL") + `","path":"` + path + `","targetRevision":"main"}`
	}
	l.write(apps, l.name, `{"spec":{"source":null,"sources":[`+source(l.name)+`,`+source(l.name+"-more")+`]}}`, "live-test", "argocd")
	app, err := a.app.Refresh(t.Context(), false)
	if err != nil || len(app.Status.Sync.Revisions) != 2 {
		t.Fatalf("revisions %v, %v", app.Status.Sync.Revisions, err)
	}
	before := app.Status.Sync.Revisions
	commit(t, l.name+"-more", strings.Replace(settings, "name: settings", "name: later", 1))
	got, err := a.app.Sync(t.Context(), argo.SyncRequest{Revisions: before})
	if err != nil || got != strings.Join(before, ", ") {
		t.Fatalf("sync: %q, %v, want %q", got, err, before)
	}
	l.untilPhase("Succeeded")
	for name, want := range map[string]bool{"settings": true, "more": true, "later": false} {
		if _, err := l.client.Resource(configMaps).Namespace(l.name).Get(t.Context(), name, metav1.GetOptions{}); (err == nil) != want {
			t.Errorf("ConfigMap %s: %v", name, err)
		}
	}
	manifests, err := a.app.Manifests(t.Context(), before...)
	if err != nil || len(manifests) != 2 || manifests[1].Ref().Name != "more" {
		t.Errorf("manifests %v, %v", manifests, err)
	}
}

func TestSyncOfSelectedResources(t *testing.T) {
	l, a := newActing(t, migrate("fail")+"---\n"+strings.Replace(settings, "name: settings", "name: more", 1))
	chosen := evidence.Ref{Kind: "ConfigMap", Namespace: l.name, Name: "more"}
	if _, err := a.app.Sync(t.Context(), argo.SyncRequest{Resources: []evidence.Ref{chosen}}); err != nil {
		t.Fatal(err)
	}
	l.untilPhase("Succeeded") // the hook, which would fail, does not run
	for name, want := range map[string]bool{"settings": false, "more": true} {
		if _, err := l.client.Resource(configMaps).Namespace(l.name).Get(t.Context(), name, metav1.GetOptions{}); (err == nil) != want {
			t.Errorf("ConfigMap %s: %v", name, err)
		}
	}
}

func TestSyncIsForbiddenByAWindow(t *testing.T) {
	l, a := newActing(t, settings)
	l.create(projects, "argocd", map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "AppProject", "metadata": map[string]any{"name": l.name},
		"spec": map[string]any{
			"sourceRepos": []any{"*"}, "destinations": []any{map[string]any{"server": "*", "namespace": "*"}},
			"syncWindows": []any{map[string]any{"kind": "deny", "schedule": "* * * * *", "duration": "1h", "applications": []any{"*"}}},
		},
	})
	l.write(apps, l.name, `{"spec":{"project":"`+l.name+`"}}`, "live-test", "argocd")
	frozen := a.client.App(l.name, "", l.name)
	var problem *argo.Error
	l.eventually("the window", func() bool {
		_, err := frozen.Sync(t.Context(), argo.SyncRequest{DryRun: true})
		return errors.As(err, &problem) && problem.Problem == argo.OutsideWindow
	})
}

func TestTerminate(t *testing.T) {
	l, a := newActing(t, migrate("hang"))
	var problem *argo.Error
	if err := a.app.Terminate(t.Context()); !errors.As(err, &problem) || problem.Problem != argo.Idle {
		t.Errorf("nothing to terminate: %v", err)
	}
	if _, err := a.app.Sync(t.Context(), argo.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	l.eventually("the hook", func() bool { return l.job("migrate") != nil })
	if _, err := a.app.Sync(t.Context(), argo.SyncRequest{}); !errors.As(err, &problem) || problem.Problem != argo.Busy {
		t.Errorf("a second sync: %v", err)
	}
	// A refresh is possible meanwhile.
	if _, err := a.app.Refresh(t.Context(), false); err != nil {
		t.Error(err)
	}
	if err := a.app.Terminate(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.untilPhase("Failed")
}

func (l *lab) job(name string) *unstructured.Unstructured {
	o, err := l.client.Resource(jobs).Namespace(l.name).Get(l.t.Context(), name, metav1.GetOptions{})
	if err != nil {
		return nil
	}
	return o
}

func TestFailedHookJobIsReadAndDeleted(t *testing.T) {
	l, a := newActing(t, migrate("fail"))
	l.logs("migrate: connecting", "migrate: ERROR: no such relation")
	if _, err := a.app.Sync(t.Context(), argo.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	l.untilPhase("Failed")
	if _, err := a.app.Refresh(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	ref := evidence.Ref{Group: "batch", Kind: "Job", Namespace: l.name, Name: "migrate"}
	live, err := a.app.Object(t.Context(), evidence.ObjectQuery{Ref: ref})
	if err != nil || live == nil || live.Annotation("argocd.argoproj.io/hook") != "PreSync" {
		t.Fatalf("the Job of the hook: %v, %v", live, err)
	}
	t.Logf("finalizers %v", live.At("metadata", "finalizers"))
	log, err := a.app.JobLog(t.Context(), ref, 100, 4000)
	if err != nil || log != "migrate: connecting\nmigrate: ERROR: no such relation" {
		t.Errorf("its log: %q, %v", log, err)
	}
	if err := a.app.DeleteResource(t.Context(), ref, "another"); !errors.Is(err, argo.ErrChanged) {
		t.Errorf("a Job of another UID: %v", err)
	}
	if l.job("migrate") == nil {
		t.Fatal("it is gone")
	}
	start := time.Now()
	if err := a.app.DeleteResource(t.Context(), ref, live.Text("metadata", "uid")); err != nil {
		t.Fatal(err)
	}
	l.eventually("the end of the Job", func() bool { return l.job("migrate") == nil })
	t.Logf("gone after %s", time.Since(start))
	if err := a.app.DeleteResource(t.Context(), ref, live.Text("metadata", "uid")); !errors.Is(err, argo.ErrChanged) {
		t.Errorf("a Job that is gone: %v", err)
	}
	manifests, err := a.app.Manifests(t.Context(), "main")
	if err != nil || !slices.ContainsFunc(manifests, func(o evidence.Object) bool { return o.Annotation("argocd.argoproj.io/hook") == "PreSync" }) {
		t.Errorf("the hook is not among the manifests: %v, %v", manifests, err)
	}
}

// logs is what each container of the namespace has written.
func (l *lab) logs(lines ...string) {
	l.t.Helper()
	file := filepath.Join(l.t.TempDir(), "log")
	var text strings.Builder
	for _, line := range lines {
		text.WriteString("2026-01-01T00:00:00.000000000Z stdout F " + line + "\n")
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		l.t.Fatal(err)
	}
	l.create(podLogs, "", map[string]any{
		"apiVersion": "kwok.x-k8s.io/v1alpha1", "kind": "ClusterLogs", "metadata": map[string]any{"name": l.name},
		"spec": map[string]any{
			"selector": map[string]any{"matchNamespaces": []any{l.name}}, "logs": []any{map[string]any{"logsFile": file}},
		},
	})
}
