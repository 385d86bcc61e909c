package journaltest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/argo-why/argo-why/internal/incident"
)

// parallel: several writers add their sign to one entry until each is there. In every round one wins and the others read
// again; no sign may be lost.
func parallel(t *testing.T, j incident.Journal) {
	const writers, signs = 4, 5
	put(t, j, Small("web-1"))
	versions := make(chan string, writers*signs)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for s := range signs {
				version, err := addSign(t.Context(), j, fmt.Sprintf("%d-%d", w, s))
				if err != nil {
					t.Errorf("writer %d: %v", w, err)
					return
				}
				versions <- version
			}
		})
	}
	wg.Wait()
	close(versions)
	seen := map[string]bool{}
	for v := range versions {
		if seen[v] {
			t.Errorf("two writers won with version %s", v)
		}
		seen[v] = true
	}
	got, err := j.Get(t.Context(), "web-1")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got.Resolution)
	if len(slices.Compact(got.Resolution)) != writers*signs || !seen[got.Version] {
		t.Errorf("version %s has the signs %v, want %d", got.Version, got.Resolution, writers*signs)
	}
}

// addSign reads and writes until nobody was faster.
func addSign(ctx context.Context, j incident.Journal, sign string) (version string, err error) {
	for {
		i, err := j.Get(ctx, "web-1")
		if err != nil {
			return "", err
		}
		i.Resolution = append(i.Resolution, sign)
		if err := j.Put(ctx, i); !errors.Is(err, incident.ErrConflict) {
			return i.Version, err
		}
	}
}

// parallelEntries: each writer has entries of its own, and one that all of them want to create.
func parallelEntries(t *testing.T, j incident.Journal) {
	const writers, entries = 4, 5
	var wg sync.WaitGroup
	won := make(chan string, writers)
	for w := range writers {
		wg.Go(func() {
			for e := range entries {
				if err := j.Put(t.Context(), Small(fmt.Sprintf("web-%d-%d", w, e))); err != nil {
					t.Errorf("writer %d: %v", w, err)
				}
			}
			shared := Small("shared")
			shared.Channel = fmt.Sprint(w)
			switch err := j.Put(t.Context(), shared); {
			case err == nil:
				won <- shared.Channel
			case !errors.Is(err, incident.ErrConflict):
				t.Errorf("writer %d: %v", w, err)
			}
		})
	}
	wg.Wait()
	close(won)
	var winners []string
	for w := range won {
		winners = append(winners, w)
	}
	got, err := j.Get(t.Context(), "shared")
	if err != nil || len(winners) != 1 || got.Channel != winners[0] {
		t.Errorf("created by %v: %+v, %v", winners, got, err)
	}
	if all, err := j.List(t.Context()); err != nil || len(all) != writers*entries+1 {
		t.Errorf("%d entries, %v", len(all), err)
	}
}

func cancelled(t *testing.T, j incident.Journal) {
	i := put(t, j, Small("web-1"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	check := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := j.List(ctx)
	check("list", err)
	_, err = j.Get(ctx, "web-1")
	check("get", err)
	changed := i.Clone()
	changed.Phase = incident.Recovered
	check("replace", j.Put(ctx, changed))
	check("create", j.Put(ctx, Small("web-2")))
	check("delete", j.Delete(ctx, i.Clone()))
	holds(t, j, i)
	lacks(t, j, "web-2")
}
