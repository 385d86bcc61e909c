package simulator

import (
	"encoding/json"
	"regexp"
	"time"
)

// moment is a time as Kubernetes, Argo CD and most logs write it. It may follow a letter: the n of a line break in JSON.
var moment = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)

// recent moves all times of a case, also those in logs and in the states of managed resources, so that it was recorded at this
// moment. A case without a time of its own stays as it is.
func recent(text []byte, now time.Time) []byte {
	var recorded struct{ Now time.Time }
	if json.Unmarshal(text, &recorded) != nil || recorded.Now.IsZero() {
		return text
	}
	by := now.Sub(recorded.Now)
	return moment.ReplaceAllFunc(text, func(old []byte) []byte {
		at, err := time.Parse(time.RFC3339Nano, string(old))
		if err != nil {
			return old
		}
		layout := time.RFC3339
		if len(old) > len("2006-01-02T15:04:05Z") {
			layout = "2006-01-02T15:04:05.000000Z07:00" // as metav1.MicroTime
		}
		return []byte(at.Add(by).UTC().Format(layout))
	})
}
