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

// withoutSequences takes the colours out of a text: one in the middle of a secret, or of what names it, hides it.
func withoutSequences(s string) string {
	if !strings.Contains(s, "\x1b") && !strings.Contains(s, "\u009b") && !strings.Contains(s, "001b[") && !strings.Contains(s, "001B[") &&
		!strings.Contains(s, "x1b[") && !strings.Contains(s, "x1B[") && !strings.Contains(s, "033[") {
		return s
	}
	return sequence().ReplaceAllString(s, "$1")
}
