package pods

import (
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// RestlessRestarts is how many restarts make a pod worth a look that is ready at the moment.
const RestlessRestarts = 2

// Restless is why Kubernetes killed a container again and again that is ready at the moment; ok is false where none was killed since.
func Restless(node *evidence.Node, pod evidence.Object, events []evidence.Event, since time.Time) (a Symptom, ok bool) {
	for _, c := range containersOf(pod) {
		if c.restarts() < RestlessRestarts || !c.status.Time("lastState", "terminated", "finishedAt").After(since) {
			continue
		}
		if a, ok = killedBefore(events, c); ok {
			return a.of(c, node.Ref().String()), true
		}
	}
	return Symptom{}, false
}
