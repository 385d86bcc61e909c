package message

import (
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/text"
)

// maxLine is how much of a log line is kept, in bytes.
const maxLine = 400

// Decisive is the line of a log that says what went wrong, which is often not the last: stack frames, usage and "exiting
// with 1" come after it. Empty when the log is. before is the line in front of it, where it helps to read it.
func Decisive(log string) (line string) {
	best := -1
	for _, l := range strings.Split(log, "\n") {
		l = strings.TrimSpace(l)
		if l == "" {
			continue
		}
		if n := weight(l); n >= best {
			line, best = l, n
		}
	}
	return cutAtWord(text.OneLine(line), maxLine)
}

// stamp is what loggers put before a line: date, time, level, thread; klog's severity and place in the code.
var stamp = regexp.MustCompile(`^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]?[0-9:.,+Z-]*\]?|\[?\d\d:\d\d:\d\d[.,0-9]*\]?|[IWEF]\d{4} [0-9:.]+ +\d+ \S+\])\s*`)

// Unstamped is a log line without the date and time in front, for a headline.
func Unstamped(line string) string { return stamp.ReplaceAllString(line, "") }

// frames are lines of a stack trace or of a tool's good advice: they surround the error.
var frames = regexp.MustCompile(`^(at |\.\.\. \d+ (more|common)|File "|goroutine \d+|created by |\S+\.go:\d+|#\d+ |from /|npm (ERR!|error) (A complete log|code|errno|path|command|\s*/)|Traceback|stack backtrace|note: |Run with|usage:|Usage:|hint:|\s*\^+\s*$|DETAIL:|LINE \d+:|HINT:|During handling|The above exception)`)

// signs are what error lines carry, the heavier the more surely the line is the error itself and not a consequence.
var signs = []struct {
	words  []string
	weight int
}{
	{[]string{"panic:", "fatal error:", "caused by:", "fatal:", "fatal ", "unhandled exception", "uncaught "}, 60},
	{[]string{"error:", "error ", "exception", "\"error\"", "level=error", "errno", "[error]", "err=", "sqlstate", "error("}, 50},
	{[]string{"refused", "no such host", "timed out", "timeout", "denied", "unauthorized", "forbidden", "authentication failed", "does not exist", "doesn't exist", "not found", "no such file", "already exists", "cannot ", "could not", "couldn't", "unable to", "invalid ", "violates", "duplicate", "dirty database", "out of memory", "oomkilled", "no space left", "command not found", "x509", "certificate", "syntax error", "is locked", "undefined", "closed the connection", "reset by peer", "unreachable", "missing", "locked", "mismatch", "unknown database", "deadlock", "max_connections", "too many"}, 30},
	{[]string{"failed", "failure"}, 20},
	{[]string{"exited with", "exit code", "exit status", "exiting", "rolling back", "rollback", "migration failed", "aborting", "aborted", "shutting down", "elifecycle"}, -25},
	{[]string{"retrying", "will retry", "attempt ", "warn", "deprecat", "info", "debug", "0 errors", "no error", "errors: 0", "0 failed"}, -15},
}

func weight(l string) int {
	if frames.MatchString(l) {
		return 1
	}
	lower := lowerASCII(l)
	n := 2
	for _, s := range signs {
		if HasAny(lower, s.words...) {
			n += s.weight
		}
	}
	return max(n, 0)
}
