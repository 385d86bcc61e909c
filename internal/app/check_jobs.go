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
	return append([]preflight.Finding{planned("sweep", c.Sweep, now, ""), connections, expiry}, plannedDigests(c, now)...)
}

func plannedDigests(c *config.Config, now time.Time) (all []preflight.Finding) {
	if !c.Digest.Enabled() {
		return []preflight.Finding{{What: "job digest", Detail: "off: digest.schedule is empty"}}
	}
	for _, t := range c.DigestTimes() {
		f := preflight.Finding{What: "job digest"}
		when, err := schedule.NewWall(t.Schedule, t.TimeZone)
		if err != nil {
			f.Problem = err.Error()
		} else {
			f.Detail = t.Schedule + ", next " + when.Next(now).Format("2006-01-02 15:04 MST") + ", in " + strings.Join(t.Channels, ", ")
		}
		all = append(all, f)
	}
	return all
}

// jobsOf are the jobs that the help names.
func jobsOf(c *config.Config) func(now time.Time) []answer.Job {
	var always []answer.Job
	if c.Connections.Enabled() {
		always = []answer.Job{
			{What: "warns when Argo CD can no longer connect to a repository or a cluster, or its application controller stops reporting"},
			{What: "announces tokens of Argo CD 14, 3 and 1 days before they expire"},
		}
	}
	return func(now time.Time) []answer.Job {
		jobs := slices.Clone(always)
		for _, t := range c.DigestTimes() {
			if when, err := schedule.NewWall(t.Schedule, t.TimeZone); err == nil { // a wrong one keeps the bot from starting
				jobs = append(jobs, answer.Job{What: "a digest of what is failing and what recovered, in " + strings.Join(t.Channels, ", "), Next: when.Next(now)})
			}
		}
		return jobs
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
