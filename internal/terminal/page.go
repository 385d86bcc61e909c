package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/argo-why/argo-why/internal/text"
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

// lead is what stands at the left of a text: a label in its column, then a bullet, beside which the text hangs.
type lead struct {
	label  string
	column int
	bullet string
}

// at is a lead of nothing but space.
func at(column int) lead { return lead{column: column} }

func labelled(name string) lead { return lead{label: name, column: labelColumn(name)} }

// hang writes a text with a hanging indent. It returns what was beyond limit lines (0: no limit).
func (p *page) hang(l lead, content string, s style, limit int) (rest string) {
	indent := l.column + uniseg.StringWidth(l.bullet)
	lines, rest := wrap(content, p.width-indent, limit)
	for i, line := range lines {
		left := strings.Repeat(" ", indent)
		if i == 0 {
			left = p.paint(dim, l.label) + strings.Repeat(" ", max(0, l.column-uniseg.StringWidth(l.label))) + l.bullet
		}
		p.raw(left + p.paint(s, line))
	}
	return rest
}

// texts writes several texts under one label, each on lines of its own.
func (p *page) texts(name string, list []string) {
	l := labelled(name)
	for _, t := range list {
		p.hang(l, t, plain, 0)
		l.label = ""
	}
}

// clipped writes at most limit lines of a text, and says so.
func (p *page) clipped(l lead, content string, s style, limit int) {
	if rest := p.hang(l, content, s, limit); rest != "" {
		p.hang(at(l.column+uniseg.StringWidth(l.bullet)), cut(rest), dim, 0)
	}
}

// labelColumn is where the text starts: the longest labels push it to the right.
func labelColumn(name string) int { return max(column, uniseg.StringWidth(name)+2) }

// block writes text to be copied: indented, never wrapped, never cut.
func (p *page) block(indent int, content string) {
	for line := range strings.SplitSeq(strings.Trim(content, "\n"), "\n") {
		p.raw(strings.Repeat(" ", indent) + line)
	}
}

// cut says how much of a text is not shown.
func cut(rest string) string {
	if lines := strings.Count(rest, "\n") + 1; lines > 1 {
		return fmt.Sprintf("(… %d more lines, all with -o json)", lines)
	}
	return fmt.Sprintf("(… %s, all with -o json)", text.Count(utf8.RuneCountInString(rest), "more character", "more characters"))
}
