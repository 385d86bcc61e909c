package text

import (
	"strings"
	"unicode/utf8"
)

// ellipsis marks where a text was cut.
const ellipsis = "…"

// Clip cuts a text to about n bytes and marks the place with "…". It cuts between words, and in front of a quote rather than inside
// it; a text that is one long word is cut where it is too long. 0 is no limit.
func Clip(s string, n int) string {
	if n <= 0 || len(s) <= n {
		return s
	}
	cut := strings.ToValidUTF8(s[:n], "")
	if s[n] != ' ' {
		if i := strings.LastIndexByte(cut, ' '); i > 0 {
			cut = cut[:i]
		}
	}
	if i := strings.LastIndexByte(cut, '"'); strings.Count(cut, `"`)%2 != 0 && i > n/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ") + ellipsis
}

// Fit cuts a text to at most n bytes, the mark included: for what an API refuses when it is longer.
func Fit(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:max(0, n-len(ellipsis))], "") + ellipsis
}

// maxExcerpt is how much of a server's message an error quotes, in bytes: four lines of a terminal.
const maxExcerpt = 300

// Excerpt is one line of what a server said, for an error or a result that quotes it. Of a long chain (a: b: c) it is the end, where
// the cause is. An excerpt that is quoted again stays as it is, so the mark of a cut does not count.
func Excerpt(s string) string {
	const before = ellipsis + " "
	s = OneLine(s)
	if len(s) <= maxExcerpt+len(before) {
		return s
	}
	inner := s
	for len(inner) > maxExcerpt {
		_, rest, ok := strings.Cut(inner, ": ")
		if !ok || len(rest) < shortClause {
			return Clip(s, maxExcerpt)
		}
		inner = rest
	}
	return before + inner
}

// shortClause is the length of a clause that says little alone.
const shortClause = 10

// Start is the start of a text in at most n characters, the mark included: for a word that a person recognises by how it begins.
func Start(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + ellipsis
}

// End is the end of a text in at most n characters, for names: long ones begin alike and differ at the end.
func End(s string, n int) string {
	over := utf8.RuneCountInString(s) - n
	if over <= 0 {
		return s
	}
	return ellipsis + string([]rune(s)[over+1:])
}
