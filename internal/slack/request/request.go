package request

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/socket"
)

// Click is the way of those who click instead of writing.
const Click command.Way = "click"

// Request is who asks, where and how.
type Request struct {
	Way           command.Way
	User, Channel string
	// Name is what the person is called, as far as Slack said it.
	Name string
	// TS is the message that asks; Thread the root of the thread it is in, "" for none.
	TS, Thread string
	// RespondTo is the URL for what only this person sees: five times within 30 minutes; "" for none. What is sent there stands
	// in RespondIn, a thread, or where "" beside the message that was clicked.
	// https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
	RespondTo, RespondIn string
	// Call is how the person called the bot: "/argo", "@argo", "".
	Call string
	// Self is who the bot is there.
	Self socket.Identity

	// ID is shown to the person when something goes wrong, and stands in the log.
	ID string
	// Asked is when it arrived.
	Asked time.Time
}

// New gives a request that has just arrived its ID.
func New(r Request) *Request {
	r.ID, r.Asked = strings.ToLower(rand.Text()[:8]), time.Now()
	return &r
}

// TooBusy is said where there is no room for more; do is what to do again.
func TooBusy(do string) string {
	return "The bot is busy or restarting. " + strings.ToUpper(do[:1]) + do[1:] + " again in a moment."
}
