package advice

import (
	"time"

	"github.com/argo-why/argo-why/internal/text"
)

// ForNow is how long a state has lasted, in brackets for the end of a clause; "" for less than a minute.
func ForNow(d time.Duration) string {
	if d < time.Minute {
		return ""
	}
	return " (for " + text.Age(d) + ")"
}
