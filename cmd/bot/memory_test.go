package main

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestMemoryStaysBelowTheLimitOfTheContainer(t *testing.T) {
	was := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(was) })
	for _, c := range []struct {
		limit       string
		given, want int64
	}{
		{"536870912", math.MaxInt64, 483183819},
		{"536870912", 200 << 20, 200 << 20}, // GOMEMLIMIT
		{"", math.MaxInt64, math.MaxInt64},
		{"512Mi", math.MaxInt64, math.MaxInt64},
		{"0", math.MaxInt64, math.MaxInt64},
	} {
		t.Setenv(memoryLimit, c.limit)
		debug.SetMemoryLimit(c.given)
		keepBelow(limitOfContainer())
		if got := debug.SetMemoryLimit(-1); got != c.want {
			t.Errorf("%s=%q, GOMEMLIMIT %d: %d, want %d", memoryLimit, c.limit, c.given, got, c.want)
		}
	}
}
