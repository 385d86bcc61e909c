package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// column reads the value of a column of SQL: INSERT INTO users (name, password) VALUES ('bob', 'x').
func (f *finder) column(n field) (next int, ok bool) {
	s := f.s
	open, index := columnOf(s, n.start)
	if open < 0 {
		return 0, false
	}
	limit := s[n.end:min(len(s), n.end+maxPair)]
	i := strings.IndexByte(limit, ')')
	if i < 0 {
		return 0, false
	}
	at := f.skipSpace(n.end + i + 1)
	if !hasPrefixFold(s[at:], "values") {
		return 0, false
	}
	if at = f.skipSpace(at + len("values")); at >= len(s) || s[at] != '(' {
		return 0, false
	}
	at++
	for at < min(len(s), n.end+2*maxPair) {
		if at = f.skipSpace(at); at >= len(s) {
			break
		}
		start, stop, after := f.member(at, false)
		if inner, wrapped := unwrap(s, at); wrapped {
			start, stop, after = f.member(inner, false)
		}
		if i := strings.IndexByte(s[start:stop], ')'); i >= 0 && after == stop { // the last one, without quotes
			stop = start + i
		}
		if index == 0 {
			if f.hides(n, s[start:stop], secretname.Assigned) {
				f.hide(start, stop)
			}
			return n.end, true // the values of other columns are still to be read
		}
		comma := strings.IndexByte(s[after:min(len(s), after+8)], ',')
		if comma < 0 {
			break
		}
		at = after + comma + 1
		index--
	}
	return 0, false
}

// columnOf is where the list of columns begins that s[at] is in, and how many are before; -1 if it is in none.
func columnOf(s string, at int) (open, index int) {
	for i := at - 1; i >= max(0, at-maxAround); i-- {
		switch c := s[i]; {
		case c == '(':
			return i, index
		case c == ',':
			index++
		case isNameByte(c), isSpace(c), isQuote(c), c == '[', c == ']':
		default:
			return -1, 0
		}
	}
	return -1, 0
}
