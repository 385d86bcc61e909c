package terminal

import (
	"strings"

	"github.com/rivo/uniseg"
)

const (
	defaultWidth = 80
	// minWidth leaves room for text beside the indentation.
	minWidth = 40
	// column is where the text beside a label starts.
	column = 8
)

// style is a parameter of SGR, the sequence that switches colours. Six of them do not need a library.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	blue   style = "34"
)

func (s style) and(o style) style {
	if s == plain || o == plain {
		return s + o
	}
	return s + ";" + o
}

// page is a text in the making.
type page struct {
	b     strings.Builder
	width int
	color bool
}

func newPage(opt Options) *page {
	width := opt.Width
	if width <= 0 {
		width = defaultWidth
	}
	return &page{width: max(width, minWidth), color: opt.Color}
}

func (p *page) paint(s style, content string) string {
	if !p.color || s == plain || content == "" {
		return content
	}
	return "\x1b[" + string(s) + "m" + content + "\x1b[0m"
}

// raw writes a line as it is: already painted, or to be copied.
func (p *page) raw(line string) {
	p.b.WriteString(strings.TrimRight(line, " "))
	p.b.WriteByte('\n')
}

// gap writes an empty line, but never two and none at the top.
func (p *page) gap() {
	if s := p.b.String(); s != "" && !strings.HasSuffix(s, "\n\n") {
		p.b.WriteByte('\n')
	}
}

// lead is what is on the left of a text: a label in its column, then a bullet, beside which the text hangs.
type lead struct {
	label  string
	column int
	bullet string
}

// at is a lead of nothing but space.
func at(column int) lead { return lead{column: column} }

// labelled begins in the column of all texts; a label that does not fit beside it is a [page.heading].
func labelled(name string) lead { return lead{label: name, column: column} }

// heading writes a label that is too long for its column on a line of its own, so that all texts begin in one column.
func (p *page) heading(l lead) lead {
	if uniseg.StringWidth(l.label)+1 < l.column {
		return l
	}
	p.raw(p.paint(dim, l.label))
	l.label = ""
	return l
}

// hang writes a text with a hanging indent.
func (p *page) hang(l lead, content string, s style) {
	indent := l.column + uniseg.StringWidth(l.bullet)
	for i, line := range wrap(content, p.width-indent) {
		left := strings.Repeat(" ", indent)
		if i == 0 {
			left = p.paint(dim, l.label) + strings.Repeat(" ", max(0, l.column-uniseg.StringWidth(l.label))) + l.bullet
		}
		p.raw(left + p.paint(s, line))
	}
}

// parts writes short texts one behind the other, and breaks lines between them.
func (p *page) parts(l lead, parts []string, s style) {
	const separator = " · "
	line := ""
	for _, part := range parts {
		if line != "" && uniseg.StringWidth(line+separator+part) > p.width-l.column {
			p.hang(l, line, s)
			line = ""
		}
		line = strings.TrimPrefix(line+separator+part, separator)
	}
	p.hang(l, line, s)
}

// texts writes several texts under one label, each on lines of its own.
func (p *page) texts(name string, list []string) {
	l := labelled(name)
	for _, t := range list {
		p.hang(p.heading(l), t, plain)
		l.label = ""
	}
}

// block writes text to be copied: indented, never wrapped, never cut.
func (p *page) block(indent int, content string) {
	for line := range strings.SplitSeq(strings.Trim(content, "\n"), "\n") {
		p.raw(strings.Repeat(" ", indent) + line)
	}
}
