package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// inTable reports whether s[at] begins a cell of a table: | name | value |.
func (f *finder) inTable(at int) bool {
	for at > 0 && isSpace(f.s[at-1]) {
		at--
	}
	return at > 0 && f.s[at-1] == '|'
}

func (f *finder) skipSpace(at int) int {
	for at < len(f.s) && isSpace(f.s[at]) {
		at++
	}
	return at
}

// nextItem is the value of the next item of a list in YAML, after "- --password".
func (f *finder) nextItem(n field, at int) int {
	s := f.s
	at = skipLineEnd(s, at)
	from := at
	for at < len(s) && (isSpace(s[at]) || s[at] == '+') {
		at++
	}
	if at+1 < len(s) && s[at] == '-' && s[at+1] == ' ' {
		return f.skipSpace(at + 1)
	}
	if at > from && at < len(s) && isQuote(s[at]) { // JSON, printed with indentation
		return at
	}
	// A line that is one word, and looks like a value.
	if word := s[at:f.lineEnd(at, false)]; word != "" && word[0] != '-' && !strings.ContainsAny(word, " \t:") && f.hides(n, word, secretname.Sentence) {
		return at
	}
	return len(s)
}

// skipMarks passes over YAML's tags and anchors before a value: !!str x, &name x.
func (f *finder) skipMarks(n field, at int, op operator) int {
	s := f.s
	if op != colon {
		return at
	}
	for at < len(s) && (s[at] == '!' || s[at] == '&') && n.Class != secretname.None {
		end := at
		for end < min(len(s), at+64) && !isSpace(s[end]) && !atLineEnd(s, end) {
			end++
		}
		next := f.skipSpace(end)
		if next >= len(s) || next == end && !atLineEnd(s, next) || next < len(s) && strings.IndexByte(",}]", s[next]) >= 0 {
			return at // the value itself begins with the sign
		}
		if s[at] == '!' && secretname.Placeholder(s[at:end]+" ") {
			return at
		}
		if next > end && atLineEnd(s, next) && f.skipSpace(next) == next && !opensBelow(s, next) {
			return at
		}
		at = next
		if atLineEnd(s, at) {
			return at
		}
	}
	return at
}
