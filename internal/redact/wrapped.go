package redact

import "strings"

// wrapped returns the tokens of a fixed form that continue on the next line, and what is encoded over several lines. Names
// and values are not looked for there: `password:` with `name: db` on the next line is no secret.
func wrapped(s string, depth int) []span {
	v := joined(s)
	if v == nil {
		return nil
	}
	st := shared()
	var found []span
	for i, w := range st.keywords.windows(v.text, st.rules) {
		r := &st.rules[i]
		if len(w) == 0 || !r.token && r.ours || !r.expression().fixed {
			continue
		}
		for _, f := range r.search(v.text, w, st.global, nil) {
			if v.crosses(f) && (!r.expression().open || v.continues(f)) {
				found = append(found, v.source(f))
			}
		}
	}
	for _, f := range encoded(v.text, depth) {
		if v.crosses(f) {
			found = append(found, v.source(f))
		}
	}
	return found
}

// joined is s without the line ends within what could be a token, and without what a log or a diff puts in front of a line.
func joined(s string) *view {
	w := viewer{text: s}
	for at := 0; ; {
		n := strings.IndexByte(s[at:], '\n')
		if n < 0 {
			return w.view()
		}
		newline := at + n
		start := len(strings.TrimRight(s[max(at, newline-8):newline], " \t\r\\\"'+,=")) + max(at, newline-8)
		next := lineAround(s, newline+1)
		end := newline + 1 + len(linesOf().prefix.FindString(s[next.start:min(next.end, next.start+longestPrefix)]))
		at = newline + 1
		if start > w.done && end < len(s) && isTokenByte(s[start-1]) && isTokenByte(s[end]) {
			w.replace(start, end, "")
			at = end
		}
	}
}

// longestPrefix is more than a time and the name of a stream take.
const longestPrefix = 96

func isTokenByte(b byte) bool { return isAlphanumeric(b) || strings.IndexByte("_-+/=.~", b) >= 0 }

// continues tells whether the rest of a token on its last line looks like one. A word does not: an expression without a
// limit would take the first word of the next line as well.
func (v *view) continues(f span) bool {
	last := v.pieceAt(f.end - 1)
	rest := v.text[max(last.at, f.start):f.end]
	digits := strings.IndexFunc(rest, func(r rune) bool { return '0' <= r && r <= '9' }) >= 0
	mixed := strings.ToLower(rest) != rest && strings.ToUpper(rest) != rest
	words := strings.IndexByte(rest, '-') > 0 && !mixed
	return digits && !words && (mixed || len(rest) >= 12) && len(rest) >= 4 && f.start < last.at
}
