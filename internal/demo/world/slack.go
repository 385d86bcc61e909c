package world

import (
	"net/http"
	"net/url"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

// LimitSlack makes Slack answer 429, "come back in two seconds", to the next calls that post or update a message.
func (w *World) LimitSlack(calls int) {
	for _, method := range []string{"chat.postMessage", "chat.update"} {
		w.Slack.Fault(workspace.Fault{Method: method, Times: calls, Status: http.StatusTooManyRequests, RetryAfter: 2 * time.Second})
	}
}

// KillBotAtNextMessage kills the bot at the worst moment there is: the next message that it posts reaches Slack, and it does not
// live to know.
func (w *World) KillBotAtNextMessage() { w.KillBotAt("chat.postMessage", 1, true) }

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
