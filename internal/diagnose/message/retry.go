package message

import (
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// Retry is what Argo CD appends to the message of an operation that it tries again.
type Retry struct {
	// Attempt that comes next and the clock time Argo CD gives for it ("11:40AM", zone unknown): "Retrying attempt #3 at 11:40AM."
	Attempt int
	At      string
	// Retried is how often it was tried again before it gave up: "(retried 5 times)."
	Retried int
}

var (
	retrying = pattern.MustCompile(`\.?\s*Retrying attempt #(\d+) at ([0-9:]+\s?[APM]*)\.?$`)
	retried  = pattern.MustCompile(`\s*\(retried (\d+) times\)\.?$`)
)

// ofTimeout is what Argo CD 2.14 and 3.0 add to the message of every operation that they try again, whether or not their sync
// time-out ended it. It is true of one that was terminated only.
const ofTimeout = " due to application controller sync timeout"

func cutRetry(s string) (string, Retry) {
	s, r := cutRetryNote(s)
	if rest, ok := strings.CutSuffix(s, ofTimeout); ok && !strings.HasSuffix(rest, "Operation terminated") {
		s = rest
	}
	return s, r
}

func cutRetryNote(s string) (string, Retry) {
	// Both notes stand at the end; the search for a word is cheaper than a regular expression on every message.
	if !strings.Contains(s, "etrying attempt #") && !strings.Contains(s, "(retried ") {
		return s, Retry{}
	}
	var r Retry
	if m := retrying.FindStringSubmatchIndex(s); m != nil {
		r.Attempt, _ = strconv.Atoi(s[m[2]:m[3]]) // digits by the expression; an overflow is no attempt
		r.At = s[m[4]:m[5]]
		s = s[:m[0]]
	}
	if m := retried.FindStringSubmatchIndex(s); m != nil {
		r.Retried, _ = strconv.Atoi(s[m[2]:m[3]])
		s = s[:m[0]]
	}
	return strings.TrimSpace(s), r
}
