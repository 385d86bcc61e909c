//go:build system

package system_test

import (
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/text"
)

// TestFleet: many applications that are all well.
func TestFleet(t *testing.T) {
	for _, size := range []int{10_000, 30_000} {
		t.Run(text.Number(size), func(t *testing.T) {
			in := install(t)
			in.put(recorded(t, wellCase, resources), 0, size)
			in.run("1h")
			scenario := text.Number(size) + " healthy applications of 30 resources"
			results.within(scenario, "from start to watching", time.Since(in.began), 0, in.spent().String())
			time.Sleep(time.Minute) // until garbage is collected, and given back
			promised := 0
			if size == 10_000 {
				promised = 1
			}
			results.atMost(scenario, "memory, peak", in.bot.memory(t, "VmHWM"), promised*mostMemory, "MB", in.mapped())
			results.atMost(scenario, "memory after a minute", in.bot.memory(t, "VmRSS"), promised*150, "MB", "")
			if n := len(in.messages()); n > 0 {
				t.Errorf("%d messages, although nothing fails", n)
			}
		})
	}
}
