package render_test

import (
	"time"

	"github.com/argo-why/argo-why/internal/incident"
)

// remainders are the messages about failures that are still to be posted.
func remainders() map[string]*incident.Incident {
	open := &incident.Incident{
		ID: "still-to-post-k3v9q2mz", Phase: incident.Open, Channel: "deployments", Since: start, Seen: start, OpenedAt: start,
		Cause: incident.Cause{Rule: incident.StillToPost, Key: incident.StillToPost}, Waiting: 1873,
	}
	last, over := open.Clone(), open.Clone()
	last.Waiting = 1
	over.Phase, over.RecoveredAt, over.Waiting = incident.Recovered, start.Add(time.Hour), 0
	return map[string]*incident.Incident{"remainder": open, "remainder-of-one": last, "remainder-over": over}
}
