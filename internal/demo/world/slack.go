package world

import (
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

// armed are the troubles with Slack that wait for the bot's next calls, until they have happened or are disarmed. They are counted
// here and not in the workspace: it asks a fault whether it fits a call while it holds its own lock.
type armed struct {
	limited, kills atomic.Int32
}

// take is one of those that are left; false if none is.
func take(left *atomic.Int32) bool {
	for {
		n := left.Load()
		if n <= 0 {
			return false
		}
		if left.CompareAndSwap(n, n-1) {
			return true
		}
	}
}

// limitedFor is what Slack asks the bot to wait after each refused call.
const limitedFor = 2 * time.Second

// LimitSlack makes Slack answer 429, "come back in two seconds", to the next calls that post or update a message; 0 disarms it.
func (w *World) LimitSlack(calls int) {
	w.armed.limited.Store(0)
	if calls <= 0 {
		return
	}
	for _, method := range []string{"chat.postMessage", "chat.update"} {
		w.Slack.Fault(workspace.Fault{
			Method: method, Times: calls, Status: http.StatusTooManyRequests, RetryAfter: limitedFor,
			Match: func(url.Values) bool { return take(&w.armed.limited) },
		})
	}
	w.armed.limited.Store(int32(calls))
}

// Limited is how many calls Slack is still going to refuse.
func (w *World) Limited() int { return int(w.armed.limited.Load()) }

// KillBotAtNextMessage kills the bot at the worst moment there is: the next message that it posts reaches Slack, and it does not
// live to know. It happens once, however often it is armed.
func (w *World) KillBotAtNextMessage() {
	if w.armed.kills.Swap(1) > 0 {
		return
	}
	w.Slack.Fault(workspace.Fault{Method: "chat.postMessage", LoseAnswer: true, Match: func(url.Values) bool {
		kill := take(&w.armed.kills)
		if kill {
			w.KillBot()
		}
		return kill
	}})
}

// SpareBot disarms KillBotAtNextMessage.
func (w *World) SpareBot() { w.armed.kills.Store(0) }

// Doomed reports whether the bot is going to be killed at its next message.
func (w *World) Doomed() bool { return w.armed.kills.Load() > 0 }

// KillBotAt kills the bot at the nth call of a method from now on: after it has reached Slack, or before.
func (w *World) KillBotAt(method string, nth int, after bool) {
	w.Slack.Fault(workspace.Fault{Method: method, LoseAnswer: after, Drop: !after, Match: func(url.Values) bool {
		nth--
		if nth == 0 {
			w.KillBot()
		}
		return nth == 0
	}})
}
