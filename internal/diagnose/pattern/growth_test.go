package pattern

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/growth"
)

// A word is looked for in time that grows with the text, also where one of its two first letters is everywhere and the other nowhere.
func TestInGrowsWithTheText(t *testing.T) {
	w := word{text: "panicked", folded: true}
	for _, letter := range []string{"p", "P", "pP", "panicke "} {
		text := func(n int) func() {
			s := strings.Repeat(letter, n/len(letter))
			return func() {
				if w.in(s) {
					t.Errorf("%q is in %q", w.text, letter)
				}
			}
		}
		const times, enough = 8, 3
		if excess := growth.Excess(times, enough, text(1<<14), text(times<<14)); excess >= enough {
			t.Errorf("%q: %d times the text takes %.0f times as long", letter, times, times*excess)
		}
	}
}
