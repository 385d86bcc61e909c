package growth_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/growth"
)

func TestWhatIsQuadraticIsTold(t *testing.T) {
	const times, enough = 16, 4
	small, large := strings.Repeat("a", 1<<10), strings.Repeat("a", times<<10)
	sum := 0
	linear := func(s string) func() {
		return func() {
			for range 64 {
				sum += strings.Count(s, "b")
			}
		}
	}
	quadratic := func(s string) func() {
		return func() {
			for i := range s {
				sum += strings.Count(s[i:], "b")
			}
		}
	}
	if excess := growth.Excess(times, enough, linear(small), linear(large)); excess >= enough {
		t.Errorf("what is linear takes %.1f times as long as it should", excess)
	}
	if excess := growth.Excess(times, enough, quadratic(small), quadratic(large)); excess < enough {
		t.Errorf("what is quadratic takes %.1f times as long as it should", excess)
	}
}
