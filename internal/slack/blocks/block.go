package blocks

import (
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/text"
)

// Block is a part of a message: it knows how to make itself smaller.
type Block interface {
	// full is the block as it is; nil when there is nothing in it.
	full() slack.Block
	// within is as much of the block as takes at most room, nil when no part of it does.
	within(room int) slack.Block
}

// whole is a block that is there whole or not at all: header, context, buttons.
type whole struct{ block slack.Block }

func (w whole) full() slack.Block { return w.block }

func (w whole) within(room int) slack.Block {
	if w.block == nil || size(w.block) > room {
		return nil
	}
	return w.block
}

// Header is a line or two in bold letters: at most 150 characters, the rest is cut. It is no header block of Slack's, whose
// letters are so large that a headline takes three lines on a phone.
func Header(content string) Block {
	content, _ = cut(text.OneLine(shown(content)), maxHeader)
	if content == "" {
		return whole{}
	}
	return whole{slack.NewRichTextBlock("", slack.NewRichTextSection(section([]Span{Bold(content)})...))}
}

// noEmoji: else ":x:" would become a picture.
const noEmoji = false

// PlainText is a text of what this package does not make: the title of a modal, the label of an input.
func PlainText(content string) *slack.TextBlockObject { return plainText(shown(content)) }

func plainText(content string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, content, noEmoji, false)
}

// Context is a line in small grey letters of at most 300 characters, and after it a moment as Ago shows it, introduced by
// before, which is the caller's own word and no text from outside. The zero time is not shown.
func Context(content, before string, at time.Time) Block {
	content, _ = cut(text.OneLine(shown(content)), maxContext)
	dated := at.Unix() > 0
	if content != "" && dated {
		content += "\u00a0·" // at the end of the line, where the moment takes another one
	}
	var list []slack.MixedElement
	if content != "" {
		list = append(list, plainText(content))
	}
	if dated {
		// The only mrkdwn there is, made of nothing from outside: grey letters know no rich text.
		token := fmt.Sprintf("%s<!date^%d^%s|%s>", before, at.Unix(), ago, text.Timestamp(at))
		list = append(list, slack.NewTextBlockObject(slack.MarkdownType, token, false, true))
	}
	if len(list) == 0 {
		return whole{}
	}
	return whole{slack.NewContextBlock("", list...)}
}
