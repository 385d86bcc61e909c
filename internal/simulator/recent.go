package simulator

import (
	"encoding/json"
	"regexp"
	"time"
)

// A failure that was recorded later than longAgo after it happened has happened justNow when its case is taken in.
const (
	longAgo = 2 * time.Minute
	justNow = time.Minute
)

// moment is a time as Kubernetes, Argo CD and most logs write it. It may follow a letter: the n of a line break in JSON.
var moment = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)

// recent moves all times of a case, also those in logs and in the states of managed resources, so that it was recorded at this
// moment and its failure is a minute old at most. What happened between the failure and the recording happens in that minute,
// in the same order. What runs or waits has done so as long as it had. A case without a time of its own stays as it is.
func recent(text []byte, now time.Time) []byte {
	var c recorded
	if json.Unmarshal(text, &c) != nil || c.Now.IsZero() {
		return text
	}
	failed := c.failed()
	age := c.Now.Sub(failed)
	if failed.IsZero() || age <= longAgo {
		failed, age = c.Now, 0
	}
	move := func(at time.Time) time.Time {
		switch {
		case at.After(c.Now):
			return now.Add(at.Sub(c.Now))
		case at.After(failed):
			return now.Add(-time.Duration(float64(justNow) * float64(c.Now.Sub(at)) / float64(age)))
		case age == 0:
			return now.Add(at.Sub(failed))
		}
		return now.Add(at.Sub(failed) - justNow)
	}
	return moment.ReplaceAllFunc(text, func(old []byte) []byte {
		at, err := time.Parse(time.RFC3339Nano, string(old))
		if err != nil {
			return old
		}
		layout := time.RFC3339
		if len(old) > len("2006-01-02T15:04:05Z") {
			layout = "2006-01-02T15:04:05.000000Z07:00" // as metav1.MicroTime
		}
		return []byte(move(at).UTC().Format(layout))
	})
}

// recorded are the times of a case that tell when its failure happened.
type recorded struct {
	Now         time.Time
	Application struct {
		Status struct {
			OperationState *struct {
				Phase      string
				FinishedAt time.Time
			}
			Conditions []struct{ LastTransitionTime time.Time }
			Health     struct {
				Status             string
				LastTransitionTime time.Time
			}
		}
	}
}

// failed is when the last operation failed, else when Argo CD began to complain or the health changed; zero where an operation
// runs or a resource progresses, which may be too long, and where nothing tells.
func (c *recorded) failed() time.Time {
	status := &c.Application.Status
	newest := status.Health.LastTransitionTime
	if o := status.OperationState; o != nil {
		switch {
		case o.FinishedAt.IsZero():
			return time.Time{}
		case o.Phase != "Succeeded":
			return o.FinishedAt
		}
	}
	if status.Health.Status == "Progressing" {
		return time.Time{}
	}
	for _, condition := range status.Conditions {
		if condition.LastTransitionTime.After(newest) {
			newest = condition.LastTransitionTime
		}
	}
	return newest
}
