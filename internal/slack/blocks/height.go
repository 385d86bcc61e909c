package blocks

import (
	"iter"
	"strings"

	"github.com/slack-go/slack"
)

// What a message looks like on a phone that is 360 pixels wide: text has 292 of them beside the picture of the bot. The figures are
// those of the demo's page, which test/browser compares with Chromium; a phone with smaller letters shows more.
const (
	phoneWidth  = 292
	frame       = 35 // the name of the bot, and the space around the message
	textLine    = 22
	contextLine = 20
	codeLine    = 18
	buttonLine  = 36
	between     = 6 // two blocks
	buttonGap   = 8 // two rows of buttons, and at both ends of them
	listIndent  = 26
	codeIndent  = 18
	codeFrame   = 24
	buttonFrame = 26
	menuWidth   = 120 // at least
	contextSize = 0.87
)

// Height is about how high a message of these blocks is on a phone, in pixels. It is estimated, by a few pixels too much rather
// than too little.
func Height(list ...Block) int { return MessageHeight(made(list)) }

// MessageHeight is the Height of a message that is put together.
func MessageHeight(list []slack.Block) int {
	total := frame
	for _, b := range list {
		total += height(b) + between
	}
	return total
}

func height(b slack.Block) int {
	switch b := b.(type) {
	case *slack.ContextBlock:
		return contextLine * contextLines(b)
	case *slack.ActionBlock:
		return rows(b.Elements.ElementSet)
	case *slack.RichTextBlock:
		total := 0
		for _, e := range b.Elements {
			total += richHeight(e, phoneWidth)
		}
		return total
	}
	return 0
}

func richHeight(e slack.RichTextElement, width float64) int {
	switch e := e.(type) {
	case *slack.RichTextSection:
		return textLine * lines(plain(e.Elements), width, 1)
	case *slack.RichTextPreformatted:
		return codeFrame + codeLine*lines(plain(e.Elements), width-codeIndent, fixed)
	case *slack.RichTextList:
		total := 0
		for _, item := range e.Elements {
			total += richHeight(item, width-listIndent)
		}
		return total
	}
	return 0
}

// plain is what is read of a text: a moment is "30 minutes ago".
func plain(spans []slack.RichTextSectionElement) string {
	var out strings.Builder
	for _, s := range spans {
		switch s := s.(type) {
		case *slack.RichTextSectionTextElement:
			if s.Style != nil && s.Style.Code {
				out.WriteString(inCode(s.Text))
				continue
			}
			out.WriteString(s.Text)
		case *slack.RichTextSectionLinkElement:
			out.WriteString(s.Text)
		case *slack.RichTextSectionUserElement, *slack.RichTextSectionUserGroupElement, *slack.RichTextSectionChannelElement:
			out.WriteString("@" + strings.Repeat("x", typicalName))
		case *slack.RichTextSectionDateElement:
			out.WriteString(typicalMoment)
		}
	}
	return out.String()
}

// Letters that are no letters stand for what is in code: all of its letters are equally wide, and there is a little space around it
// and more between its words.
const (
	codeLetter = '\uE000'
	codeSpace  = '\uE001'
)

func inCode(content string) string {
	inside := strings.Map(func(r rune) rune {
		if r == ' ' || r == '\n' {
			return r
		}
		return codeLetter
	}, content)
	return string(codeSpace) + strings.ReplaceAll(inside, " ", string(codeSpace)+" ") + string(codeSpace)
}

const (
	typicalName   = 10
	typicalMoment = "30 minutes ago"
)

// contextLines are the lines of a context block: its elements stand side by side where there is room for all of them.
func contextLines(b *slack.ContextBlock) int {
	const gap = 6
	n, left := 0, 0.0
	for _, e := range b.ContextElements.Elements {
		t, ok := e.(*slack.TextBlockObject)
		if !ok {
			continue
		}
		content := shownAs(t.Text)
		wide := width(content, contextSize) + gap
		if wide > left {
			n += lines(content, phoneWidth, contextSize)
			left = phoneWidth
		}
		left -= wide
	}
	return n
}

