package bolt_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/action/bolt"
	"github.com/argo-why/argo-why/internal/action/journaltest"
	"github.com/argo-why/argo-why/internal/incident"
	incidents "github.com/argo-why/argo-why/internal/incident/bolt"
	incidenttest "github.com/argo-why/argo-why/internal/incident/journaltest"
)

// file opens the journal of incidents at a path.
func file(t *testing.T, path string) *incidents.Journal {
	t.Helper()
	j, err := incidents.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() }) // once more where the test has closed it
	return j
}

func open(t *testing.T, db *bbolt.DB) *bolt.Journal {
	t.Helper()
	j, err := bolt.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestJournal(t *testing.T) {
	t.Parallel()
	journaltest.Run(t, func(t *testing.T) action.Journal { return open(t, file(t, filepath.Join(t.TempDir(), "journal")).DB()) })
}

// TestOneFileForBoth: neither journal shows in the other, and both outlive the process.
func TestOneFileForBoth(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	i, l := incidenttest.Full("web-1"), journaltest.Full(action.App{Namespace: "argocd", Name: "web"})
	both := file(t, path)
	if err := errors.Join(both.Put(t.Context(), i), open(t, both.DB()).Put(t.Context(), l), both.Close()); err != nil {
		t.Fatal(err)
	}
	both = file(t, path)
	told, err := both.List(t.Context())
	if err != nil || len(told) != 1 || told[0].Version != i.Version {
		t.Errorf("incidents: %+v, %v", told, err)
	}
	j := open(t, both.DB())
	done, err := j.List(t.Context())
	if err != nil || len(done) != 1 || done[0].App != l.App || done[0].Version != l.Version {
		t.Errorf("actions: %+v, %v", done, err)
	}
	if _, err := both.Get(t.Context(), "actions"); !errors.Is(err, incident.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if err := errors.Join(j.Put(t.Context(), done[0]), both.Put(t.Context(), told[0])); err != nil || done[0].Version == l.Version {
		t.Errorf("%s, %v", done[0].Version, err)
	}
}

// bucket writes the bucket of the actions as it should not be.
func bucket(t *testing.T, path string, write func(*bbolt.Bucket) error) *bbolt.DB {
	t.Helper()
	db := file(t, path).DB()
	err := db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket([]byte("actions"))
		if err != nil {
			return err
		}
		return write(b)
	})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func TestWhatIsWrongWithAFileIsOneLine(t *testing.T) {
	t.Parallel()
	for want, write := range map[string]func(*bbolt.Bucket) error{
		"it was written by a newer version of argo-why; use that version, or move the file away to start over": func(b *bbolt.Bucket) error {
			return b.Put([]byte("format"), []byte("2"))
		},
		"it is damaged; move the file away to start over": func(b *bbolt.Bucket) error { return b.Put([]byte("format"), []byte("1")) },
	} {
		path := filepath.Join(t.TempDir(), "journal")
		if _, err := bolt.Open(bucket(t, path, write)); err == nil || err.Error() != "open the action log in "+path+": "+want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// TestALogThatCannotBeReadIsNamed, and hides no other.
func TestALogThatCannotBeReadIsNamed(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string]string{"12345678{": "decode: unexpected end of JSON input", "short": "it is damaged; move the file away to start over"} {
		db := bucket(t, filepath.Join(t.TempDir(), "journal"), func(b *bbolt.Bucket) error {
			logs, err := b.CreateBucket([]byte("logs"))
			return errors.Join(err, b.Put([]byte("format"), []byte("1")), logs.Put([]byte("\x00argocd\x00web"), []byte(stored)))
		})
		j := open(t, db)
		other := journaltest.Small(action.App{Namespace: "argocd", Name: "zebra"})
		if err := j.Put(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		all, err := j.List(t.Context())
		if err == nil || err.Error() != `list actions: "\x00argocd\x00web": `+want {
			t.Error(err)
		}
		if len(all) != 1 || all[0].App != other.App {
			t.Errorf("it hides the others: %+v", all)
		}
		l, err := j.Get(t.Context(), action.App{Namespace: "argocd", Name: "web"})
		if err == nil || err.Error() != "get the actions of web: "+want || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v, %v", l, err)
		}
	}
}
