package deliver

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/argo-why/argo-why/internal/incident"
)

// The methods in use.
const (
	postMessage   = "chat.postMessage"
	postEphemeral = "chat.postEphemeral"
	update        = "chat.update"
	deleteMessage = "chat.delete"
	permalink     = "chat.getPermalink"
	history       = "conversations.history"
	replies       = "conversations.replies"
	list          = "conversations.list"
	authTest      = "auth.test"
)

// pace is how often calls may be made: so many at once, and then one each time.
type pace struct {
	burst int
	each  time.Duration
}

// Slack's limits hold for a method in a workspace, and for posts beside that in each channel
// (https://docs.slack.dev/apis/web-api/rate-limits). We keep a little below them, so that Slack need not refuse: burst and what comes
// after it in a minute are together no more than a tier has.
var (
	// inChannel: about a message a second, and short bursts.
	inChannel = pace{burst: 3, each: 1100 * time.Millisecond}
	perMethod = map[string]pace{
		postMessage: {burst: 10, each: 220 * time.Millisecond},  // "several hundred" a minute
		update:      {burst: 10, each: 1500 * time.Millisecond}, // tier 3: 50 a minute
		history:     {burst: 10, each: 2 * time.Second},         // tier 3, and answers read threads too
		replies:     {burst: 10, each: 2 * time.Second},
	}
)

// Of a burst, so much is kept for what is more urgent: a new failure need not wait for the evidence of others, nor an approval that
// is over for the members of an outage.
var kept = map[incident.Due]float64{incident.History: 1, incident.Refresh: 5}

// gate is one limit of Slack's: that of a method, or that of posts into one channel.
type gate struct {
	pace *rate.Limiter // nil where we never come near the limit

	mu    sync.Mutex
	until time.Time // the end of a Retry-After
}

func newGate(p pace) *gate {
	if p.burst == 0 {
		return &gate{}
	}
	return &gate{pace: rate.NewLimiter(rate.Every(p.each), p.burst)}
}

// shut is how long Slack wants to see no more of this.
func (g *gate) shut() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return max(0, time.Until(g.until))
}

func (g *gate) shutFor(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := time.Now().Add(d); until.After(g.until) {
		g.until = until
	}
}

// room is how long until a call can be made that leaves so much of the burst to others.
func (g *gate) room(leave float64) time.Duration {
	wait := g.shut()
	if g.pace == nil {
		return wait
	}
	if lacks := 1 + leave - g.pace.Tokens(); lacks > 0 {
		wait = max(wait, time.Duration(lacks/float64(g.pace.Limit())*float64(time.Second))+time.Microsecond) // a float may fall short
	}
	return wait
}

// gateOf is the gate of a method, or with a channel that of posts into it.
func (s *Sender) gateOf(method, channel string) *gate {
	s.mu.Lock()
	defer s.mu.Unlock()
	key, p := method, perMethod[method]
	if channel != "" {
		key, p = channel, inChannel
	}
	g := s.gates[key]
	if g == nil {
		g = newGate(p)
		s.gates[key] = g
		if channel != "" {
			s.channels = append(s.channels, g)
		}
	}
	return g
}

// way are the gates that a call has to pass.
func (s *Sender) way(method, channel string) []*gate {
	if method == postMessage {
		return []*gate{s.gateOf(method, ""), s.gateOf(method, channel)}
	}
	return []*gate{s.gateOf(method, "")}
}

// refused shuts the gate at which Slack refused a call. Posts are refused for the sake of their channel; but where Slack refuses them
// in two channels at a time it is the limit of the workspace.
func (s *Sender) refused(method, channel string, after time.Duration) {
	if method != postMessage {
		s.gateOf(method, "").shutFor(after)
		return
	}
	here := s.gateOf(method, channel)
	s.mu.Lock()
	others := s.channels
	s.mu.Unlock()
	for _, g := range others {
		if g != here && g.shut() > 0 {
			s.gateOf(method, "").shutFor(after)
		}
	}
	here.shutFor(after)
}

// Room implements incident.Notifier. A channel whose ID is not known yet has had no message.
func (s *Sender) Room(channel string, why incident.Due) time.Duration {
	method, id := update, ""
	if !why.Edit() {
		method, id = postMessage, s.known(channel)
	}
	wait := max(s.everywhere.shut(), s.gateOf(method, "").room(kept[why]))
	if id != "" {
		wait = max(wait, s.gateOf(method, id).room(kept[why]))
	}
	return wait
}
