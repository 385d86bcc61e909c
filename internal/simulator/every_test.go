package simulator_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/simulator"
)

// TestEveryCaseCanBeRepaired: whatever was recorded, also a visitor's own case, a commit without a case and a sync make it well,
// and as long as it is out of sync something differs.
func TestEveryCaseCanBeRepaired(t *testing.T) {
	t.Parallel()
	const root = "../diagnose/rules/testdata/cases"
	s, n := whole(t), 0
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".json") {
			return err
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return err
		}
		var c struct {
			Application *struct {
				Metadata struct {
					Name, Namespace, DeletionTimestamp string
					Annotations                        map[string]string
				}
			}
		}
		if err := json.Unmarshal(text, &c); err != nil {
			return err
		}
		if c.Application == nil || c.Application.Metadata.Name == "" {
			return nil // Argo CD showed none
		}
		n++
		m := c.Application.Metadata
		app := simulator.Name{Namespace: m.Namespace, Name: m.Name}
		s.must(s.Put(text, app))
		if evidence.IsSkipped(m.Annotations) {
			s.must(s.Repair(app)) // before that Argo CD does nothing about it
		}
		repaired(t, s, path, app, m.DeletionTimestamp != "")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 100 {
		t.Errorf("%d cases", n)
	}
}

func repaired(t *testing.T, s *world, path string, app simulator.Name, goes bool) {
	t.Helper()
	s.must(s.Push(app, simulator.Commit{Revision: fixed}))
	if goes {
		if _, err := s.State(app); err == nil {
			t.Errorf("%s: it is still there", path)
		}
		return
	}
	s.must(s.Refresh(app, true))
	seen, err := s.Details(app)
	s.must(err)
	differs := false
	for _, r := range seen.Resources {
		differs = differs || r.Sync == "OutOfSync"
	}
	if seen.Sync == "Unknown" || differs != (seen.Sync == "OutOfSync") {
		t.Errorf("%s: %s, and out of sync: %v", path, seen.Sync, seen.Resources)
	}
	s.must(s.Repair(app)) // a sync window may forbid what follows
	s.must(s.Refresh(app, true))
	if now, err := s.Details(app); err == nil && now.Running { // an operation that nobody had picked up is over
		if err := s.Terminate(app); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, job := range seen.FailedJobs {
		s.must(s.Delete(app, job))
	}
	if err := s.Sync(app, true); err != nil {
		t.Errorf("%s: %v", path, err)
	}
	if now, err := s.State(app); err != nil || now.Sync != "Synced" || now.Health != "Healthy" || now.Operation != "Succeeded" {
		t.Errorf("%s: %+v, %v", path, now, err)
	}
}
