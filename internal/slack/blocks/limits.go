package blocks

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/slack-go/slack"
)

// Slack's limits, from https://docs.slack.dev/reference/block-kit/blocks and the pages of the elements.
const (
	maxBlocks   = 50
	maxHeader   = 150
	maxButton   = 75
	maxURL      = 3000
	maxElements = 10  // of a context block
	maxButtons  = 25  // of an actions block
	maxContext  = 300 // our own: more than a line or two is not read in small letters
	maxID       = 255
	maxValue    = 2000 // of a button
	maxRow      = 6000 // our own: a row of controls leaves room for what it is about
	// Of a menu.
	maxOptions     = 50 // our own, Slack takes 100
	maxOption      = 75
	maxOptionValue = 150
	maxPlaceholder = 150
	maxText        = 3000 // of any text object; for rich text, where none is documented, we keep to it as well
	// maxMessage is for all blocks together. Slack documents no figure for msg_blocks_too_long; people measured refusals
	// from 13,200 characters on, of what seems to be the JSON (https://github.com/slackapi/bolt-js/issues/2509, 2867).
	maxMessage = 12_000
	// overhead is what Slack adds to each block, as measured there: one divider more is 125 characters less.
	overhead = 130
	// maxFallback is for the text beside the blocks. Slack cuts at 40,000 and asks for 4,000
	// (https://docs.slack.dev/reference/methods/chat.postMessage); it is read in a notification.
	maxFallback = 600
)

// length counts a text in the largest way that Slack might count it: UTF-16 units, after escaping.
func length(s string) int {
	n := 0
	for _, r := range s {
		switch r {
		case '&':
			n += len("&amp;")
		case '<', '>':
			n += len("&lt;")
		default:
			n += max(1, utf16.RuneLen(r))
		}
	}
	return n
}

// size is how much of a message a block takes, in the largest way to count it: its JSON in ASCII, and what Slack adds.
func size(b slack.Block) int {
	if b == nil {
		return 0
	}
	raw, err := json.Marshal(b)
	if err != nil { // cannot be: these are plain structs
		return maxMessage + 1
	}
	return overhead + ascii(string(raw))
}

// ascii is how long a text of JSON is where all but ASCII is escaped.
func ascii(raw string) int {
	n := 0
	for _, r := range raw {
		if r < 0x80 {
			n++
		} else {
			n += 6 * max(1, utf16.RuneLen(r))
		}
	}
	return n
}

// Check says in what way Slack would refuse these blocks; nil when it would not. It knows the kinds of blocks that this
// package makes, and refuses others.
func Check(list []slack.Block) error {
	var errs []error
	total := 0
	for i, b := range list {
		total += size(b)
		for _, problem := range check(b) {
			errs = append(errs, fmt.Errorf("block %d (%s): %s", i, b.BlockType(), problem))
		}
	}
	if len(list) > maxBlocks {
		errs = append(errs, fmt.Errorf("%d blocks, Slack takes %d", len(list), maxBlocks))
	}
	if total > maxMessage {
		errs = append(errs, fmt.Errorf("the blocks take %d characters together, Slack takes %d", total, maxMessage))
	}
	return errors.Join(errs...)
}

func check(b slack.Block) []string {
	var out problems
	switch b := b.(type) {
	case *slack.HeaderBlock:
		out.text("header", b.Text.Text, maxHeader)
	case *slack.RichTextBlock:
		out.when(len(b.Elements) == 0, "no elements")
		for _, e := range b.Elements {
			out.rich(e)
		}
	case *slack.ContextBlock:
		n := len(b.ContextElements.Elements)
		out.when(n == 0 || n > maxElements, fmt.Sprintf("%d elements", n))
		for _, e := range b.ContextElements.Elements {
			t, ok := e.(*slack.TextBlockObject)
			if !ok {
				out.add("an element that is no text")
				continue
			}
			out.text("element", t.Text, maxText)
		}
	case *slack.ActionBlock:
		n := len(b.Elements.ElementSet)
		out.when(n == 0 || n > maxButtons, fmt.Sprintf("%d elements", n))
		out.when(len(b.BlockID) > maxID, "block_id too long")
		seen := map[string]bool{}
		for _, e := range b.Elements.ElementSet {
			out.control(e)
			out.when(seen[actionID(e)], "two elements with one action_id")
			seen[actionID(e)] = true
		}
	default:
		out.add("a kind that this package does not make")
	}
	return out
}

type problems []string

func (p *problems) add(s string) { *p = append(*p, s) }

func (p *problems) when(bad bool, s string) {
	if bad {
		p.add(s)
	}
}

func (p *problems) text(what, s string, limit int) {
	p.when(s == "", what+" is empty")
	p.when(length(s) > limit, fmt.Sprintf("%s has %d characters, Slack takes %d", what, length(s), limit))
	p.when(strings.ToValidUTF8(s, "") != s, what+" is not UTF-8")
}

func (p *problems) control(e slack.BlockElement) {
	p.when(actionID(e) == "" || len(actionID(e)) > maxID, "an action_id of no character, or too many")
	switch e := e.(type) {
	case *slack.ButtonBlockElement:
		p.text("button", e.Text.Text, maxButton)
		p.when(length(e.URL) > maxURL, "URL too long")
		p.when(length(e.Value) > maxValue, "value too long")
	case *slack.SelectBlockElement:
		p.text("placeholder", e.Placeholder.Text, maxPlaceholder)
		p.when(len(e.Options) == 0 || len(e.Options) > maxOptions, fmt.Sprintf("%d options", len(e.Options)))
		for _, o := range e.Options {
			p.text("option", o.Text.Text, maxOption)
			p.text("value of an option", o.Value, maxOptionValue)
		}
	default:
		p.add("an element that this package does not make")
	}
}

func (p *problems) rich(e slack.RichTextElement) {
	switch e := e.(type) {
	case *slack.RichTextSection:
		p.spans(e.Elements)
	case *slack.RichTextPreformatted:
		p.spans(e.Elements)
	case *slack.RichTextList:
		p.when(len(e.Elements) == 0, "an empty list")
		for _, item := range e.Elements {
			p.rich(item)
		}
	default:
		p.add("an element that this package does not make")
	}
}

func (p *problems) spans(spans []slack.RichTextSectionElement) {
	p.when(len(spans) == 0, "an empty section")
	for _, s := range spans {
		switch s := s.(type) {
		case *slack.RichTextSectionTextElement:
			p.text("text", s.Text, maxText)
		case *slack.RichTextSectionLinkElement:
			p.text("link", s.Text, maxText)
			p.text("URL", s.URL, maxURL)
		case *slack.RichTextSectionUserElement:
			p.when(!userID.MatchString(s.UserID), "a mention of nobody")
		case *slack.RichTextSectionUserGroupElement:
			p.when(!groupID.MatchString(s.UsergroupID), "a mention of no group")
		case *slack.RichTextSectionChannelElement:
			p.when(!channelID.MatchString(s.ChannelID), "a mention of no channel")
		case *slack.RichTextSectionDateElement:
			p.when(s.Timestamp <= 0, "a date before all dates")
		default:
			p.add("a span that this package does not make")
		}
	}
}
