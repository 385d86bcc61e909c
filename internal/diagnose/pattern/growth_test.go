package pattern

import (
	"strings"
	"testing"
	"time"
)

// A word is looked for in time that grows with the text, also where one of its two first letters is everywhere and the other nowhere.
func TestInGrowsWithTheText(t *testing.T) {
	w := word{text: "panicked", folded: true}
	for _, letter := range []string{"p", "P", "pP", "panicke "} {
		takes := func(n int) time.Duration {
			s := strings.Repeat(letter, n/len(letter))
			start := time.Now()
			if w.in(s) {
				t.Errorf("%q is in %q", w.text, letter)
			}
			return time.Since(start)
		}
		ratio := 100.0
		for range 20 {
			if ratio = min(ratio, float64(takes(1<<17))/float64(takes(1<<14))); ratio < 24 {
				break
			}
		}
		if ratio >= 24 {
			t.Errorf("%q: 8 times the text takes %.0f times as long", letter, ratio)
		}
	}
}
