package redact

import (
	"regexp"
	"strings"
	"sync"
)

// sequence is a control sequence of a terminal, also as JSON and Go print its first character. A replacement directly
// after an escape character looks like one and is kept.
var sequence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:\x1b|\x{9b}|\\+u001[bB]|\\+x1[bB]|\\+033)(\[redacted\])|(?:(?:\x1b|\\+u001[bB]|\\+x1[bB]|\\+033)\[|\x{9b})[0-?]*[ -/]*[@-~]|` +
		`\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-Z\\^-~]`)
})

// WithoutSequences takes the colours out of a text: one in the middle of a secret, or of what names it, hides it.
func WithoutSequences(s string) string {
	if !mayHaveSequences(s) {
		return s
	}
	return sequence().ReplaceAllString(s, "$1")
}

func mayHaveSequences(s string) bool {
	if strings.IndexByte(s, '[') < 0 && strings.IndexByte(s, 0x1b) < 0 && strings.IndexByte(s, 0x9b) < 0 {
		return false // like most texts
	}
	return strings.Contains(s, "\x1b") || strings.Contains(s, "\u009b") || strings.Contains(s, "001b[") || strings.Contains(s, "001B[") ||
		strings.Contains(s, "x1b[") || strings.Contains(s, "x1B[") || strings.Contains(s, "033[")
}

// uncolored is the view of s without its colours: those that come to light when other characters are taken away.
func uncolored(s string) *view {
	if !mayHaveSequences(s) {
		return nil
	}
	w := viewer{text: s}
	for _, m := range sequence().FindAllStringSubmatchIndex(s, -1) {
		if m[2] < 0 {
			w.replace(m[0], m[1], "")
		}
	}
	return w.view()
}
