// Package journaltest tests what every journal of incidents must do. Each journal runs them against the real thing:
// a file, an API server.
package journaltest

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/argo-why/argo-why/internal/incident"
)

// Run tests a journal. open gives one without entries, for one test; it may be asked several times. damage makes an entry one that
// cannot be read, past the journal.
func Run(t *testing.T, open func(t *testing.T) incident.Journal, damage func(t *testing.T, j incident.Journal, id string)) {
	t.Helper()
	for _, c := range []struct {
		name string
		test func(t *testing.T, j incident.Journal)
	}{
		{"what was put is there", create},
		{"an incident has an ID", noID},
		{"a replaced entry is the new one", replace},
		{"who comes second with the same ID gets an error", createTwice},
		{"who replaces what is not the newest gets an error", replaceStale},
		{"who replaces what is gone gets an error", replaceGone},
		{"a version is never used again", replaceCreatedAgain},
		{"a deleted entry is gone", remove},
		{"who deletes what is not the newest gets an error", removeStale},
		{"the list is in the order of the IDs", list},
		{"every field survives", full},
		{"what is not set stays so", empty},
		{"5,000 applications are one entry", large},
		{"10,000 applications with the longest names join and leave", longest},
		{"of parallel writers of a large entry one wins", parallelLarge},
		{"a given incident is no longer the journal's", sharesNothing},
		{"of parallel writers one wins, and nothing is lost", parallel},
		{"parallel writers of new entries do not hinder one another", parallelEntries},
		{"who gave up changes nothing", cancelled},
		{"a damaged entry hides no other, and is left alone", func(t *testing.T, j incident.Journal) {
			leftAlone(t, j, func(id string) { damage(t, j, id) })
		}},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

// text is the form in which incidents are compared: that in which they are stored.
func text(t *testing.T, i *incident.Incident) string {
	t.Helper()
	raw, err := json.Marshal(i)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func put(t *testing.T, j incident.Journal, i *incident.Incident) *incident.Incident {
	t.Helper()
	if err := j.Put(t.Context(), i); err != nil {
		t.Fatalf("put %s: %v", i.ID, err)
	}
	if i.Version == "" || i.Size < len(i.ID) {
		t.Fatalf("put %s: it has version %q and %d bytes afterwards", i.ID, i.Version, i.Size)
	}
	return i
}

// holds fails unless the journal has exactly this state of the entry.
func holds(t *testing.T, j incident.Journal, want *incident.Incident) {
	t.Helper()
	got, err := j.Get(t.Context(), want.ID)
	if err != nil {
		t.Fatalf("get %s: %v", want.ID, err)
	}
	if smaller, larger := min(got.Size, want.Size), max(got.Size, want.Size); smaller < larger*9/10 { // what is read back may be written in other words
		t.Errorf("%s has %d bytes when it is read, and %d when it is put", want.ID, got.Size, want.Size)
	}
	if text(t, got) != text(t, want) || got.Version != want.Version {
		t.Fatalf("got  version %s %s\nwant version %s %s", got.Version, text(t, got), want.Version, text(t, want))
	}
}

// lacks fails if the journal has the entry.
func lacks(t *testing.T, j incident.Journal, id string) {
	t.Helper()
	if got, err := j.Get(t.Context(), id); !errors.Is(err, incident.ErrNotFound) {
		t.Fatalf("get %s: %+v, %v; want ErrNotFound", id, got, err)
	}
}

// conflicts fails unless the error is ErrConflict.
func conflicts(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, incident.ErrConflict) {
		t.Fatalf("got %v, want ErrConflict", err)
	}
}

func create(t *testing.T, j incident.Journal) {
	lacks(t, j, "web-1")
	holds(t, j, put(t, j, Small("web-1")))
	holds(t, j, put(t, j, Small("web-2")))
	lacks(t, j, "web")
}

func noID(t *testing.T, j incident.Journal) {
	if err := j.Put(t.Context(), Small("")); err == nil || errors.Is(err, incident.ErrConflict) {
		t.Errorf("put: %v", err)
	}
	if all, err := j.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("list: %+v, %v", all, err)
	}
}

func replace(t *testing.T, j incident.Journal) {
	i := put(t, j, Small("web-1"))
	other := put(t, j, Small("web-2"))
	for _, phase := range []incident.Phase{incident.Open, incident.Recovered, incident.Open} {
		before := i.Version
		i.Phase = phase
		put(t, j, i)
		if i.Version == before {
			t.Fatal("another state has the same version")
		}
		holds(t, j, i)
	}
	// By one who has read it meanwhile, and not by who created it.
	read, err := j.Get(t.Context(), "web-1")
	if err != nil {
		t.Fatal(err)
	}
	read.Members, read.Report, read.Trouble = nil, nil, ""
	holds(t, j, put(t, j, read))
	holds(t, j, other)
}

func createTwice(t *testing.T, j incident.Journal) {
	first := put(t, j, Small("web-1"))
	second := Small("web-1")
	second.Channel = "elsewhere"
	conflicts(t, j.Put(t.Context(), second))
	if second.Version != "" {
		t.Errorf("it has version %s, and is not in the journal", second.Version)
	}
	holds(t, j, first)
}

func replaceStale(t *testing.T, j incident.Journal) {
	i := put(t, j, Small("web-1"))
	stale := i.Clone()
	i.Phase = incident.Recovered
	put(t, j, i)
	stale.Channel = "elsewhere"
	version := stale.Version
	conflicts(t, j.Put(t.Context(), stale))
	if stale.Version != version {
		t.Errorf("it has version %s, and is not in the journal", stale.Version)
	}
	holds(t, j, i)
}

func replaceGone(t *testing.T, j incident.Journal) {
	i := put(t, j, Small("web-1"))
	if err := j.Delete(t.Context(), i.Clone()); err != nil {
		t.Fatal(err)
	}
	conflicts(t, j.Put(t.Context(), i))
	lacks(t, j, "web-1")
}

func replaceCreatedAgain(t *testing.T, j incident.Journal) {
	old := put(t, j, Small("web-1"))
	if err := j.Delete(t.Context(), old.Clone()); err != nil {
		t.Fatal(err)
	}
	again := put(t, j, Small("web-1"))
	old.Channel = "elsewhere"
	conflicts(t, j.Put(t.Context(), old))
	conflicts(t, j.Delete(t.Context(), old))
	holds(t, j, again)
}

func remove(t *testing.T, j incident.Journal) {
	i, other := put(t, j, Small("web-1")), put(t, j, Small("web-2"))
	if err := j.Delete(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	lacks(t, j, "web-1")
	holds(t, j, other)
	if err := j.Delete(t.Context(), i); err != nil {
		t.Errorf("delete what is gone: %v", err)
	}
	if err := j.Delete(t.Context(), Small("never-was")); err != nil {
		t.Errorf("delete what never was: %v", err)
	}
}

func removeStale(t *testing.T, j incident.Journal) {
	i := put(t, j, Small("web-1"))
	stale := i.Clone()
	i.Phase = incident.Recovered
	put(t, j, i)
	conflicts(t, j.Delete(t.Context(), stale))
	conflicts(t, j.Delete(t.Context(), Small("web-1"))) // never read at all
	holds(t, j, i)
}

func list(t *testing.T, j incident.Journal) {
	all, err := j.List(t.Context())
	if err != nil || len(all) != 0 {
		t.Fatalf("without entries: %+v, %v", all, err)
	}
	want := map[string]*incident.Incident{}
	for _, id := range []string{"web-2", "api-9", "web-10", "0-a", "web", "z"} {
		want[id] = put(t, j, Small(id))
	}
	want["web"].Phase = incident.Recovered
	put(t, j, want["web"])
	if err := j.Delete(t.Context(), want["z"]); err != nil {
		t.Fatal(err)
	}
	all, err = j.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, i := range all {
		ids = append(ids, i.ID)
		if text(t, i) != text(t, want[i.ID]) || i.Version != want[i.ID].Version {
			t.Errorf("%s: got version %s %s, want version %s %s", i.ID, i.Version, text(t, i), want[i.ID].Version, text(t, want[i.ID]))
		}
	}
	if !slices.Equal(ids, []string{"0-a", "api-9", "web", "web-10", "web-2"}) {
		t.Errorf("got %v", ids)
	}
}
