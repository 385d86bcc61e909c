package app

import (
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/schedule"
	"github.com/argo-why/argo-why/internal/slack/answer"
)

// checkJobs says which jobs the configuration plans, and when each runs next.
func checkJobs(c *config.Config, now time.Time) []preflight.Finding {
	connections := preflight.Finding{What: "job connections", Detail: "off: connections.schedule is empty"}
	expiry := preflight.Finding{What: "job expiry", Detail: connections.Detail}
	if c.Connections.Enabled() {
		connections = planned("connections", c.Connections.Schedule, now, ", warnings go to "+c.ConnectionChannel())
		expiry = planned("expiry", expiryEvery, now, ", tokens that expire soon are announced in "+c.ConnectionChannel())
	}
	return []preflight.Finding{planned("sweep", c.Sweep, now, ""), connections, expiry, plannedDigest(c, now)}
}

func plannedDigest(c *config.Config, now time.Time) preflight.Finding {
	f := preflight.Finding{What: "job digest", Detail: "off: digest.schedule is empty"}
	if !c.Digest.Enabled() {
		return f
	}
	when, err := schedule.NewWall(c.Digest.Schedule, c.Digest.TimeZone)
	if err != nil {
		f.Problem = err.Error()
		return f
	}
	f.Detail = c.Digest.Schedule + ", next " + when.Next(now).Format("2006-01-02 15:04 MST") + ", in " + strings.Join(c.DigestChannels(), ", ")
	return f
}

// jobsOf are the jobs that the help names.
func jobsOf(c *config.Config) func(now time.Time) []answer.Job {
	var always []answer.Job
	if c.Connections.Enabled() {
		always = []answer.Job{
			{What: "warn when Argo CD can no longer connect to a repository or a cluster"},
			{What: "announce tokens of Argo CD 14, 3 and 1 days before they expire"},
		}
	}
	return func(now time.Time) []answer.Job {
		when, err := schedule.NewWall(c.Digest.Schedule, c.Digest.TimeZone)
		if !c.Digest.Enabled() || err != nil {
			return always
		}
		return append(slices.Clone(always), answer.Job{What: "a digest of what is failing and what recovered, in " + strings.Join(c.DigestChannels(), ", "), Next: when.Next(now)})
	}
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
