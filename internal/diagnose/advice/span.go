package advice

import (
	"fmt"
	"time"
)

// Span is a duration as people say it: "40 s", "13 min", "3 h", "2 d".
func Span(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d d", int(d.Hours()/24))
}

// ForNow is how long something has been so, for the end of a clause; "" for a moment.
func ForNow(d time.Duration) string {
	if d < time.Minute {
		return ""
	}
	return ", for " + Span(d) + " now"
}
