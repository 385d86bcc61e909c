// Package journaltest tests what every journal of actions must do. Each journal runs them against the real thing: a
// file, an API server.
package journaltest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
)

// Run tests a journal. open gives one without logs, for one test; it may be asked several times.
func Run(t *testing.T, open func(t *testing.T) action.Journal) {
	t.Helper()
	for _, c := range []struct {
		name string
		test func(t *testing.T, j action.Journal)
	}{
		{"of whom nothing is known the log is empty", none},
		{"what was put is there", create},
		{"an application has a name", noName},
		{"a replaced log is the new one", replace},
		{"who comes second with a new log gets an error", createTwice},
		{"who replaces what is not the newest gets an error", replaceStale},
		{"who replaces what never was gets an error", replaceUnknown},
		{"logs of applications of one name are apart", sameNames},
		{"the list is in the order of the applications", list},
		{"every field survives", full},
		{"what is not set stays so", empty},
		{"a hundred records are one log", large},
		{"a given log is no longer the journal's", sharesNothing},
		{"of parallel writers one wins, and nothing is lost", parallel},
		{"a deleted log is gone", remove},
		{"who deletes what is not the newest gets an error", removeStale},
		{"who gave up changes nothing", cancelled},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

// text is the form in which logs are compared: that in which they are stored.
func text(t *testing.T, l *action.Log) string {
	t.Helper()
	raw, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func get(t *testing.T, j action.Journal, app action.App) *action.Log {
	t.Helper()
	l, err := j.Get(t.Context(), app)
	if err != nil {
		t.Fatalf("get %v: %v", app, err)
	}
	return l
}

func put(t *testing.T, j action.Journal, l *action.Log) *action.Log {
	t.Helper()
	before := l.Version
	if err := j.Put(t.Context(), l); err != nil {
		t.Fatalf("put %v: %v", l.App, err)
	}
	if l.Version == "" || l.Version == before || l.Size == 0 {
		t.Fatalf("put %v: version %q after %q, %d bytes", l.App, l.Version, before, l.Size)
	}
	return l
}

// holds fails unless the journal has exactly this state of the log.
func holds(t *testing.T, j action.Journal, want *action.Log) {
	t.Helper()
	if got := get(t, j, want.App); text(t, got) != text(t, want) || got.Version != want.Version {
		t.Fatalf("got  version %s %s\nwant version %s %s", got.Version, text(t, got), want.Version, text(t, want))
	}
}

// lacks fails if the journal has a log of the application.
func lacks(t *testing.T, j action.Journal, app action.App) {
	t.Helper()
	if got := get(t, j, app); got.App != app || len(got.Records) != 0 || got.Version != "" {
		t.Fatalf("got %+v, want an empty log of %v", got, app)
	}
}

// conflicts fails unless the log is refused, and left as it was.
func conflicts(t *testing.T, j action.Journal, l *action.Log) {
	t.Helper()
	before := l.Version
	if err := j.Put(t.Context(), l); !errors.Is(err, action.ErrConflict) {
		t.Fatalf("got %v, want ErrConflict", err)
	}
	if l.Version != before {
		t.Errorf("it has version %s, and is not in the journal", l.Version)
	}
}

func none(t *testing.T, j action.Journal) {
	lacks(t, j, web)
	if all, err := j.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("list: %+v, %v", all, err)
	}
}

func create(t *testing.T, j action.Journal) {
	holds(t, j, put(t, j, Small(web)))
	lacks(t, j, action.App{Instance: web.Instance, Namespace: web.Namespace, Name: "web-2"})
}

func noName(t *testing.T, j action.Journal) {
	if err := j.Put(t.Context(), Small(action.App{Namespace: "argocd"})); err == nil || errors.Is(err, action.ErrConflict) {
		t.Errorf("put: %v", err)
	}
	if all, err := j.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("list: %+v, %v", all, err)
	}
}

func replace(t *testing.T, j action.Journal) {
	put(t, j, Small(web))
	for _, state := range []action.State{action.Ready, action.Running, action.Done} {
		l := get(t, j, web) // by one who has read it, and not by who created it
		l.Records[0].State = state
		l.Records[0].Notes = nil
		holds(t, j, put(t, j, l))
		l.Records[0].Result = "once more, by who wrote it last: " + string(state)
		holds(t, j, put(t, j, l))
	}
}

func createTwice(t *testing.T, j action.Journal) {
	first, second := put(t, j, Small(web)), Small(web)
	second.Records[0].ID = "another"
	conflicts(t, j, second)
	holds(t, j, first)
}

func replaceStale(t *testing.T, j action.Journal) {
	put(t, j, Small(web))
	stale, l := get(t, j, web), get(t, j, web)
	l.Records[0].State = action.Running
	put(t, j, l)
	stale.Records[0].State = action.Denied
	conflicts(t, j, stale)
	conflicts(t, j, stale) // however often it is tried
	holds(t, j, l)
}

func replaceUnknown(t *testing.T, j action.Journal) {
	l := put(t, j, Small(web))
	other := Small(action.App{Namespace: "argocd", Name: "other"})
	other.Version = l.Version
	conflicts(t, j, other)
	lacks(t, j, other.App)
}

func sameNames(t *testing.T, j action.Journal) {
	var all []*action.Log
	for n, app := range []action.App{{Name: "web"}, {Namespace: "argocd", Name: "web"}, {Instance: "argocd", Name: "web"}, {Instance: "prod", Namespace: "argocd", Name: "web"}} {
		l := Small(app)
		l.Records[0].ID = fmt.Sprint(n)
		all = append(all, put(t, j, l))
	}
	for _, l := range all {
		holds(t, j, l)
	}
}

func list(t *testing.T, j action.Journal) {
	want := []action.App{
		{Name: "z"}, {Namespace: "argocd", Name: "web"}, {Namespace: "argocd", Name: "web-1"}, {Namespace: "argocd", Name: "web.1"}, {Namespace: "team", Name: "a"},
		{Instance: "a", Namespace: "z", Name: "z"}, {Instance: "a-b", Namespace: "a", Name: "a"}, {Instance: "ab", Namespace: "a", Name: "a"},
	}
	logs := map[action.App]*action.Log{}
	for _, n := range []int{3, 0, 7, 5, 1, 6, 2, 4} {
		logs[want[n]] = put(t, j, Small(want[n]))
	}
	logs[want[1]].Records[0].State = action.Done
	put(t, j, logs[want[1]])
	all, err := j.List(t.Context())
	if err != nil || len(all) != len(want) {
		t.Fatalf("%d logs, %v", len(all), err)
	}
	for n, l := range all {
		if l.App != want[n] || text(t, l) != text(t, logs[l.App]) || l.Version != logs[l.App].Version {
			t.Errorf("%d: got version %s %s, want that of %v", n, l.Version, text(t, l), want[n])
		}
	}
}

func remove(t *testing.T, j action.Journal) {
	l, other := put(t, j, Small(web)), put(t, j, Small(action.App{Namespace: "argocd", Name: "other"}))
	if err := j.Delete(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	lacks(t, j, web)
	holds(t, j, other)
	for _, gone := range []*action.Log{l, Small(action.App{Name: "never-was"})} {
		if err := j.Delete(t.Context(), gone); err != nil {
			t.Errorf("delete what is gone: %v", err)
		}
	}
	holds(t, j, put(t, j, Small(web))) // and it can be made again
}

func removeStale(t *testing.T, j action.Journal) {
	put(t, j, Small(web))
	stale, l := get(t, j, web), get(t, j, web)
	l.Records[0].State = action.Running
	put(t, j, l)
	for _, old := range []*action.Log{stale, Small(web)} { // one that was read before, and one that was never read
		if err := j.Delete(t.Context(), old); !errors.Is(err, action.ErrConflict) {
			t.Errorf("got %v, want ErrConflict", err)
		}
	}
	holds(t, j, l)
}

// parallel: several writers add records to one log, which none of them has made, until all are there. In every round one wins
// and the others read again.
func parallel(t *testing.T, j action.Journal) {
	const writers, records = 4, 5
	won := make(chan string, writers*records)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for r := range records {
				version, err := add(t.Context(), j, fmt.Sprintf("r-%d-%d", w, r))
				if err != nil {
					t.Errorf("writer %d: %v", w, err)
					return
				}
				won <- version
			}
		})
	}
	wg.Wait()
	close(won)
	versions, ids := map[string]bool{}, map[string]bool{}
	for v := range won {
		if versions[v] {
			t.Errorf("two writers won with version %s", v)
		}
		versions[v] = true
	}
	l := get(t, j, web)
	for _, r := range l.Records {
		ids[r.ID] = true
	}
	if len(l.Records) != writers*records || len(ids) != writers*records || !versions[l.Version] {
		t.Errorf("version %s has %d records with %d IDs, want %d", l.Version, len(l.Records), len(ids), writers*records)
	}
}

// add reads and writes until nobody was faster.
func add(ctx context.Context, j action.Journal, id string) (version string, err error) {
	for {
		l, err := j.Get(ctx, web)
		if err != nil {
			return "", err
		}
		r := Small(web).Records[0]
		r.ID = id
		l.Records = append(l.Records, r)
		if err := j.Put(ctx, l); !errors.Is(err, action.ErrConflict) {
			return l.Version, err
		}
	}
}

func cancelled(t *testing.T, j action.Journal) {
	l := put(t, j, Small(web))
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
	_, err = j.Get(ctx, web)
	check("get", err)
	changed := get(t, j, web)
	changed.Records[0].State = action.Denied
	check("replace", j.Put(ctx, changed))
	other := Small(action.App{Namespace: "argocd", Name: "other"})
	check("create", j.Put(ctx, other))
	check("delete", j.Delete(ctx, get(t, j, web)))
	holds(t, j, l)
	lacks(t, j, other.App)
}
