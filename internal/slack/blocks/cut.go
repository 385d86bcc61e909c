package blocks

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/sanitize"
)

// Texts are cut here and not with internal/text, because Slack refuses what is longer than its limits, and counts UTF-16 units
// of the escaped text: an emoji is two, an ampersand five. internal/text counts bytes or characters.

// fits is how many bytes of the text Slack counts as at most limit characters.
func fits(s string, limit int) int {
	n := 0
	for i, r := range s {
		n += length(string(r))
		if n > limit {
			return i
		}
	}
	return len(s)
}

// cut shortens a text to what Slack counts as at most limit characters, and reports whether it had to.
func cut(s string, limit int) (string, bool) {
	if length(s) <= limit {
		return s, false
	}
	return ending(s, fits(s, limit-1)), true
}

// ending is the text's first end bytes or fewer, up to the end of a line or else of a word, and "…".
func ending(s string, end int) string {
	kept := s[:end]
	if s[end] != '\n' {
		if i := strings.LastIndexByte(kept, '\n'); i > end/2 {
			kept = kept[:i]
		} else if i := strings.LastIndexFunc(kept, unicode.IsSpace); i > end/2 {
			kept = kept[:i]
		}
	}
	return strings.TrimRightFunc(kept, unicode.IsSpace) + "…"
}

// Shorten is the text in at most limit characters, cut at a line or a word and ended with "…", and whether it was longer.
func Shorten(s string, limit int) (string, bool) { return cut(shown(s), limit) }

// shown is a text as a message shows it: harmless. Every text goes through it on its way into a block, before any is cut: half a
// secret is not recognised as one. So nobody who makes a message has to think of it.
func shown(s string) string { return sanitize.Text(s) }

// valid reports whether JSON and Slack take a text that comes back to us as it is: UTF-8 without control characters.
func valid(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
}
