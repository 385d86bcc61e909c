package kube_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	remedytest "github.com/argo-why/argo-why/internal/action/journaltest"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/journaltest"
)

func TestJournalOfCustomResources(t *testing.T) {
	var s *crds
	journaltest.Run(t, func(t *testing.T) incident.Journal {
		s = newCRDs(t)
		return s.journal(t)
	}, func(_ *testing.T, _ incident.Journal, id string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		o := s.objects["incidents/"+id]
		if status, ok := o["status"].(object); ok {
			status["report"] = object{"findings": "none"}
		}
		s.put("incidents/"+id, o)
	})
}

func TestJournalOfActionsAsCustomResources(t *testing.T) {
	remedytest.Run(t, func(t *testing.T) action.Journal { return newCRDs(t).journal(t).Actions() })
}

// outage is an incident of that many applications with names of that length, in two halves, that do not pack.
func outage(members, length int) *incident.Incident {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		b := make([]byte, length)
		for i := range b {
			b[i] = byte('a' + random.IntN(26))
		}
		return string(b)
	}
	i := journaltest.Full("outage-1")
	i.Members = nil
	for range members {
		i.Members = append(i.Members, incident.Member{
			App: incident.App{Instance: "prod", Namespace: text(), Name: text()}, Since: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC),
			Headline: "the repository git.example.com/payments/ledger.git cannot be reached: connection refused",
		})
	}
	slices.SortFunc(i.Members, func(a, b incident.Member) int { return incident.Compare(a.App, b.App) })
	return i
}

// TestOneOfTenThousandMembersRewritesNoOthers: each object stays below the limit of the API server, and what is written for one
// application is a small part of all.
func TestOneOfTenThousandMembersRewritesNoOthers(t *testing.T) {
	for _, length := range []int{25, 253} {
		t.Run(fmt.Sprint("names of two times ", length, " letters"), func(t *testing.T) {
			s := newCRDs(t)
			j := s.journal(t)
			i := outage(10_000, length)
			step := func(what string) int {
				t.Helper()
				s.reset()
				if err := j.Put(t.Context(), i); err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				t.Logf("%-24s %8d bytes in %2d writes, the largest %d", what, s.written, s.writes, s.largest)
				if s.largest > etcdLimit*2/3 {
					t.Errorf("%s: an object has %d bytes", what, s.largest)
				}
				return s.written
			}
			all := step("all are written")
			i.Trouble = "channel_not_found"
			if n := step("only the incident changed"); n > 128<<10 {
				t.Errorf("%d bytes, and no member has changed", n)
			}
			i.Members[5_000].Well = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
			if n := step("one is well"); n > all/4 {
				t.Errorf("%d of %d bytes", n, all)
			}
			i.Members = slices.Insert(i.Members, 4_000, incident.Member{App: incident.App{Instance: "prod", Namespace: i.Members[4_000].App.Namespace, Name: "a"}})
			if n := step("one joins"); n > all/3 {
				t.Errorf("%d of %d bytes", n, all)
			}
			again, err := s.journal(t).List(t.Context()) // another process
			if err != nil || len(again) != 1 || !slices.EqualFunc(again[0].Members, i.Members, func(a, b incident.Member) bool {
				return a.App == b.App && a.Since.Equal(b.Since) && a.Well.Equal(b.Well) && a.Headline == b.Headline
			}) {
				t.Fatalf("%d entries, %v, or other members", len(again), err)
			}
			again[0].Trouble = ""
			s.reset()
			if err := s.journal(t).Put(t.Context(), again[0]); err != nil || s.writes > 30 {
				t.Errorf("a process that has not written it: %d writes, %v", s.writes, err)
			}
		})
	}
}

// TestNoPartIsLeftAlone: neither by a change, nor by one who was second, nor by a deletion.
func TestNoPartIsLeftAlone(t *testing.T) {
	s := newCRDs(t)
	j := s.journal(t)
	i := outage(3_000, 60)
	put := func() {
		t.Helper()
		if err := j.Put(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	put()
	before := len(s.parts())
	second, err := s.journal(t).Get(t.Context(), i.ID)
	if err != nil {
		t.Fatal(err)
	}
	for n := range i.Members {
		i.Members[n].Headline = "something else"
	}
	put()
	if now := len(s.parts()); before < 3 || now > before+2 {
		t.Errorf("%d parts, and %d after all have changed", before, now)
	}
	kept := s.parts()
	second.Members[7].Note = "deleted"
	if err := s.journal(t).Put(t.Context(), second); err == nil {
		t.Error("who came second replaced it")
	}
	if now := s.parts(); !slices.Equal(now, kept) {
		t.Errorf("who came second left %v, want %v", now, kept)
	}
	if err := j.Delete(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	if now := s.parts(); len(now) > 0 {
		t.Errorf("the incident is gone, and %v are not", now)
	}
}

// TestAPartThatNoIncidentNamesIsRemoved: of a bot that was killed before the incident named it, or after it no longer did. One that is
// new may be named the next moment.
func TestAPartThatNoIncidentNamesIsRemoved(t *testing.T) {
	s := newCRDs(t)
	j := s.journal(t)
	if err := j.Put(t.Context(), outage(3_000, 60)); err != nil {
		t.Fatal(err)
	}
	named := s.parts()
	for name, created := range map[string]string{"left": "2026-01-01T00:00:00Z", "new": time.Now().UTC().Format(time.RFC3339)} {
		s.put("incidentmembers/"+name, object{"apiVersion": "argo-why.dev/v1alpha1", "kind": "IncidentMembers", "metadata": object{"name": name, "uid": name, "creationTimestamp": created}})
	}
	if _, err := j.Read(t.Context()); err != nil || len(s.parts()) != len(named)+2 {
		t.Errorf("reading leaves %v, %v", s.parts(), err)
	}
	if _, err := j.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now := s.parts(); !slices.Equal(now, slices.Sorted(slices.Values(append(named, "new")))) {
		t.Errorf("left are %v", now)
	}
}

// TestMembersThatAreReplacedWhileTheyAreReadAreReadAgain, and those that are lost make their entry a damaged one.
func TestMembersThatAreReplacedWhileTheyAreReadAreReadAgain(t *testing.T) {
	s := newCRDs(t)
	writer := s.journal(t)
	i := outage(3_000, 60)
	put := func() {
		if err := writer.Put(t.Context(), i); err != nil {
			t.Error(err)
		}
	}
	put()
	for what, read := range map[string]func() (*incident.Incident, error){
		"get": func() (*incident.Incident, error) { return s.journal(t).Get(t.Context(), i.ID) },
		"list": func() (*incident.Incident, error) {
			all, err := s.journal(t).List(t.Context())
			if err != nil || len(all) != 1 {
				return nil, fmt.Errorf("%d entries, %w", len(all), err)
			}
			return all[0], nil
		},
	} {
		s.meddle = func() {
			for n := range i.Members {
				i.Members[n].Headline = "read by " + what
			}
			put()
		}
		got, err := read()
		if err != nil || len(got.Members) != len(i.Members) || got.Members[9].Headline != "read by "+what || got.Version != i.Version {
			t.Errorf("%s: %v, or not the newest", what, err)
		}
	}
	s.mu.Lock()
	for path := range s.objects {
		if path > "incidentmembers/" && path < "incidents" {
			delete(s.objects, path)
			break
		}
	}
	s.mu.Unlock()
	all, err := s.journal(t).List(t.Context())
	if err == nil || len(all) != 0 {
		t.Errorf("with members lost: %d entries, %v", len(all), err)
	}
}
