package text_test

import (
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/text"
)

func TestDurationAndAge(t *testing.T) {
	for _, c := range []struct {
		d             time.Duration
		duration, age string
	}{
		{0, "0 s", "0 s"},
		{40*time.Second + 900*time.Millisecond, "40 s", "40 s"},
		{time.Minute, "1 min", "60 s"},
		{2*time.Minute - time.Second, "1 min", "119 s"},
		{2 * time.Minute, "2 min", "2 min"},
		{time.Hour, "60 min", "60 min"},
		{61*time.Minute + 59*time.Second, "61 min", "61 min"},
		{2 * time.Hour, "2 h", "2 h"},
		{3*time.Hour + 59*time.Minute, "3 h", "3 h"},
		{24 * time.Hour, "24 h", "24 h"},
		{48*time.Hour - time.Second, "47 h", "47 h"},
		{48 * time.Hour, "2 days", "2 d"},
		{1200 * 24 * time.Hour, "1,200 days", "1,200 d"},
	} {
		if got := text.Duration(c.d); got != c.duration {
			t.Errorf("duration %s: %q, want %q", c.d, got, c.duration)
		}
		if got := text.Age(c.d); got != c.age {
			t.Errorf("age %s: %q, want %q", c.d, got, c.age)
		}
	}
}

func TestSetting(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 30 * time.Second: "30s", 15 * time.Minute: "15m", 90 * time.Second: "1m30s", time.Hour: "1h", 90 * time.Minute: "1h30m", 24 * time.Hour: "24h",
		10 * time.Hour: "10h", 1500 * time.Millisecond: "1.5s", time.Hour + time.Second: "1h0m1s",
	} {
		if got := text.Setting(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}
