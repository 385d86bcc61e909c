//go:build live

package live_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
)

// TestFixesWork: the YAML that a report prints is applied as it stands, and the application becomes Synced. Where the fix is
// to leave a field alone, another sync leaves it alone, too.
func TestFixesWork(t *testing.T) {
	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range drifts {
		t.Run(name, func(t *testing.T) { d.run(t, engine) })
	}
}

func (d drift) run(t *testing.T, engine *diagnose.Engine) {
	l := newLab(t, func(name string, app map[string]any) {
		spec, _ := app["spec"].(map[string]any)
		spec["source"] = map[string]any{"repoURL": os.Getenv("GIT_URL"), "path": name, "targetRevision": "main"}
		spec["syncPolicy"] = map[string]any{"syncOptions": d.options}
		d.commit(t, name, d.manifest)
	})
	l.sync()
	if d.patch != "" {
		l.write(d.resource, d.object, d.patch, d.manager)
	}
	l.until("OutOfSync")

	rep, err := engine.Diagnose(t.Context(), l.argo, time.Now().UTC())
	if err != nil {
		t.Fatal(err)
	}
	if got := first(rep); got != d.rule {
		t.Fatalf("got %s (%s), want %s", got, rep.Headline, d.rule)
	}
	patch := ""
	for _, f := range rep.Findings[0].Fix {
		if strings.Contains(f.Text, d.fix) {
			patch = f.Patch
		}
	}
	t.Logf("%s\n%s", rep.Headline, patch)
	if patch == "" {
		t.Fatalf("no step %q with a patch: %+v", d.fix, rep.Findings[0].Fix)
	}
	switch d.on {
	case "git":
		d.commit(t, l.name, merged(t, d.manifest, patch))
	default:
		asJSON, err := yaml.YAMLToJSON([]byte(patch))
		if err != nil {
			t.Fatal(err)
		}
		l.write(apps, l.name, string(asJSON), "live-test", "argocd")
	}
	l.until("Synced")

	if d.survives != nil {
		before := l.value(d.resource, d.object, d.survives)
		l.sync()
		if after := l.value(d.resource, d.object, d.survives); after != before {
			t.Errorf("%s was %s, and is %s after another sync", strings.Join(d.survives, "."), before, after)
		}
		l.until("Synced")
	}
}

// commit makes the manifest what Git has at that path. The clone is shared with whoever else commits.
func (d drift) commit(t *testing.T, path, manifest string) {
	t.Helper()
	work := os.Getenv("GIT_WORK")
	if work == "" || os.Getenv("GIT_URL") == "" {
		t.Fatal("set GIT_URL to a repository that Argo CD can read, and GIT_WORK to a clone of it that can be pushed")
	}
	lock, err := os.OpenFile(filepath.Join(filepath.Dir(work), "git.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close() //nolint:errcheck // closing it gives the lock back, which the end of the process does as well
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(work, path)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "manifest.yaml"), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "-m", path}, {"push", "-q", "origin", "main"}} {
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", work}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
}

