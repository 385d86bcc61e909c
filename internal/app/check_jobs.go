package app

import (
	"strings"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/schedule"
)

// checkJobs says which jobs the configuration plans, and when each runs next.
func checkJobs(c *config.Config, now time.Time) []preflight.Finding {
	found := []preflight.Finding{planned("sweep", c.Sweep, now, "")}
	if c.Connections.Schedule == "" {
		return append(found, preflight.Finding{What: "job connections", Detail: "off: connections.schedule is empty"})
	}
	return append(found, planned("connections", c.Connections.Schedule, now, ", warnings go to "+c.ConnectionChannel()))
}

// planned says when a job runs next. One that runs every so often does so from when the bot starts.
func planned(name, spec string, now time.Time, more string) preflight.Finding {
	f := preflight.Finding{What: "job " + name}
	when, err := schedule.Parse(spec)
	if err != nil {
		f.Problem = err.Error()
		return f
	}
	f.Detail = spec + " from the start of the bot" + more
	if !strings.HasPrefix(spec, "@every ") {
		f.Detail = spec + ", next " + when.Next(now).UTC().Format("2006-01-02 15:04 MST") + more
	}
	return f
}
