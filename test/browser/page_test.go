//go:build browser

package browser

import "testing"

// What a visitor finds, at every width, by day and by night.
func TestTheFirstLook(t *testing.T) {
	base := startDemo(t)
	for name, s := range map[string]screen{"desktop": desktop, "tablet": tablet, "phone": phone, "night": night} {
		t.Run(name, func(t *testing.T) {
			b := open(t, base, "/?as=alice", s)
			b.see("#channel article", "payments-api")
			b.look("first-" + name)
		})
	}
}
