package app

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/argo-why/argo-why/internal/incident"
)

// TestNothingIsSentByOneThatDoesNotLead: also not on a connection that was made while it did.
func TestNothingIsSentByOneThatDoesNotLead(t *testing.T) {
	var got, leading atomic.Int32
	slack := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		got.Add(1)
	}))
	t.Cleanup(slack.Close)
	lost := errors.New("not leading")
	client := fencedClient(func() error {
		if leading.Load() == 0 {
			return lost
		}
		return nil
	})
	post := func() error {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, slack.URL, strings.NewReader("text"))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(r)
		if err == nil {
			err = answer.Body.Close()
		}
		return err
	}
	leading.Store(1)
	if err := post(); err != nil || got.Load() != 1 {
		t.Fatalf("the leader cannot post: %v", err)
	}
	leading.Store(0)
	if err := post(); !errors.Is(err, lost) || got.Load() != 1 {
		t.Errorf("it posted: %v", err)
	}
	leading.Store(1)
	if err := post(); err != nil || got.Load() != 2 {
		t.Errorf("it cannot post when it leads again: %v", err)
	}
}

// TestTheJournalIsWrittenByTheLeader and by nobody else, but read by all.
func TestTheJournalIsWrittenByTheLeader(t *testing.T) {
	lost := errors.New("not leading")
	leads := lost
	j := &fencedJournal{snapshot{held: []*incident.Incident{{ID: "web-1"}}}, func() error { return leads }}
	i := &incident.Incident{ID: "web-2"}
	if err := j.Put(t.Context(), i); !errors.Is(err, lost) || i.Version != "" {
		t.Errorf("it wrote: %v", err)
	}
	if err := j.Delete(t.Context(), i); !errors.Is(err, lost) {
		t.Errorf("it deleted: %v", err)
	}
	if all, err := j.List(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("it cannot read: %d, %v", len(all), err)
	}
	leads = nil
	if err := j.Put(t.Context(), i); err != nil || i.Version == "" {
		t.Errorf("the leader cannot write: %v", err)
	}
}
