package text_test

import (
	"slices"
	"testing"

	"github.com/argo-why/argo-why/internal/text"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 hooks", 1: "1 hook", 2: "2 hooks", 999: "999 hooks", 1000: "1,000 hooks", 1234567: "1,234,567 hooks"} {
		if got := text.Count(n, "hook", "hooks"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int]string{-1: "-1", -999: "-999", -1000: "-1,000"} {
		if got := text.Number(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestFirst(t *testing.T) {
	all := []string{"a", "b", "c"}
	for limit, want := range map[int][]string{3: all, 2: {"a", "b", "and 1 more"}, 0: {"and 3 more"}} {
		if got := text.First(all, limit); !slices.Equal(got, want) {
			t.Errorf("the first %d: %q, want %q", limit, got, want)
		}
	}
	for limit, want := range map[int]string{3: "a, b, c", 2: "a, b and 1 more", 1: "a and 2 more"} {
		if got := text.List(all, limit); got != want {
			t.Errorf("a list of %d: %q, want %q", limit, got, want)
		}
	}
	if got, want := text.List(make([]string, 1001), 1), " and 1,000 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if all[2] != "c" {
		t.Error("the list was changed")
	}
}
