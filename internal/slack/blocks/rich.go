package blocks

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/slack-go/slack"
)

// paragraph is running text.
type paragraph []Span

// Text is a paragraph.
func Text(spans ...Span) Block { return paragraph(spans) }

func (p paragraph) full() slack.Block {
	elements := section(p)
	if len(elements) == 0 {
		return nil
	}
	return slack.NewRichTextBlock("", slack.NewRichTextSection(elements...))
}

func (p paragraph) within(room int) slack.Block {
	return largest(p.letters(), room, func(n int) slack.Block { return p.first(n).full() })
}

func (p paragraph) letters() int {
	n := 0
	for _, s := range p {
		n += utf8.RuneCountInString(s.text)
	}
	return n
}

// first is the paragraph's first n letters; a link or a date is whole or not there.
func (p paragraph) first(n int) paragraph {
	var out paragraph
	for _, s := range p {
		letters := utf8.RuneCountInString(s.text)
		if letters > n {
			if !s.fixed() {
				s.text = atLine(s.text, n)
				out = append(out, s)
			}
			return out
		}
		n -= letters
		out = append(out, s)
	}
	return out
}

// code is text of fixed width, kept as it is.
type code string

// Code is text of fixed width, line by line as it is: a log, a command, YAML. One that is longer than Slack takes becomes
// several, split between lines.
func Code(text string) []Block {
	text = strings.Trim(shown(text), "\n")
	var out []Block
	for length(text) > maxText {
		end := fits(text, maxText)
		if i := strings.LastIndexByte(text[:end], '\n'); i > 0 {
			end = i
		}
		out = append(out, code(text[:end]))
		text = strings.TrimLeft(text[end:], "\n")
	}
	return append(out, code(text))
}

func (c code) full() slack.Block {
	if strings.TrimSpace(string(c)) == "" {
		return nil
	}
	return slack.NewRichTextBlock("", &slack.RichTextPreformatted{
		Type: slack.RTEPreformatted, Elements: []slack.RichTextSectionElement{slack.NewRichTextSectionTextElement(string(c), nil)},
	})
}

func (c code) within(room int) slack.Block {
	return largest(utf8.RuneCountInString(string(c)), room, func(n int) slack.Block { return code(atLine(string(c), n)).full() })
}

// list is a numbered or dotted one.
type list struct {
	style slack.RichTextListElementType
	items [][]Span
}

// Steps is a numbered list.
func Steps(items ...[]Span) Block { return list{slack.RTEListOrdered, items} }

// Bullets is a list with dots.
func Bullets(items ...[]Span) Block { return list{slack.RTEListBullet, items} }

func (l list) full() slack.Block { return l.first(len(l.items)) }

func (l list) first(n int) slack.Block {
	var items []slack.RichTextElement
	for _, item := range l.items[:n] {
		if elements := section(item); len(elements) > 0 {
			items = append(items, slack.NewRichTextSection(elements...))
		}
	}
	if len(items) == 0 {
		return nil
	}
	return slack.NewRichTextBlock("", slack.NewRichTextList(l.style, 0, items...))
}

func (l list) within(room int) slack.Block { return largest(len(l.items), room, l.first) }

// atLine is the first n letters of a text, or fewer: up to the end of a line, else of a word.
func atLine(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return ending(s, i)
		}
	}
	return s
}

// largest is the block made of the most parts that takes at most room; nil when none does. More parts take more room.
func largest(parts, room int, build func(n int) slack.Block) slack.Block {
	n := sort.Search(parts, func(n int) bool {
		b := build(n + 1)
		return b != nil && size(b) > room
	})
	b := build(n)
	if b == nil || size(b) > room {
		return nil
	}
	return b
}
