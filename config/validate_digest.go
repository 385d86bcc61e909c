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
		if d.TimeZone != "" || len(d.Channels) > 0 || len(d.Overrides) > 0 {
			f.add("digest.schedule", "missing: give five cron fields such as 0 9 * * 1-5, or remove digest; without it no digest is posted")
		}
		return
	}
	validateDigestTime(f, "digest", d.Schedule, d.TimeZone)
	f.atLeast("digest.outOfSyncAfter", d.OutOfSyncAfter, 0)
	var seen []string
	for i, channel := range d.Channels {
		seen = addDigestChannel(f, fmt.Sprintf("digest.channels[%d]", i), channel, seen, channels)
	}
	seen = nil
	for n, o := range d.Overrides {
		at := fmt.Sprintf("digest.overrides[%d]", n)
		validateDigestTime(f, at, o.Schedule, o.TimeZone)
		if len(o.Channels) == 0 {
			f.add(at+".channels", "missing: list the channels that get their digest at this time")
		}
		for i, channel := range o.Channels {
			where := fmt.Sprintf("%s.channels[%d]", at, i)
			if slices.Contains(channels, channel) && len(d.Channels) > 0 && !slices.Contains(d.Channels, channel) {
				f.add(where, "%s is not in digest.channels: add it there, or remove it here", channel)
				continue
			}
			seen = addDigestChannel(f, where, channel, seen, channels)
		}
	}
}

// addDigestChannel checks a channel of a list, and returns the list with it.
func addDigestChannel(f *findings, at, channel string, seen, known []string) []string {
	switch {
	case slices.Contains(seen, channel):
		f.add(at, "%s is listed twice: remove one of the two", channel)
	case slices.Contains(known, channel):
	case near.Nearest(channel, known) != "":
		f.add(at, "slack.channel and routes name no channel %q: did you mean %s?", channel, near.Nearest(channel, known))
	default:
		f.add(at, "slack.channel and routes name no channel %q: choose from %s", channel, strings.Join(known, ", "))
	}
	return append(seen, channel)
}

func validateDigestTime(f *findings, at, schedule, zone string) {
	validateDigestSchedule(f, at+".schedule", schedule)
	if _, err := time.LoadLocation(zone); err != nil || zone == "Local" {
		f.add(at+".timeZone", "%q is not a time zone: write its IANA name, such as Europe/Vienna", text.OneLine(zone))
	}
}

func validateDigestSchedule(f *findings, at, schedule string) {
	when, err := cron.ParseStandard(schedule)
	switch {
	case strings.Contains(schedule, "TZ="):
		f.add(at, "leave out the time zone, and write it as %s", strings.TrimSuffix(at, "schedule")+"timeZone")
		return
	case err != nil:
		f.add(at, "%q is not a schedule (%s): write five cron fields such as 0 9 * * 1-5", text.OneLine(schedule), text.OneLine(err.Error()))
		return
	case strings.HasPrefix(schedule, "@every"):
		f.add(at, "%q has no time of day: write five cron fields such as 0 9 * * 1-5", text.OneLine(schedule))
		return
	}
	// Any time will do: the schedules that there are repeat themselves within a leap year.
	first := when.Next(time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC))
	if first.IsZero() {
		f.add(at, "%q never runs: there is no such day", schedule)
		return
	}
	for range 200 { // more than a week of hours: no pattern of minutes or hours is longer than a day
		next := when.Next(first)
		if next.IsZero() {
			return
		}
		if next.Sub(first) < leastDigest {
			f.add(at, "%q is due more than once an hour: a digest is for once or twice a day, such as 0 9 * * 1-5", schedule)
			return
		}
		first = next
	}
}
