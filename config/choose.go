package config

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// Channel is the channel of an application's incidents: that of the first matching route, else slack.channel.
func (c *Config) Channel(app diagnose.AppName, project string) string {
	if n := c.Route(app, project); n < len(c.Routes) {
		return c.Routes[n].Channel
	}
	return c.Slack.Channel
}

// Route is the place of the first route that matches an application; that after the last where none does.
func (c *Config) Route(app diagnose.AppName, project string) int {
	for n, r := range c.Routes {
		if r.Match.Fits(app, project) {
			return n
		}
	}
	return len(c.Routes)
}

// ConnectionChannel is the channel of what is wrong with Argo CD's connections.
func (c *Config) ConnectionChannel() string { return cmp.Or(c.Connections.Channel, c.Slack.Channel) }

// Channels are all channels for incidents, each once, in the order of the file.
func (c *Config) Channels() []string {
	channels := []string{c.Slack.Channel}
	if c.Connections.Enabled() && c.ConnectionChannel() != c.Slack.Channel {
		channels = append(channels, c.ConnectionChannel())
	}
	for _, r := range c.Routes {
		if !slices.Contains(channels, r.Channel) {
			channels = append(channels, r.Channel)
		}
	}
	return channels
}

// DigestChannels are those that get a digest, each once; none where there is none.
func (c *Config) DigestChannels() []string {
	switch {
	case !c.Digest.Enabled():
		return nil
	case len(c.Digest.Channels) > 0:
		return c.Digest.Channels
	}
	return c.Channels()
}

// DigestTimes are when channels get their digests: each channel that gets one is in one of them.
func (c *Config) DigestTimes() (times []DigestOverride) {
	if !c.Digest.Enabled() {
		return nil
	}
	rest := slices.Clone(c.DigestChannels())
	for _, o := range c.Digest.Overrides {
		o.TimeZone = cmp.Or(o.TimeZone, c.Digest.TimeZone)
		times = append(times, o)
		rest = slices.DeleteFunc(rest, func(channel string) bool { return slices.Contains(o.Channels, channel) })
	}
	if len(rest) > 0 {
		times = slices.Insert(times, 0, DigestOverride{Channels: rest, Schedule: c.Digest.Schedule, TimeZone: c.Digest.TimeZone})
	}
	return times
}

// Fits reports whether the application matches.
func (m Match) Fits(app diagnose.AppName, project string) bool {
	return fits(m.Instance, app.Instance) && fits(m.Project, project) &&
		fits(m.Namespace, app.Namespace) && fits(m.Application, app.Name)
}

// OpenAfterOf is how long a failure with this root cause must last before a thread is opened: the time of the rule's own ID, or of
// the longest pattern that matches it, else OpenAfter.
func (n Incidents) OpenAfterOf(rule string) time.Duration {
	if after, ok := n.OpenAfterByRule[rule]; ok {
		return after
	}
	patterns := sortedKeys(n.OpenAfterByRule)
	slices.SortStableFunc(patterns, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, pattern := range patterns {
		if FitsRule(pattern, rule) {
			return n.OpenAfterByRule[pattern]
		}
	}
	return n.OpenAfter
}

// Ignores reports whether failures with this root cause never open a thread.
func (n Incidents) Ignores(rule string) bool {
	return slices.ContainsFunc(n.Ignore, func(pattern string) bool { return FitsRule(pattern, rule) })
}

// FitsRule reports whether a pattern of the configuration matches a rule. A finding may name a finer one below a rule
// ("operation/permission-denied/login"): a pattern that matches the rule matches that too.
func FitsRule(pattern, rule string) bool {
	for ; rule != "" && rule != "."; rule = path.Dir(rule) {
		if fits(pattern, rule) {
			return true
		}
	}
	return false
}

// UserGroups are all that access and actions depend on, sorted. With any, Slack has to be asked who is in them.
func (c *Config) UserGroups() []string {
	var all []string
	for _, a := range c.Access {
		all = append(all, a.UserGroups...)
	}
	for _, a := range c.Actions {
		all = append(append(all, a.UserGroups...), a.Approval.UserGroups...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Covers reports whether the rule is about applications of an instance.
func (a ActionRule) Covers(instance string) bool {
	return len(a.Instances) == 0 || slices.ContainsFunc(a.Instances, func(pattern string) bool { return fits(pattern, instance) })
}

// fits is a glob match, in which an empty pattern matches everything. An invalid glob matches nothing; the file was checked for
// those.
func fits(pattern, name string) bool {
	if pattern == "" || pattern == "*" {
		return true
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
