package bolt_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/bolt"
	"github.com/argo-why/argo-why/internal/incident/journaltest"
)

func open(t *testing.T, path string) *bolt.Journal {
	t.Helper()
	j, err := bolt.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

func TestJournal(t *testing.T) {
	t.Parallel()
	journaltest.Run(t, func(t *testing.T) incident.Journal { return open(t, filepath.Join(t.TempDir(), "journal")) }, damage)
}

// damage cuts off what is stored of an entry.
func damage(t *testing.T, j incident.Journal, id string) {
	t.Helper()
	file, ok := j.(*bolt.Journal)
	if !ok {
		t.Fatalf("%T is no file", j)
	}
	err := file.DB().Update(func(tx *bbolt.Tx) error {
		entries := tx.Bucket([]byte("incidents"))
		stored := entries.Get([]byte(id))
		return entries.Put([]byte(id), bytes.Clone(stored[:len(stored)/2]))
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheFileIsTheOwnersAndOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	j, err := bolt.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	i := journaltest.Full("web-1")
	if err := errors.Join(j.Put(t.Context(), i), j.Close()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	j = open(t, path)
	again, err := j.Get(t.Context(), "web-1")
	if err != nil || again.Version != i.Version {
		t.Fatalf("%+v, %v", again, err)
	}
	if err := j.Put(t.Context(), again); err != nil || again.Version == i.Version {
		t.Errorf("%s, %v", again.Version, err)
	}
}

// raw writes a file of the same kind, without the journal.
func raw(t *testing.T, path string, buckets map[string]map[string]string) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for name, values := range buckets {
			b, err := tx.CreateBucketIfNotExists([]byte(name))
			if err != nil {
				return err
			}
			for key, value := range values {
				if err := b.Put([]byte(key), []byte(value)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsWrongWithAFileIsOneLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"short": "hello", "long": strings.Repeat("no journal\n", 10_000)} {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	raw(t, at("foreign"), map[string]map[string]string{"orders": {"1": "a book"}})
	raw(t, at("foreign-about"), map[string]map[string]string{"about": {"a": "b"}})
	raw(t, at("future"), map[string]map[string]string{"about": {"format": "2"}, "incidents": {}})
	open(t, at("locked"))
	for name, want := range map[string]string{
		"none/journal":  "directory " + at("none") + " does not exist; create it, or choose another file",
		"":              "it is a directory; choose a file in it",
		"short":         "it is not a journal, or is damaged (", // in bbolt's words
		"long":          "it is not a journal, or is damaged (",
		"foreign":       "it belongs to another program; choose another file",
		"foreign-about": "it belongs to another program; choose another file",
		"future":        "it was written by a newer version of argo-why; use that version, or move the file away to start over",
		"locked":        "another process has it open; stop that process, or give this one its own file (timeout)",
	} {
		j, err := bolt.Open(at(name))
		if err == nil {
			t.Errorf("%s: opened, %v", name, j.Close())
			continue
		}
		if !strings.HasPrefix(err.Error(), "open journal "+at(name)+": "+want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if text, err := os.ReadFile(at("short")); err != nil || string(text) != "hello" {
		t.Errorf("a file that is no journal was written to: %q, %v", text, err)
	}
}

func TestAnEntryThatCannotBeReadIsNamed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	raw(t, path, map[string]map[string]string{"about": {"format": "1"}, "incidents": {"web-1": "12345678{"}})
	j := open(t, path)
	if _, err := j.List(t.Context()); err == nil || !strings.Contains(err.Error(), "list incidents: web-1 is damaged (") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
	if _, err := j.Get(t.Context(), "web-1"); err == nil || !strings.Contains(err.Error(), "web-1 is damaged (") || errors.Is(err, incident.ErrNotFound) {
		t.Error(err)
	}
}
