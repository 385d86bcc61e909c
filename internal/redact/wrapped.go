package redact

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/effort"
)

// wrapped returns the tokens of a fixed form that continue on the next line, and what is encoded over several lines. Names
// and values are not looked for there: `password:` with `name: db` on the next line is no secret.
func wrapped(s string, depth int, m *effort.Meter) []span {
	v := joined(s)
	if v == nil {
		return nil
	}
	m.Look(passes * len(s))
	st := shared()
	var found []span
	tried := st.keywords.windows(v.text, st.rules)
	defer st.keywords.giveBack(tried)
	for _, i := range tried.rules {
		r := &st.rules[i]
		if !r.token && r.ours || !r.expression().fixed {
			continue
		}
		for _, f := range r.search(v.text, tried.of[i], st.global, nil, m) {
			if v.crosses(f) && (!r.expression().open || v.continues(f)) {
				found = append(found, v.source(f))
			}
		}
	}
	for _, f := range encoded(v.text, depth, m) {
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
		end := behindPrefix(s, lineAround(s, newline+1))
		at = newline + 1
		if start > w.done && end < len(s) && isTokenByte(s[start-1]) && isTokenByte(s[end]) {
			w.replace(start, end, "")
			at = end
		}
	}
}

// behindPrefix is where the text of a line begins, behind what a log or a diff puts in front of it.
func behindPrefix(s string, line span) int {
	return line.start + len(prefix(s[line.start:min(line.end, line.start+longestPrefix)]))
}

// longestPrefix is more than a time and the name of a stream take.
const longestPrefix = 96

func isTokenByte(b byte) bool { return isAlphanumeric(b) || strings.IndexByte("_-+/=.~", b) >= 0 }

// continues tells whether the rest of a token on its last line looks like one. A word does not: an expression without a
// limit would take the first word of the next line as well.
func (v *view) continues(f span) bool {
	last := v.pieceAt(f.end - 1)
	rest := v.text[max(last.at, f.start):f.end]
	return looksLikeRest(rest) && f.start < last.at
}

// looksLikeRest recognises what is no word: with digits, and capital and small letters or many of them.
func looksLikeRest(rest string) bool {
	digits := strings.IndexFunc(rest, func(r rune) bool { return '0' <= r && r <= '9' }) >= 0
	if !digits && mixes(rest) && len(rest) >= 8 && strings.Trim(rest, asciiLetters) == "" && capitals(rest[1:]) > 3 && capitals(rest) < len(rest) {
		return true // XPyBYKowbj
	}
	words := strings.IndexByte(rest, '-') > 0 && !mixes(rest)
	return digits && !words && (mixes(rest) || len(rest) >= 12) && len(rest) >= 4
}

func mixes(s string) bool { return strings.ToLower(s) != s && strings.ToUpper(s) != s }

func capitals(s string) int {
	return len(s) - len(strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return -1
		}
		return r
	}, s))
}
