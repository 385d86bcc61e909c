package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

const (
	// maxHeader is the longest header of a table, maxTable how far its rows are read.
	maxHeader = 512
	maxTable  = 4 << 10
)

// inColumn hides the cells below a name that is in the header of a table: of kubectl, of psql and mysql, of Markdown, CSV, TSV.
func (f *finder) inColumn(n field) (found bool) {
	s := f.s
	start := strings.LastIndexByte(s[max(0, n.start-maxHeader):n.start], '\n') + 1 + max(0, n.start-maxHeader)
	end := n.end + lineLength(s[n.end:])
	if end-start > maxHeader || end >= len(s) {
		return false
	}
	header := strings.TrimRight(s[start:end], "\r")
	mark, ok := separator(header)
	if !ok {
		return false
	}
	cells := cellsOf(header, mark)
	if !isFirst(s[max(0, start-2*maxHeader):start], mark, len(cells)) {
		return false
	}
	column := -1
	for i, c := range cells {
		if !isHeading(header[c.Start:c.End]) {
			return false
		}
		if start+c.Start <= n.start && n.end <= start+c.End {
			column = i
		}
	}
	if column < 0 || len(cells) < 2 {
		return false
	}
	f.look(maxTable)
	for from := end + 1; from < min(len(s), end+maxTable); {
		line := s[from : from+lineLength(s[from:])]
		if strings.Trim(line, "+-=|: \t\r") != "" {
			row := cellsOf(strings.TrimRight(line, "\r"), mark)
			if len(row) != len(cells) {
				return found
			}
			if c := row[column]; f.hides(n, line[c.Start:c.End], secretname.Assigned) && !secretname.IsMessage(line[c.Start:c.End]) {
				f.hide(from+c.Start, from+c.End)
				found = true
			}
		}
		from += len(line) + 1
	}
	return found
}

// isFirst reports whether the line behind lead is the first one of a table: above it is none with as many cells, but for a border.
func isFirst(lead, mark string, cells int) bool {
	for range 2 {
		lead = strings.TrimSuffix(lead, "\n")
		line := lead[strings.LastIndexByte(lead, '\n')+1:]
		if strings.Trim(line, "+-=|: \t\r") != "" || line == "" {
			return !strings.Contains(strings.TrimSpace(line), mark) || len(cellsOf(strings.TrimRight(line, "\r"), mark)) != cells
		}
		lead = lead[:len(lead)-len(line)]
	}
	return true
}

// separator is what is between the cells of a header: two spaces are more than between words.
func separator(header string) (mark string, ok bool) {
	for _, mark := range [...]string{"│", "|", "\t", ";", ",", "  "} {
		if strings.Contains(strings.TrimSpace(header), mark) {
			return mark, true
		}
	}
	return "", false
}

// cellsOf are the cells of a line, without what is around them.
func cellsOf(line, mark string) []Span {
	var out []Span
	for at := 0; at <= len(line); {
		end := len(line)
		if i := strings.Index(line[at:], mark); i >= 0 {
			end = at + i
		}
		if q, ok := openQuote(line, at); ok && mark != "  " && q.start == at+1 {
			if i := strings.Index(line[q.start:], line[at:q.start]+mark); i >= 0 {
				end = q.start + i + 1
			} else if strings.HasSuffix(line, line[at:q.start]) {
				end = len(line)
			}
		}
		from, to := at, end
		for from < to && (isSpace(line[from]) || line[from] == '"') {
			from++
		}
		for to > from && (isSpace(line[to-1]) || line[to-1] == '"') {
			to--
		}
		if from < to || mark == "," || mark == ";" || mark == "\t" || at > 0 && end < len(line) && mark != "  " {
			out = append(out, Span{from, to})
		}
		if end == len(line) {
			break
		}
		at = end + len(mark)
	}
	return out
}

// isHeading recognises the name of a column.
func isHeading(cell string) bool {
	return cell == "" || len(cell) <= 40 && isLetter(cell[0]) && strings.IndexFunc(cell, func(r rune) bool {
		return r > 0x7f || !isNameByte(byte(r)) && r != ' '
	}) < 0
}
