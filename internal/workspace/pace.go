package workspace

import (
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// perMinute are the calls that Slack allows of a method in a minute, in one workspace, as the tiers of
// https://docs.slack.dev/apis/web-api/rate-limits say at least. Slack allows some more; a client that keeps to these needs no luck.
// The limit of chat.postMessage in the whole workspace is "several hundred".
var perMinute = map[string]int{
	"chat.postMessage": 300, "chat.update": 50, "chat.delete": 50, "chat.postEphemeral": 100,
	"conversations.history": 50, "conversations.replies": 50, "conversations.list": 20, "conversations.info": 50,
	"conversations.members": 100, "conversations.open": 50, "conversations.join": 50,
	"users.info": 100, "users.list": 20, "users.lookupByEmail": 50, "usergroups.list": 20, "usergroups.users.list": 20, "bots.info": 50, "team.info": 50,
	"reactions.add": 50, "reactions.remove": 20, "views.open": 100, "views.push": 100, "views.update": 100,
}

// paced says how long an app has to wait before it may call a method: 0 is not at all. Slack counts each method by itself, and
// beside that the messages of each channel.
func (w *Workspace) paced(a *app, name string, args url.Values) time.Duration {
	if !w.opt.Pace {
		return 0
	}
	now := w.opt.Now()
	key := a.ID + " " + name
	m := w.minutes[key]
	if m == nil {
		m = &minute{}
		w.minutes[key] = m
	}
	if wait := m.wait(now, perMinute[name]); wait > 0 {
		return wait
	}
	if name == "chat.postMessage" {
		if wait, ok := w.pacer(args.Get("channel")).allow(now); !ok {
			return wait
		}
	}
	m.calls = append(m.calls, now)
	return 0
}

// minute are the calls of the last minute that were allowed.
type minute struct{ calls []time.Time }

// wait is how long it takes until there were less than most of them; 0 for a method without a limit.
func (m *minute) wait(now time.Time, most int) time.Duration {
	for len(m.calls) > 0 && now.Sub(m.calls[0]) >= time.Minute {
		m.calls = m.calls[1:]
	}
	if most == 0 || len(m.calls) < most {
		return 0
	}
	return time.Minute - now.Sub(m.calls[len(m.calls)-most])
}

// limited is the answer to too many calls: https://docs.slack.dev/apis/web-api/rate-limits
func limited(rw http.ResponseWriter, after time.Duration) {
	seconds := max(1, int(math.Ceil(after.Seconds())))
	rw.Header().Set("Retry-After", strconv.Itoa(seconds))
	write(rw, http.StatusTooManyRequests, answer{"ok": false, "error": "ratelimited"})
}

func (w *Workspace) pacer(channel string) *pacer {
	p := w.pace[channel]
	if p == nil {
		p = &pacer{}
		w.pace[channel] = p
	}
	return p
}

// pacer allows a message per second after a burst. Slack says "short bursts >1 allowed"; five is a guess.
type pacer struct {
	tokens float64
	last   time.Time
}

const burst = 5

// allow takes a message, or says how long to wait for the next.
func (p *pacer) allow(now time.Time) (wait time.Duration, ok bool) {
	if p.last.IsZero() {
		p.tokens, p.last = burst, now
	}
	p.tokens = min(burst, p.tokens+now.Sub(p.last).Seconds())
	p.last = now
	if p.tokens >= 1 {
		p.tokens--
		return 0, true
	}
	return time.Second, false
}
