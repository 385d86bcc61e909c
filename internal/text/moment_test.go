package text_test

import (
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/text"
)

func TestMoment(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	paris := time.FixedZone("CET", 3600)
	for _, c := range []struct {
		t    time.Time
		want string
	}{
		{time.Time{}, "an unknown time"},
		{time.Date(2026, 11, 20, 8, 33, 59, 0, time.UTC), "08:33 UTC"},
		{time.Date(2026, 11, 20, 9, 33, 0, 0, paris), "08:33 UTC"},
		{time.Date(2026, 11, 20, 0, 30, 0, 0, paris), "19 Nov 23:30 UTC"},
		{time.Date(2026, 11, 2, 8, 33, 0, 0, time.UTC), "2 Nov 08:33 UTC"},
	} {
		if got := text.Moment(c.t, now.In(paris)); got != c.want {
			t.Errorf("%s: %q, want %q", c.t, got, c.want)
		}
	}
	if got, want := text.Timestamp(now.In(paris)), "2026-11-20 09:00 UTC"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
