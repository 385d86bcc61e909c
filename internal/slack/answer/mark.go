package answer

import (
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// mark is what an answer says of itself, unseen, in the block_id of its first block: which application it is about, so
// that in its thread the application can be left out, and which message it answers, so that one that is delivered
// again, perhaps to another replica, is not answered again. Metadata is the sender's own.
type mark struct {
	app incident.App
	// asked is the ts of the message that asked; "" of a command, which Slack delivers once.
	asked string
}

const (
	markPrefix = "argo_why_answer"
	// https://docs.slack.dev/reference/block-kit/blocks
	maxBlockID = 255
)

// on marks a message. Names that are too long leave it as it is.
func (k mark) on(m render.Message) render.Message {
	id := strings.Join([]string{markPrefix, k.app.Instance, k.app.Namespace, k.app.Name, k.asked}, " ")
	if len(m.Blocks) == 0 || len(id) > maxBlockID {
		return m
	}
	m.Blocks = slices.Clone(m.Blocks)
	if first, ok := m.Blocks[0].(*slack.RichTextBlock); ok { // as all our messages begin
		marked := *first
		marked.BlockID, m.Blocks[0] = id, &marked
	}
	return m
}

// markOf is the mark of a message that was posted.
func markOf(m slack.Message) (k mark, ok bool) {
	if len(m.Blocks.BlockSet) == 0 {
		return mark{}, false
	}
	parts := strings.Split(m.Blocks.BlockSet[0].ID(), " ")
	if len(parts) != 5 || parts[0] != markPrefix {
		return mark{}, false
	}
	return mark{app: incident.App{Instance: parts[1], Namespace: parts[2], Name: parts[3]}, asked: parts[4]}, true
}
