package render

import (
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// Compose makes a message of blocks and the title for the notification. rest says where the rest is, if it has to be cut.
func Compose(title string, body []blocks.Block, rest string) *Message {
	return &Message{Text: blocks.Fallback(title), Blocks: blocks.Fit(body, nil, rest)}
}

// Text is a message of a text with `code` in it.
func Text(content string) *Message {
	return Compose(strings.ReplaceAll(content, "`", ""), []blocks.Block{blocks.Text(Spans(content)...)}, "")
}

// Spans turns `code` into a code span; nothing else in the text has a meaning.
func Spans(content string) []blocks.Span {
	var out []blocks.Span
	for i, part := range strings.Split(content, "`") {
		switch {
		case part == "":
		case i%2 == 1:
			out = append(out, blocks.Mono(part))
		default:
			out = append(out, blocks.Plain(part))
		}
	}
	return out
}

// mentionPattern matches what names somebody in a refusal: <@U…>, <!subteam^S…>, <#C…>.
var mentionPattern = regexp.MustCompile(`<(@|!subteam\^|#)([A-Z0-9]+)>`)

// Refusal is the reason why somebody has no access, with the people who have it shown by name. Only one person sees it, so it
// notifies nobody.
func Refusal(why string) *Message {
	var line []blocks.Span
	for len(why) > 0 {
		at := mentionPattern.FindStringSubmatchIndex(why)
		if at == nil {
			line = append(line, blocks.Plain(why))
			break
		}
		line = append(line, blocks.Plain(why[:at[0]]))
		switch id := why[at[4]:at[5]]; why[at[2]:at[3]] {
		case "@":
			line = append(line, blocks.User(id))
		case "#":
			line = append(line, blocks.Channel(id))
		default:
			line = append(line, blocks.Group(id))
		}
		why = why[at[1]:]
	}
	return Compose("You don't have access to this", []blocks.Block{blocks.Text(line...)}, "")
}

// Sentence is [text.Sentence] for a reply of its own, which [Spans] turns into what is shown: it begins with a capital letter, and
// a command at its end gets no full stop, so that nobody copies it along. text.Sentence has neither, because it ends clauses
// within a line too, and because backquotes mean a command only here.
func Sentence(s string) string {
	s = text.UpperFirst(text.OneLine(s))
	if strings.HasSuffix(s, "`") {
		return s
	}
	return text.Sentence(s)
}
