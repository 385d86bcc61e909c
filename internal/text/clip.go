package text

import (
	"strings"
	"unicode/utf8"
)

// ellipsis marks where a text was cut.
const ellipsis = "…"

// Clip cuts a text at n bytes, at a space if there is one near, and marks the place with "…". 0 is no limit.
func Clip(s string, n int) string {
	if n <= 0 || len(s) <= n {
		return s
	}
	cut := strings.ToValidUTF8(s[:n], "")
	if i := strings.LastIndexByte(cut, ' '); i > n*3/4 {
		cut = cut[:i]
	}
	return cut + ellipsis
}

// Fit cuts a text to at most n bytes, the mark included: for what an API refuses when it is longer.
func Fit(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:max(0, n-len(ellipsis))], "") + ellipsis
}

// maxExcerpt is how much of a server's message an error repeats, in bytes: two lines of a terminal.
const maxExcerpt = 300

// Excerpt is one line of what a server said, for an error or a result that quotes it.
func Excerpt(s string) string { return Clip(OneLine(s), maxExcerpt) }

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
