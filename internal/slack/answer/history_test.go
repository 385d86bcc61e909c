package answer

import (
	"testing"
	"time"
)

func TestLasted(t *testing.T) {
	for d, want := range map[time.Duration]string{
		40 * time.Second: "40 s", 14*time.Minute + 20*time.Second: "14 min", 3*time.Hour + 5*time.Minute: "3 h 5 min", 50 * time.Hour: "2 d 2 h",
	} {
		if got := lasted(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}
