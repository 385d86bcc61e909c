package kube_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/argo-why/argo-why/internal/incident"
)

// TestWhoFollowsReadsOnlyNewParts: a replica that stands by has read all parts of a large outage, and a change of one application costs
// it one of them.
func TestWhoFollowsReadsOnlyNewParts(t *testing.T) {
	s := newCRDs(t)
	leader := s.journal(t)
	i := outage(10_000, 25)
	put := func() {
		t.Helper()
		if err := leader.Put(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	put()
	ctx, cancel := context.WithCancel(t.Context())
	seen, ended := make(chan []*incident.Incident), make(chan struct{})
	standby := s.journal(t)
	go func() {
		defer close(ended)
		standby.Follow(ctx, slog.New(slog.DiscardHandler), func(all []*incident.Incident) {
			select {
			case seen <- all:
			case <-ctx.Done():
			}
		})
	}()
	defer func() { cancel(); <-ended }()
	// until is what is followed, once it is as this process wrote it.
	until := func() *incident.Incident {
		t.Helper()
		for {
			select {
			case all := <-seen:
				if len(all) == 1 && all[0].Version == i.Version {
					return all[0]
				}
			case <-ctx.Done():
				t.Fatal("it never arrived")
			}
		}
	}
	if got := until(); len(got.Members) != len(i.Members) {
		t.Fatalf("%d members", len(got.Members))
	}
	all := len(s.parts())
	if all < 10 || s.read < all {
		t.Fatalf("%d of %d parts were read at first", s.read, all)
	}
	step := func(what string, reads, fewest, most int) *incident.Incident {
		t.Helper()
		s.reset()
		put()
		got := until()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.reads != reads || s.read < fewest || s.read > most {
			t.Errorf("%s: %d requests for %d of %d parts, want %d for %d to %d", what, s.reads, s.read, all, reads, fewest, most)
		}
		if len(got.Members) != len(i.Members) {
			t.Errorf("%s: %d members, want %d", what, len(got.Members), len(i.Members))
		}
		return got
	}
	i.Trouble = "channel_not_found"
	step("only the incident changed", 0, 0, 0)
	i.Members[5_000].Note = "deleted"
	if got := step("one member changed", 1, 1, 1); got.Members[5_000].Note != "deleted" {
		t.Error("its change is not to be seen")
	}
	for n := range i.Members {
		i.Members[n].Headline = "something else"
	}
	got := step("all changed", 1, all, 2*all) // the old ones may still be there
	if got.Members[9_999].Headline != "something else" {
		t.Error("their change is not to be seen")
	}
}
