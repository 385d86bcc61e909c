package blocks

import (
	"regexp"
	"strings"

	"github.com/slack-go/slack"
)

// What a message looks like on a phone that is 360 pixels wide: text has 292 of them beside the picture of the bot. The figures are
// those of the demo's page, which test/browser compares with Chromium; a phone with smaller letters shows more.
const (
	phoneWidth  = 292
	frame       = 35 // the name of the bot, and the space around the message
	textLine    = 22
	headerLine  = 24
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
	case *slack.HeaderBlock:
		return headerLine * lines(b.Text.Text, phoneWidth, 1.26)
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
		return codeFrame + codeLine*lines(plain(e.Elements), width-codeIndent, 0)
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
				out.WriteString(nonSpace.ReplaceAllString(s.Text, "x"))
				continue
			}
			out.WriteString(s.Text)
		case *slack.RichTextSectionLinkElement:
			out.WriteString(s.Text)
		case *slack.RichTextSectionUserElement, *slack.RichTextSectionUserGroupElement:
			out.WriteString("@" + strings.Repeat("x", typicalName))
		case *slack.RichTextSectionDateElement:
			out.WriteString(typicalMoment)
		}
	}
	return out.String()
}

// nonSpace is a letter of a command: all of them are as wide as an x.
var nonSpace = regexp.MustCompile(`\S`)

const (
	typicalName   = 10
	typicalMoment = "30 minutes ago"
)

// contextLines are the lines of a context block: its elements stand side by side where there is room for all of them.
func contextLines(b *slack.ContextBlock) int {
	const size, gap = 0.88, 6
	n, left := 0, 0.0
	for _, e := range b.ContextElements.Elements {
		t, ok := e.(*slack.TextBlockObject)
		if !ok {
			continue
		}
		content := shownAs(t.Text)
		wide := width(content, size) + gap
		if wide > left {
			n += lines(content, phoneWidth, size)
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

// lines is how many lines of a width a text takes, in letters of a size: 1 is that of running text, 0 a fixed width.
func lines(content string, wide, size float64) int {
	n := 0
	for line := range strings.SplitSeq(content, "\n") {
		n++
		left := wide
		for i, word := range strings.Fields(line) {
			w := width(word, size)
			if i > 0 {
				left -= width(" ", size)
			}
			if w > left && left < wide {
				n++
				left = wide
			}
			for ; w > wide; w -= wide { // a word that is longer than a line is broken
				n++
			}
			left -= w
		}
	}
	return n
}

// width is about how wide a text is, in pixels.
func width(content string, size float64) float64 {
	total := 0.0
	for _, r := range content {
		switch {
		case size == 0:
			total += fixedLetter
		case r == ' ':
			total += space * size
		case strings.ContainsRune("iljftrI.,:;'|!()[]/-", r):
			total += narrowLetter * size
		case strings.ContainsRune("mwMWQ@%", r) || r > 0x2100:
			total += wideLetter * size
		case r >= 'A' && r <= 'Z':
			total += capitalLetter * size
		default:
			total += letter * size
		}
	}
	return total
}

// The widths of letters of running text, in pixels.
const (
	space         = 3.4
	narrowLetter  = 4.6
	letter        = 8.0
	capitalLetter = 10
	wideLetter    = 13
	fixedLetter   = 7.3
)