// merged writes the lines of a patch into a manifest, as a person would: lists by their names.
func merged(t *testing.T, manifest, patch string) string {
	t.Helper()
	var into, from map[string]any
	if err := yaml.Unmarshal([]byte(manifest), &into); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal([]byte(patch), &from); err != nil {
		t.Fatal(err)
	}
	mergeMaps(into, from)
	out, err := yaml.Marshal(into)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func mergeMaps(into, from map[string]any) {
	for k, v := range from {
		switch v := v.(type) {
		case map[string]any:
			if m, ok := into[k].(map[string]any); ok {
				mergeMaps(m, v)
				continue
			}
		case []any:
			if list, ok := into[k].([]any); ok {
				mergeLists(list, v)
				continue
			}
		}
		into[k] = v
	}
}

func mergeLists(into, from []any) {
	for _, v := range from {
		for _, w := range into {
			m, ok1 := w.(map[string]any)
			n, ok2 := v.(map[string]any)
			if ok1 && ok2 && m["name"] == n["name"] {
				mergeMaps(m, n)
			}
		}
	}
}

// write patches an object as a field manager.
func (l *lab) write(kind schema.GroupVersionResource, name, patch, manager string, namespace ...string) {
	l.t.Helper()
	how := types.MergePatchType
	at := l.client.Resource(kind).Namespace(l.name)
	if kind == deployments { // its lists are merged by name
		how = types.StrategicMergePatchType
	}
	if len(namespace) > 0 {
		at = l.client.Resource(kind).Namespace(namespace[0])
	}
	if _, err := at.Patch(l.t.Context(), name, how, []byte(patch), metav1.PatchOptions{FieldManager: manager}); err != nil {
		l.t.Fatalf("patch %s: %v", name, err)
	}
}

func (l *lab) value(kind schema.GroupVersionResource, name string, path []string) string {
	l.t.Helper()
	o, err := l.client.Resource(kind).Namespace(l.name).Get(l.t.Context(), name, metav1.GetOptions{})
	if err != nil {
		l.t.Fatal(err)
	}
	v, _, _ := unstructured.NestedFieldNoCopy(o.Object, path...)
	text, _ := json.Marshal(v)
	return string(text)
}

// sync asks for a sync, as `argocd app sync` does, and waits for its end.
func (l *lab) sync() {
	l.t.Helper()
	since := l.state().startedAt
	l.write(apps, l.name, `{"operation":{"initiatedBy":{"username":"live"},"sync":{"syncOptions":`+l.options()+`}}}`, "live-test", "argocd")
	l.wait("a sync to end", func(s state) bool { return s.startedAt != since && s.phase == "Succeeded" })
}

// options are the application's own: an operation that is asked for through the cluster does not inherit them.
func (l *lab) options() string {
	o, err := l.client.Resource(apps).Namespace("argocd").Get(l.t.Context(), l.name, metav1.GetOptions{})
	if err != nil {
		l.t.Fatal(err)
	}
	options, _, _ := unstructured.NestedStringSlice(o.Object, "spec", "syncPolicy", "syncOptions")
	text, _ := json.Marshal(options)
	return string(bytes.ReplaceAll(text, []byte("null"), []byte("[]")))
}

// until refreshes until the application has the sync status. The first answer may be from before what was just done.
func (l *lab) until(status string) {
	l.t.Helper()
	l.wait("sync status "+status, func(s state) bool {
		l.write(apps, l.name, `{"metadata":{"annotations":{"argocd.argoproj.io/refresh":"hard"}}}`, "live-test", "argocd")
		for range 20 {
			time.Sleep(200 * time.Millisecond)
			if s = l.state(); !s.refreshing {
				return s.sync == status
			}
		}
		return false
	})
}

type state struct {
	sync, phase, startedAt string
	refreshing             bool
}

func (l *lab) state() state {
	l.t.Helper()
	o, err := l.client.Resource(apps).Namespace("argocd").Get(l.t.Context(), l.name, metav1.GetOptions{})
	if err != nil {
		l.t.Fatal(err)
	}
	text := func(path ...string) string { s, _, _ := unstructured.NestedString(o.Object, path...); return s }
	_, refreshing := o.GetAnnotations()["argocd.argoproj.io/refresh"]
	return state{text("status", "sync", "status"), text("status", "operationState", "phase"), text("status", "operationState", "startedAt"), refreshing}
}

func (l *lab) wait(what string, ok func(state) bool) {
	l.t.Helper()
	for end := time.Now().Add(90 * time.Second); ; time.Sleep(time.Second) {
		s := l.state()
		if ok(s) {
			return
		}
		if time.Now().After(end) {
			l.t.Fatalf("waited in vain for %s: %+v", what, s)
		}
	}
}
