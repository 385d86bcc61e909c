package pods

import (
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// EventName is an event as the source of a quote.
func EventName(e *evidence.Event) string { return "event " + e.Reason + " of " + e.Ref().String() }

// LastWarning is the last event that warns, nil if there is none. A back-off only repeats that a container is restarted.
func LastWarning(events []evidence.Event) *evidence.Event {
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Type == "Warning" && events[i].Reason != "BackOff" {
			return &events[i]
		}
	}
	return nil
}

// CreateRefusal is what the API server answered to a controller that would create a pod.
func CreateRefusal(e *evidence.Event) string {
	text := strings.TrimPrefix(strings.TrimPrefix(e.Message, "(combined from similar events): "), "Error creating: ")
	if _, after, cut := strings.Cut(text, " failed error: "); cut { // a StatefulSet's form
		return after
	}
	return text
}

// LastEvent is the last event with a reason, nil if there is none.
func LastEvent(events []evidence.Event, reason string) *evidence.Event {
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Reason == reason {
			return &events[i]
		}
	}
	return nil
}
