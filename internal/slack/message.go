package slack

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/phrase"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// Message is what is posted: blocks, and the text for notifications.
type Message = render.Message

// build makes a message. rest says where the rest is, if it has to be cut.
func build(text string, body []blocks.Block, rest string) *Message {
	return &Message{Text: blocks.Fallback(text), Blocks: blocks.Fit(body, nil, rest)}
}

// said is a message of a text with `code` in it.
func said(text string) *Message {
	return build(strings.ReplaceAll(text, "`", ""), []blocks.Block{blocks.Text(spans(text)...)}, "")
}

// spans turns `code` into what it should look like; nothing else in the text has a meaning.
func spans(text string) []blocks.Span {
	var out []blocks.Span
	for i, part := range strings.Split(text, "`") {
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

// mention is who a refusal names: <@U…>, <!subteam^S…>, <#C…>.
var mention = regexp.MustCompile(`<(@|!subteam\^|#)([A-Z0-9]+)>`)

// refusal is the reason why somebody may not look, with those who may shown by name. It goes to one person, so that it
// calls nobody.
func refusal(why string) *Message {
	section := slack.NewRichTextSection()
	text := func(s string) {
		if s != "" {
			section.Elements = append(section.Elements, slack.NewRichTextSectionTextElement(s, nil))
		}
	}
	for len(why) > 0 {
		at := mention.FindStringSubmatchIndex(why)
		if at == nil {
			text(why)
			break
		}
		text(why[:at[0]])
		id := why[at[4]:at[5]]
		switch why[at[2]:at[3]] {
		case "@":
			section.Elements = append(section.Elements, slack.NewRichTextSectionUserElement(id, nil))
		case "#":
			section.Elements = append(section.Elements, slack.NewRichTextSectionChannelElement(id, nil))
		default:
			section.Elements = append(section.Elements, slack.NewRichTextSectionUserGroupElement(id))
		}
		why = why[at[1]:]
	}
	return &Message{Text: "You may not look at this", Blocks: []slack.Block{slack.NewRichTextBlock("", section)}}
}

// sentence makes one of a clause.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return s
	}
	s = phrase.Capital(s)
	if strings.ContainsAny(s[len(s)-1:], ".!?`") {
		return s
	}
	return s + "."
}

// lookingAt is said while the answer is on its way.
func lookingAt(c *command.Command) *Message {
	switch {
	case c.Verb == command.List:
		return said("Looking at what is failing…")
	case c.Verb == command.Audit:
		return said("Looking at what was done…")
	}
	return said(fmt.Sprintf("Looking at %s…", command.Code(c.Target.String())))
}

// help is all that can be asked.
func help(call string) *Message {
	line := func(text string, words ...string) []blocks.Span {
		return []blocks.Span{blocks.Mono(strings.TrimSpace(call + " " + strings.Join(words, " "))), blocks.Plain("  " + text)}
	}
	return build("What can be asked", []blocks.Block{
		blocks.Text(blocks.Bold("What can be asked")),
		blocks.Bullets(
			line("why it is failing, and what helps", "why", "APP"),
			line("all that is failing now, by cause", "list"),
			line("what differs between Git and the cluster, and who wrote it", "diff", "APP"),
			line("the last deployments, and what failed when", "history", "APP"),
			line("who may do what about it: the buttons in its thread", "access", "APP"),
			line("what was done from here, by whom and with which result", "audit", "[APP]"),
		),
		blocks.Text(spans("`APP` is `my-app`, `namespace/my-app`, `instance/namespace/my-app`, or the address of its page in Argo CD. Beside the slash command, mention me in a channel or write to me; in a thread about an application its name can be left out.")...),
	}, "")
}
