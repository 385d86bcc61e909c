package incident_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/bolt"
)

func journal(t *testing.T) *bolt.Journal {
	t.Helper()
	j, err := bolt.Open(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

func app(name string) incident.App {
	return incident.App{Instance: "prod", Namespace: "argocd", Name: name}
}

// only is the one entry of a journal, once it is as expected.
func only(t *testing.T, j incident.Journal, expected func(*incident.Incident) bool) *incident.Incident {
	t.Helper()
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		all, err := j.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(all) == 1 && expected(all[0]) {
			return all[0]
		}
	}
	t.Fatal("the journal does not come to hold what was expected")
	return nil
}

// TestALeaderIsToldWhatAReplicaHears: each application once for each time that it was handed over, and the entry is gone with the replica.
func TestALeaderIsToldWhatAReplicaHears(t *testing.T) {
	j := journal(t)
	h := incident.NewHandOver(j, "argo-why-7f9c-x2", slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { h.Run(ctx) })
	h.Add(app("web"))
	first := only(t, j, func(i *incident.Incident) bool { return len(i.Members) == 1 })
	var inbox incident.Inbox
	if got := inbox.Take(first); len(got) != 1 || got[0].App != app("web") || got[0].Wanted {
		t.Errorf("taken %+v", got)
	}
	if got := inbox.Take(first); got != nil {
		t.Errorf("taken again: %+v", got)
	}
	h.Ask(app("pay"))
	second := only(t, j, func(i *incident.Incident) bool { return len(i.Members) == 2 })
	if got := inbox.Take(second); len(got) != 1 || got[0].App != app("pay") || !got[0].Wanted {
		t.Errorf("taken %+v", got)
	}
	h.Add(app("web"))
	third := only(t, j, func(i *incident.Incident) bool {
		return i.Member(app("web")).Since.After(second.Member(app("web")).Since)
	})
	if got := inbox.Take(third); len(got) != 1 || got[0].App != app("web") {
		t.Errorf("taken %+v", got)
	}
	if s := incident.NewStore(incident.Policy{}, []*incident.Incident{third}); len(s.Failing()) > 0 || len(s.All()) > 0 || s.Live(app("web")) {
		t.Error("it is taken for a failure")
	}
	stop()
	running.Wait()
	if all, err := j.List(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("left: %d entries, %v", len(all), err)
	}
}

// TestHandingOverIsBounded: webhooks of thousands of applications do not make an entry that no API server takes.
func TestHandingOverIsBounded(t *testing.T) {
	j := journal(t)
	h := incident.NewHandOver(j, "a", slog.New(slog.DiscardHandler))
	for n := range 2000 {
		h.Add(app(fmt.Sprintf("web-%04d", n)))
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { h.Run(ctx) })
	i := only(t, j, func(i *incident.Incident) bool { return true })
	if len(i.Members) != 500 || i.Member(app("web-1999")) == nil {
		t.Errorf("%d members, want the newest 500", len(i.Members))
	}
	stop()
	running.Wait()
}

// TestThreadsThatAReplicaWasAskedFor are opened by the leader, whoever writes the list first.
func TestThreadsThatAReplicaWasAskedFor(t *testing.T) {
	j := journal(t)
	now := time.Now().UTC()
	cause := incident.Cause{Rule: "hook/job-failed", Key: "k", Fingerprint: "f"}
	backlog := &incident.Incident{
		ID: "already-failing-1", Phase: incident.Open, Cause: incident.Cause{Rule: incident.AlreadyFailing, Key: incident.AlreadyFailing}, Channel: "alerts",
		Since: now, Seen: now, OpenedAt: now, Members: []incident.Member{{App: app("pay"), Since: now, Cause: cause}, {App: app("web"), Since: now, Cause: cause}},
	}
	if err := j.Put(t.Context(), backlog); err != nil {
		t.Fatal(err)
	}
	held, err := j.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	leader := incident.NewStore(incident.Policy{}, held)
	line := backlog.Lines()[0].ID
	for _, want := range [][]incident.App{{app("pay"), app("web")}, nil} { // the second click finds nothing more to do
		if apps, err := incident.Want(t.Context(), j, backlog.ID, line); err != nil || !slices.Equal(apps, want) {
			t.Errorf("opened %v, %v, want %v", apps, err, want)
		}
	}
	theirs, err := j.Get(t.Context(), backlog.ID)
	if err != nil {
		t.Fatal(err)
	}
	if apps, touched := leader.TakeWanted(theirs, now); !slices.Equal(apps, []incident.App{app("pay"), app("web")}) || len(touched) != 1 {
		t.Errorf("the leader takes in %v, touched %v", apps, touched)
	}
	if apps, touched := leader.TakeWanted(theirs, now); apps != nil || touched != nil {
		t.Errorf("and once more %v, touched %v", apps, touched)
	}
	if apps, err := incident.Want(t.Context(), j, "gone", line); apps != nil || err != nil {
		t.Errorf("of a list that is gone: %v, %v", apps, err)
	}
	if _, err := j.Get(t.Context(), "gone"); !errors.Is(err, incident.ErrNotFound) {
		t.Error("it made one")
	}
}