// shownAs is a text of a context block with its moment, which is markup of our own.
func shownAs(content string) string {
	if before, _, ok := strings.Cut(content, "<!date^"); ok {
		return before + typicalMoment
	}
	return content
}

// rows is how high a row of buttons is, which wraps.
func rows(elements []slack.BlockElement) int {
	total, left := 0, 0.0
	for _, e := range elements {
		wide, high := float64(menuWidth), buttonLine
		if b, ok := e.(*slack.ButtonBlockElement); ok {
			wide = width(b.Text.Text, 1) + buttonFrame
			if wide > phoneWidth {
				high += (buttonLine - buttonGap) * (lines(b.Text.Text, phoneWidth-buttonFrame, 1) - 1)
				wide = phoneWidth
			}
		}
		if wide > left {
			total += high + buttonGap
			left = phoneWidth
		}
		left -= wide + buttonGap
	}
	return total
}

// lines is how many lines of a width a text takes, in letters of a size: 1 is that of running text, fixed that of a command.
func lines(content string, wide, size float64) int {
	n := 0
	for line := range strings.SplitSeq(content, "\n") {
		n++
		left := wide
		for i, word := range strings.Fields(line) {
			if i > 0 {
				left -= width(" ", size)
			}
			for part := range parts(word) {
				w := width(part, size)
				if w > left && left < wide {
					n++
					left = wide
				}
				for ; w > wide; w -= wide { // what is longer than a line is broken anywhere
					n++
				}
				left -= w
			}
		}
	}
	return n
}

// parts are those of a word between which a line can end: after its hyphens and question marks.
func parts(word string) iter.Seq[string] {
	const ends = "-?"
	return func(yield func(string) bool) {
		for word != "" {
			part := word
			if i := strings.IndexAny(word, ends); i >= 0 {
				part = word[:len(word)-len(strings.TrimLeft(word[i:], ends))]
			}
			if !yield(part) {
				return
			}
			word = word[len(part):]
		}
	}
}

// fixed is the size of a text in which all letters are equally wide.
const fixed = 0

// width is about how wide a text is, in pixels.
func width(content string, size float64) float64 {
	total := 0.0
	for _, r := range content {
		switch {
		case size == fixed, r == codeLetter:
			total += fixedLetter
		case r == codeSpace:
			total += fixedLetter - letters[0]
		case r >= ' ' && int(r-' ') < len(letters):
			total += letters[r-' '] * size
		case r > 0x2100:
			total += emoji * size
		default:
			total += otherLetter * size
		}
	}
	return total
}

// The widths of what is not in letters, in pixels.
const (
	fixedLetter = 7.3
	otherLetter = 8
	emoji       = 18.8
)

// letters are the widths of the letters of ASCII in Lato, which Slack uses, at 15 pixels.
var letters = [...]float64{
	3.84, 4.03, 5.56, 8.7, 8.7, 12.02, 10.68, 3.06, 4, 4, 6.37, 8.7, 3.4, 5.57, 3.54, 6.78, // space to /
	8.7, 8.7, 8.7, 8.7, 8.7, 8.7, 8.7, 8.7, 8.7, 8.7, 3.75, 3.92, 8.7, 8.7, 8.7, 6.71, // 0 to ?
	12.55, 10.15, 9.7, 10.02, 11.41, 8.66, 8.48, 10.96, 11.45, 4.2, 6.34, 9.94, 7.7, 13.93, 11.45, 12.01, // @ to O
	9.01, 12.01, 9.4, 8.14, 8.86, 11.03, 10.15, 15.53, 9.73, 9.36, 9.03, 4.59, 6.78, 4.59, 8.7, 6.88, // P to _
	6, 7.45, 8.4, 7.16, 8.4, 7.92, 5.26, 7.8, 8.37, 3.6, 3.6, 7.62, 3.54, 12.34, 8.37, 8.5, // ` to o
	8.41, 8.4, 5.46, 6.49, 5.38, 8.36, 7.74, 11.78, 7.47, 7.73, 6.78, 4.51, 3.76, 4.51, 8.7, // p to ~
}
