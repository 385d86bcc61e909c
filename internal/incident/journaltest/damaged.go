package journaltest

import (
	"errors"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/incident"
)

// leftAlone: only a person can tell what is wrong with an entry that cannot be read.
func leftAlone(t *testing.T, j incident.Journal, damage func(id string)) {
	first, last := put(t, j, Small("web-1")), put(t, j, Small("web-3"))
	put(t, j, Full("web-2"))
	damage("web-2")
	for range 2 {
		all, err := j.List(t.Context())
		damaged, ok := errors.AsType[incident.Damaged](err)
		if !ok || len(damaged) != 1 || damaged[0].ID != "web-2" || !strings.Contains(err.Error(), "web-2 is damaged (") {
			t.Fatalf("list: %v, want web-2 as the only one that is damaged", err)
		}
		if len(all) != 2 || text(t, all[0]) != text(t, first) || text(t, all[1]) != text(t, last) {
			t.Errorf("list: %+v, want the other two", all)
		}
		if got, err := j.Get(t.Context(), "web-2"); err == nil || errors.Is(err, incident.ErrNotFound) || errors.Is(err, incident.ErrConflict) {
			t.Errorf("get: %+v, %v", got, err)
		}
		conflicts(t, j.Put(t.Context(), Small("web-2")))
		conflicts(t, j.Delete(t.Context(), Small("web-2")))
	}
	first.Phase = incident.Recovered
	holds(t, j, put(t, j, first))
}
