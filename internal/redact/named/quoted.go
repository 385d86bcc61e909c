package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// quote is an opening quote: its mark, with the backslashes of each text that it is inside of, and where its content begins.
type quote struct {
	mark  string
	start int
}

func isQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

// openQuote recognises a quote at s[at], also an escaped one.
func openQuote(s string, at int) (quote, bool) {
	end := skipBackslashes(s, at)
	if end >= len(s) || !isQuote(s[end]) {
		return quote{}, false
	}
	if mark := s[end]; end == at && strings.HasPrefix(s[at:], string([]byte{mark, mark, mark})) && at+3 < len(s) && !endsValue(s, at+3) {
		return quote{s[at : end+1], end + 3}, true // of Python, TOML and Kotlin
	}
	return quote{s[at : end+1], end + 1}, true
}

func skipBackslashes(s string, at int) int {
	for at < len(s) && s[at] == '\\' {
		at++
	}
	return at
}

// end is where the content ends: before the closing quote, or where the line does for want of one.
func (q quote) end(s string) int {
	c := q.mark[len(q.mark)-1]
	// A text inside of d others has 2^d-1 backslashes before its quotes, and a multiple of 2^(d+1) before each backslash of
	// its own.
	escapes := len(q.mark) - 1
	double := 2 * (escapes + 1)
	slashes := 0
	for at := q.start; at < len(s); at++ {
		switch b := s[at]; {
		case b == '\\':
			slashes++
			continue
		case b == c && c != '"' && escapes == 0:
			if next, closes := closesSingle(s, at, slashes, q.start); !closes {
				at = next
				slashes = 0
				continue
			}
			return at
		case b == c && slashes%double == escapes:
			return at - escapes
		case b == '\n':
			return q.over(s, at)
		}
		slashes = 0
	}
	return len(s)
}

// closesSingle reports whether a single quote at s[at] ends its text: not the doubled one of SQL and YAML, the escaped one of PHP, or
// the shell's way to write one.
func closesSingle(s string, at, slashes, start int) (next int, closes bool) {
	c := s[at]
	rest := s[at+1:]
	switch {
	case slashes%2 == 1:
		// 'C:\' ends here unless another quote ends it properly on the same line.
		i := strings.IndexByte(rest[:lineLength(rest)], c)
		return at, i < 0 || i > maxValue || !endsValue(rest, i+1)
	case strings.HasPrefix(rest, `\''`) && c == '\'':
		return at + 3, false
	case len(rest) > 0 && rest[0] == c && at > start && len(rest) > 1 && !endsValue(rest, 1):
		return at + 1, false
	}
	return at, true
}

func lineLength(s string) int {
	s = s[:min(len(s), 2*maxValue)]
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// endsValue reports whether what begins at s[at] cannot belong to a word before it.
func endsValue(s string, at int) bool {
	return at >= len(s) || strings.IndexByte(" \t\r\n,;:)]}>&|\\./\"'`<", s[at]) >= 0
}

// over looks for the end of a text of several lines, whose first one ends at s[at]. A quote that does not close within the
// next lines was cut.
func (q quote) over(s string, at int) int {
	c := q.mark[len(q.mark)-1]
	line := at + 1
	for range 20 {
		rest := s[line:]
		end := lineLength(rest)
		if i := strings.IndexByte(rest[:end], c); i >= 0 {
			tail := strings.TrimSpace(rest[i+1 : end])
			if strings.Trim(tail, ",;)}]") == "" && !strings.ContainsAny(rest[:i], "=:") {
				return line + i
			}
			return at
		}
		if line += end + 1; line >= len(s) || strings.TrimSpace(rest[:end]) == "" {
			return at
		}
	}
	return at
}

// quotedValue hides what is between quotes.
func (f *finder) quotedValue(n field, q quote, where secretname.Where) (next int, ok bool) {
	s := f.s
	end := f.quoteEnd(q)
	value := s[q.start:end]
	if end == len(s) || isEnd(s[end]) { // cut: a sentence may go on behind it
		value, _, _ = strings.Cut(value, " ")
	}
	hides := len(value) > 8*maxValue || f.hides(n, unescape(value), where)
	if hides {
		for _, part := range textLines(s, q.start, end) {
			f.hide(part.Start, part.End)
		}
	}
	after := min(len(s), end+len(q.mark))
	if next, ok := changedTo(s, after); ok {
		return f.quotedValue(n, next, where)
	}
	if !hides {
		return q.start, true
	}
	return after, true
}

// changedTo is the value that one which ends at s[at] is changed to: "old" -> "new", FROM 'old' TO 'new', BY "new" REPLACE "old".
func changedTo(s string, at int) (next quote, ok bool) {
	for _, arrow := range [...]string{" -> ", " => ", " to ", " into ", " replace ", " by ", " with ", " was ", ", was ", ", got ", ", now "} {
		if hasPrefixFold(s[at:], arrow) {
			return openQuote(s, at+len(arrow))
		}
	}
	return quote{}, false
}

// unescape takes the backslashes off a value that may be a placeholder in a document in a text.
func unescape(v string) string {
	if !strings.Contains(v, `\`) {
		return v
	}
	return strings.ReplaceAll(strings.ReplaceAll(v, `\\`, `\`), `\"`, `"`)
}

// textLines are the lines of a text without their indentation, each to be hidden for itself: what is around them stays.
func textLines(s string, start, end int) []Span {
	var out []Span
	for start < end {
		stop := end
		if i := strings.IndexByte(s[start:end], '\n'); i >= 0 {
			stop = start + i
		}
		from := start
		if len(out) > 0 {
			for from < stop && isSpace(s[from]) {
				from++
			}
		}
		to := stop
		for to > from && s[to-1] == '\r' {
			to--
		}
		if from < to {
			out = append(out, Span{from, to})
		}
		start = stop + 1
	}
	return out
}

// before is the byte before s[at], 0 at the start.
func before(s string, at int) rune {
	if at <= 0 || at > len(s) {
		return 0
	}
	return rune(s[at-1])
}

func isUpperByte(b byte) bool { return 'A' <= b && b <= 'Z' }
