//go:build live

package live_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/evidence"
)

var (
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	jobs       = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}
	podLogs    = schema.GroupVersionResource{Group: "kwok.x-k8s.io", Version: "v1alpha1", Resource: "clusterlogs"}
)

// actor is an account of the lab's Argo CD that has the rights of deploy/argocd.
type actor struct {
	l    *lab
	name string
	// lines are the policy lines of rbac-actions.yaml, with the account's own name.
	lines  []string
	client *argo.Client
	app    *argo.App
}

// newActor makes the account as deploy/argocd says, and takes it away with the test.
func newActor(l *lab) *actor {
	l.t.Helper()
	a := &actor{l: l, name: l.name}
	read := policyOf(l.t, "rbac.yaml", "policy.argo-why.csv", a.name)
	a.lines = policyOf(l.t, "rbac-actions.yaml", "policy.argo-why-actions.csv", a.name)
	a.setting("argocd-cm", "accounts."+a.name, "apiKey")
	a.setting("argocd-rbac-cm", "policy."+a.name+"-read.csv", strings.Join(read, "\n"))
	a.allow(a.lines)
	a.client = a.login()
	a.app = a.client.App(l.name, "", "default")
	a.until(argo.RightSync, true)
	return a
}

// policyOf are the lines of a file of deploy/argocd.
func policyOf(t *testing.T, file, key, account string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "argocd", file))
	if err != nil {
		t.Fatal(err)
	}
	var patch struct{ Data map[string]string }
	if err := yaml.Unmarshal(text, &patch); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(patch.Data[key]) {
		if strings.HasPrefix(line, "p, ") {
			lines = append(lines, strings.TrimSpace(strings.Replace(line, "argo-why", account, 1)))
		}
	}
	if len(lines) == 0 {
		t.Fatalf("%s has no lines under %s", file, key)
	}
	return lines
}

// setting writes a key into the settings of Argo CD, for the time of the test.
func (a *actor) setting(configMap, key string, value any) {
	a.l.t.Helper()
	a.patch(a.l.t.Context(), configMap, key, value)
	a.l.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(a.l.t.Context()), 10*time.Second)
		defer cancel()
		a.patch(ctx, configMap, key, nil)
	})
}

func (a *actor) patch(ctx context.Context, configMap, key string, value any) {
	a.l.t.Helper()
	patch, err := json.Marshal(map[string]any{"data": map[string]any{key: value}})
	if err != nil {
		a.l.t.Fatal(err)
	}
	if _, err := a.l.client.Resource(configMaps).Namespace("argocd").Patch(ctx, configMap, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		a.l.t.Errorf("patch %s: %v", configMap, err)
	}
}

// allow makes these the lines of the account's actions.
func (a *actor) allow(lines []string) {
	a.l.t.Helper()
	a.setting("argocd-rbac-cm", "policy."+a.name+"-actions.csv", strings.Join(lines, "\n")+"\n")
}

// login makes a token as `argocd account generate-token` does, and connects with it.
func (a *actor) login() *argo.Client {
	a.l.t.Helper()
	scheme := "http://"
	if os.Getenv("LIVE_TLS") != "" {
		scheme = "https://"
	}
	var answer struct{ Token string }
	a.l.eventually("an account "+a.name, func() bool {
		body := bytes.NewReader([]byte(`{"expiresIn":3600}`))
		request, err := http.NewRequestWithContext(a.l.t.Context(), http.MethodPost, scheme+os.Getenv("ARGOCD_SERVER")+"/api/v1/account/"+a.name+"/token", body)
		if err != nil {
			a.l.t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ARGOCD_AUTH_TOKEN"))
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			a.l.t.Fatal(err)
		}
		defer response.Body.Close()
		return json.NewDecoder(response.Body).Decode(&answer) == nil && answer.Token != ""
	})
	client, err := argo.Connect(a.l.t.Context(), argo.Options{PlainText: os.Getenv("LIVE_TLS") == "", AuthToken: answer.Token, Server: os.Getenv("ARGOCD_SERVER")})
	if err != nil {
		a.l.t.Fatal(err)
	}
	a.l.t.Cleanup(func() { _ = client.Close() })
	return client
}

// until waits for Argo CD to know of a right, or of its end.
func (a *actor) until(right argo.Right, want bool) {
	a.l.t.Helper()
	a.l.eventually("the right to "+right.Action, func() bool {
		may, err := a.client.Has(a.l.t.Context(), right, "default", a.app)
		return err == nil && may == want
	})
}

