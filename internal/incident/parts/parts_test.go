package parts_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/parts"
)

// crowd are members in order, with names of that length that do not pack.
func crowd(n, length int) []incident.Member {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		b := make([]byte, length)
		for i := range b {
			b[i] = byte('a' + random.IntN(26))
		}
		return string(b)
	}
	var out []incident.Member
	for range n {
		out = append(out, incident.Member{
			App: incident.App{Instance: "prod", Namespace: text(), Name: text()}, Since: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC),
			Headline: "the repository cannot be reached: connection refused",
		})
	}
	slices.SortFunc(out, func(a, b incident.Member) int { return incident.Compare(a.App, b.App) })
	return out
}

func split(t *testing.T, members []incident.Member) map[string]parts.Part {
	t.Helper()
	all, err := parts.Split(members)
	if err != nil {
		t.Fatal(err)
	}
	byDigest := map[string]parts.Part{}
	for _, p := range all {
		byDigest[p.Digest] = p
	}
	if len(byDigest) != len(all) {
		t.Errorf("%d parts have %d digests", len(all), len(byDigest))
	}
	return byDigest
}

func packed(t *testing.T, p parts.Part) []byte {
	t.Helper()
	raw, err := p.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestWhoJoinsOrLeavesRewritesNoOthers: at most the part that it is in, and the one that this is split into or merged with; of the longest
// names also those behind it that are as large as a part may be.
func TestWhoJoinsOrLeavesRewritesNoOthers(t *testing.T) {
	for _, length := range []int{20, 253} {
		t.Run(fmt.Sprint(length, " letters"), func(t *testing.T) {
			const most = 1 << 20 // an object has a megabyte
			members := crowd(10_000, length)
			before := split(t, members)
			all, largest := 0, 0
			for _, p := range before {
				size := len(packed(t, p))
				all, largest = all+size, max(largest, size)
			}
			if largest*4/3 > most {
				t.Errorf("a part has %d bytes", largest)
			}
			worst := 0
			for at := 0; at < len(members); at += 997 {
				one := members[at]
				for _, changed := range [][]incident.Member{
					slices.Delete(slices.Clone(members), at, at+1),
					slices.Insert(slices.Clone(members), at, incident.Member{App: incident.App{Instance: "prod", Namespace: one.App.Namespace[:10], Name: one.App.Name}}),
				} {
					written := 0
					for digest, p := range split(t, changed) {
						if _, known := before[digest]; !known {
							written += len(packed(t, p))
						}
					}
					worst = max(worst, written)
				}
			}
			t.Logf("%d parts, %d bytes in all, at most %d in one and %d for one that joins or leaves", len(before), all, largest, worst)
			if worst > all/3 {
				t.Errorf("one that joins or leaves rewrites %d of %d bytes", worst, all)
			}
		})
	}
}

func TestWhatIsSplitIsWhatComesBack(t *testing.T) {
	members := crowd(3_000, 40)
	all, err := parts.Split(members)
	if err != nil {
		t.Fatal(err)
	}
	var again []incident.Member
	for _, p := range all {
		some, err := parts.Unpack(packed(t, p))
		if err != nil || len(some) != p.Members {
			t.Fatalf("%d members of %d, %v", len(some), p.Members, err)
		}
		again = append(again, some...)
	}
	if !reflect.DeepEqual(again, members) {
		t.Error("the members are not what they were")
	}
	if none, err := parts.Split(nil); err != nil || len(none) != 0 {
		t.Errorf("no members have %d parts, %v", len(none), err)
	}
	for _, spoilt := range [][]byte{nil, []byte("x"), packed(t, all[0])[:40]} {
		if some, err := parts.Unpack(spoilt); err == nil {
			t.Errorf("%q unpacks to %d members", spoilt, len(some))
		}
	}
}
