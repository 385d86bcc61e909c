package advice

import (
	"time"

	"github.com/argo-why/argo-why/internal/text"
)

// ForNow is how long something has been so, for the end of a clause; "" for a moment.
func ForNow(d time.Duration) string {
	if d < time.Minute {
		return ""
	}
	return ", for " + text.Age(d) + " now"
}
