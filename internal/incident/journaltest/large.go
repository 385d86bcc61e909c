package journaltest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
)

// longest: Kubernetes takes names of 253 letters, and those that are generated do not pack.
func longest(t *testing.T, j incident.Journal) {
	const apps, letters = 10_000, 253
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // names, the same in each run
	text := func() string {
		b := make([]byte, letters)
		for i := range b {
			b[i] = byte('a' + random.IntN(26))
		}
		return string(b)
	}
	i := Full("outage-1")
	i.Members = nil
	for range apps {
		i.Members = append(i.Members, incident.Member{App: incident.App{Instance: "prod", Namespace: text(), Name: text()}, Headline: "connection refused"})
	}
	slices.SortFunc(i.Members, func(a, b incident.Member) int { return incident.Compare(a.App, b.App) })
	same := func(what string) {
		t.Helper()
		got, err := j.Get(t.Context(), i.ID)
		if err != nil || !slices.EqualFunc(got.Members, i.Members, func(a, b incident.Member) bool { return a.App == b.App && a.Well.Equal(b.Well) }) {
			t.Fatalf("%s: %v, or not the members that were put", what, err)
		}
	}
	put(t, j, i)
	same("all are there")
	for n := range 3 {
		at := (n + 1) * apps / 4
		i.Members[at].Well = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
		i.Members = slices.Insert(i.Members, at, incident.Member{App: incident.App{Instance: "prod", Namespace: i.Members[at].App.Namespace, Name: "a"}})
		put(t, j, i)
		same("one joins")
	}
	i.Members = slices.Delete(i.Members, 0, 9_000)
	put(t, j, i)
	same("most leave")
	if err := j.Delete(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	lacks(t, j, i.ID)
	again := Small(i.ID) // which has nothing of the former
	holds(t, j, put(t, j, again))
}

// parallelLarge: who is second changes nothing, neither of the entry nor of its members.
func parallelLarge(t *testing.T, j incident.Journal) {
	const writers, rounds = 4, 5
	put(t, j, many("outage-1", 2_000))
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for range rounds {
				i, err := j.Get(t.Context(), "outage-1")
				if err != nil {
					t.Errorf("get: %v", err)
					return
				}
				for n := range i.Members {
					i.Members[n].Note = fmt.Sprint("by ", w)
				}
				i.Trouble = fmt.Sprint("by ", w)
				if err := j.Put(t.Context(), i); err != nil && !errors.Is(err, incident.ErrConflict) {
					t.Errorf("put: %v", err)
				}
			}
		})
	}
	wg.Wait()
	i, err := j.Get(t.Context(), "outage-1")
	if err != nil || slices.ContainsFunc(i.Members, func(m incident.Member) bool { return m.Note != i.Trouble }) {
		t.Errorf("%v, or the members of one and the entry of another", err)
	}
}