// eventually asks until it is so.
func (l *lab) eventually(what string, ok func() bool) {
	l.t.Helper()
	for end := time.Now().Add(60 * time.Second); !ok(); time.Sleep(200 * time.Millisecond) {
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
		drift{}.commit(t, name, manifest)
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
	drift{}.commit(t, l.name, strings.Replace(settings, `"1"`, `"2"`, 1))
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
	drift{}.commit(t, l.name, strings.Replace(settings, `"1"`, `"2"`, 1))
	l.write(apps, l.name, `{"spec":{"syncPolicy":{"automated":{}}}}`, "live-test", "argocd")
	l.eventually("auto-sync", func() bool { return l.state().sync == "Synced" && l.state().phase == "Succeeded" })
	got, err := a.app.Sync(t.Context(), argo.SyncRequest{Revision: before})
	if err != nil || got == before || len(got) != 40 {
		t.Errorf("sync of another revision than the target: %q, %v", got, err)
	}
}

func TestSyncOfSeveralSources(t *testing.T) {
	l, a := newActing(t, settings)
	drift{}.commit(t, l.name+"-more", strings.Replace(settings, "name: settings", "name: more", 1))
	source := func(path string) string {
		return `{"repoURL":"` + os.Getenv("GIT_URL") + `","path":"` + path + `","targetRevision":"main"}`
	}
	l.write(apps, l.name, `{"spec":{"source":null,"sources":[`+source(l.name)+`,`+source(l.name+"-more")+`]}}`, "live-test", "argocd")
	app, err := a.app.Refresh(t.Context(), false)
	if err != nil || len(app.Status.Sync.Revisions) != 2 {
		t.Fatalf("revisions %v, %v", app.Status.Sync.Revisions, err)
	}
	before := app.Status.Sync.Revisions
	drift{}.commit(t, l.name+"-more", strings.Replace(settings, "name: settings", "name: later", 1))
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

// TestEachActionNeedsItsLine takes away one line after the other: the actions that need it are refused, with the words that
// give it back, and no others.
func TestEachActionNeedsItsLine(t *testing.T) {
	for i, line := range policyOf(t, "rbac-actions.yaml", "policy.argo-why-actions.csv", "argo-why") {
		t.Run("without "+line, func(t *testing.T) { withoutLine(t, i) })
	}
}

func withoutLine(t *testing.T, i int) {
	l, a := newActing(t, migrate("fail"))
	if _, err := a.app.Sync(t.Context(), argo.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	l.untilPhase("Failed")
	ref := evidence.Ref{Group: "batch", Kind: "Job", Namespace: l.name, Name: "migrate"}
	live, err := a.app.Object(t.Context(), evidence.ObjectQuery{Ref: ref})
	if err != nil || live == nil {
		t.Fatalf("the Job of the hook: %v, %v", live, err)
	}
	line := a.lines[i]
	gives := func(r argo.Right) bool { return r.Line(a.name, "*") == line }
	if !slices.ContainsFunc(argo.Rights, gives) {
		t.Fatal("no action needs it")
	}
	a.allow(slices.Delete(slices.Clone(a.lines), i, i+1))
	for _, right := range argo.Rights {
		a.until(right, !gives(right))
	}
	check := func(right argo.Right, err error) {
		t.Helper()
		var problem *argo.Error
		denied := errors.As(err, &problem) && problem.Problem == argo.Forbidden
		switch {
		case denied != gives(right), err != nil && !denied && !(errors.As(err, &problem) && problem.Problem == argo.Idle):
			t.Errorf("%s: %v", right.Action, err)
		case denied && !strings.HasSuffix(err.Error(), ": add to policy.csv in argocd-rbac-cm: "+right.Line(a.name, "default")):
			t.Errorf("%s does not say what is missing: %v", right.Action, err)
		}
	}
	check(argo.RightDeleteHookJob, a.app.DeleteResource(t.Context(), ref, live.Text("metadata", "uid")))
	_, err = a.app.Refresh(t.Context(), true)
	check(argo.RightHardRefresh, err)
	_, err = a.app.Sync(t.Context(), argo.SyncRequest{DryRun: true})
	check(argo.RightSync, err)
	check(argo.RightTerminate, a.app.Terminate(t.Context()))
}
