package bolt_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/bolt"
	"github.com/argo-why/argo-why/internal/incident/journaltest"
)

func outage(members int) *incident.Incident {
	i := journaltest.Small("outage-1")
	i.Members = nil
	for n := range members {
		i.Members = append(i.Members, incident.Member{App: incident.App{Instance: "prod", Namespace: "argocd", Name: fmt.Sprintf("app-%05d", n)}})
	}
	return i
}

// stored are the bytes of the parts in the file, by key.
func stored(t *testing.T, j *bolt.Journal) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := j.DB().View(func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte("members"))
		if b == nil {
			return nil
		}
		return b.ForEach(func(key, value []byte) error { all[string(key)] = string(value); return nil })
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestOneMemberOfManyIsOnePartOfTheFile: what has not changed is not written, and nothing is left of what was.
func TestOneMemberOfManyIsOnePartOfTheFile(t *testing.T) {
	t.Parallel()
	j := open(t, filepath.Join(t.TempDir(), "journal"))
	i := outage(10_000)
	if err := j.Put(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	before := stored(t, j)
	i.Members[5_000].Headline = "another"
	if err := j.Put(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	changed := 0
	for key := range stored(t, j) {
		if _, known := before[key]; !known {
			changed++
		}
	}
	if len(before) < 10 || len(stored(t, j)) != len(before) || changed != 1 {
		t.Errorf("%d parts, now %d, of which %d are new; want one", len(before), len(stored(t, j)), changed)
	}
	if err := j.Delete(t.Context(), i); err != nil || len(stored(t, j)) > 0 {
		t.Errorf("%d parts of an incident that is gone, %v", len(stored(t, j)), err)
	}
}

// TestAFileOfTheFormerVersionIsRead: it had all members in the document.
func TestAFileOfTheFormerVersionIsRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	document, err := json.Marshal(outage(10_000))
	if err != nil {
		t.Fatal(err)
	}
	raw(t, path, map[string]map[string]string{"about": {"format": "1"}, "incidents": {"outage-1": "12345678" + string(document)}})
	j := open(t, path)
	i, err := j.Get(t.Context(), "outage-1")
	if err != nil || len(i.Members) != 10_000 {
		t.Fatalf("%v, or not all members", err)
	}
	if err := j.Put(t.Context(), i); err != nil || len(stored(t, j)) == 0 {
		t.Errorf("put: %v, %d parts", err, len(stored(t, j)))
	}
	if i, err = j.Get(t.Context(), "outage-1"); err != nil || len(i.Members) != 10_000 {
		t.Errorf("%v, or not all members after it was put", err)
	}
}
