package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/text"
)

// leastDigest is how far two digests of a channel must be apart: one that is more than an hour late is not posted.
const leastDigest = time.Hour

func (d Digest) validate(f *findings, channels []string) {
	if !d.Enabled() {
		if d.TimeZone != "" || len(d.Channels) > 0 {
			f.add("digest.schedule", "missing: give five cron fields such as 0 9 * * 1-5, or remove digest; without it no digest is posted")
		}
		return
	}
	d.validateSchedule(f)
	if _, err := time.LoadLocation(d.TimeZone); err != nil || d.TimeZone == "Local" {
		f.add("digest.timeZone", "%q is not a time zone: write its IANA name, such as Europe/Vienna", text.OneLine(d.TimeZone))
	}
	f.atLeast("digest.outOfSyncAfter", d.OutOfSyncAfter, 0)
	for i, channel := range d.Channels {
		at := fmt.Sprintf("digest.channels[%d]", i)
		switch {
		case slices.Contains(d.Channels[:i], channel):
			f.add(at, "%s is listed twice: remove one of the two", channel)
		case slices.Contains(channels, channel):
		case near.Nearest(channel, channels) != "":
			f.add(at, "no incidents go to %q: did you mean %s?", channel, near.Nearest(channel, channels))
		default:
			f.add(at, "no incidents go to %q: list channels as slack.channel and routes name them: %s", channel, strings.Join(channels, ", "))
		}
	}
}

func (d Digest) validateSchedule(f *findings) {
	const at = "digest.schedule"
	when, err := cron.ParseStandard(d.Schedule)
	switch {
	case strings.Contains(d.Schedule, "TZ="):
		f.add(at, "leave out the time zone, and write it as digest.timeZone")
		return
	case err != nil || strings.HasPrefix(d.Schedule, "@every"):
		f.add(at, "%q is not a schedule: write five cron fields such as 0 9 * * 1-5", text.OneLine(d.Schedule))
		return
	}
	// Any time will do: the schedules that there are repeat themselves within a leap year.
	first := when.Next(time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC))
	if first.IsZero() {
		f.add(at, "%q never comes true: there is no such day", d.Schedule)
		return
	}
	for range 200 { // more than a week of hours: no pattern of minutes or hours is longer than a day
		next := when.Next(first)
		if next.IsZero() {
			return
		}
		if next.Sub(first) < leastDigest {
			f.add(at, "%q is due more than once an hour: a digest is for once or twice a day, such as 0 9 * * 1-5", d.Schedule)
			return
		}
		first = next
	}
}
