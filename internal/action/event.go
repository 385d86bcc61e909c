package action

import "time"

// Event is a Kubernetes Event on an Application.
type Event struct {
	// Record makes its name, so that it is written once.
	Record string
	// Reason is one word, like ArgoWhySync; Warning is its type, else Normal.
	Reason, Message string
	Warning         bool
	At              time.Time
}
