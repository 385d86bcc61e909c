package deliver

import (
	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/incident"
)

// Threads tells the incidents that one leader is responsible for. It shares the Sender's knowledge of Slack and its pace with all others of the
// process, and has connections of its own.
type Threads struct {
	*Sender
	client *slack.Client
	former former
}

var _ incident.Notifier = (*Threads)(nil)

// Threads posts through a client of its own, whose connections refuse to send while this process is not the one that may post. nil is the
// Sender's own.
func (s *Sender) Threads(posting *slack.Client) *Threads {
	if posting == nil {
		posting = s.client
	}
	return &Threads{Sender: s, client: posting}
}

// caller calls for a reason.
func (t *Threads) caller(why incident.Due) caller {
	return caller{Sender: t.Sender, why: why, client: t.client, former: &t.former}
}
