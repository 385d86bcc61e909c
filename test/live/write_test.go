//go:build live

package live_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// commit makes the manifest what Git has at that path. The clone is shared with whoever else commits.
func commit(t *testing.T, path, manifest string) {
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

// write patches an object as a field manager.
func (l *lab) write(kind schema.GroupVersionResource, name, patch, manager string, namespace ...string) {
	l.t.Helper()
	at := l.client.Resource(kind).Namespace(l.name)
	if len(namespace) > 0 {
		at = l.client.Resource(kind).Namespace(namespace[0])
	}
	if _, err := at.Patch(l.t.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: manager}); err != nil {
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
