package message

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

// stamp is what loggers put before a line: date, time, level, thread; klog's severity and place in the code; the container
// runtime's stream.
var stamp = pattern.MustCompile(`^(?:\d{4}-\d\d-\d\dT[0-9:.]+Z (?:stdout|stderr) [FP] |\[?\d{4}[-/]\d\d[-/]\d\d[T ]?[0-9:.,+Z-]*(?: (?:UTC|GMT|[+-]\d{4}))?(?: \[\d+\])?\]?|\[?\d\d:\d\d:\d\d[.,0-9]*\]?|[IWEF]\d{4} [0-9:.]+ +\d+ \S+\])\s*`)

// Unstamped is a log line without the date and time in front, for a headline.
func Unstamped(line string) string { return stamp.ReplaceAllString(line, "") }

// escape is a sequence that colours a terminal or moves its cursor; box what tools draw around their errors.
var (
	escape = pattern.MustCompile("\x1b(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^\a\x1b]*(?:\a|\x1b\\\\)|[@-Z\\\\-_])|\\x{FFFD}\\[[0-9;]*m")
	box    = pattern.MustCompile(`^\s*[│╷╵┃▌]\s?`)
)

// bareLine is a line as a person sees it: without colours, and only what is left of a line that was written over.
func bareLine(raw string) string {
	l := strings.TrimRight(escape.ReplaceAllString(raw, ""), "\r \t")
	if at := strings.LastIndexByte(l, '\r'); at >= 0 {
		l = l[at+1:]
	}
	return box.ReplaceAllString(l, "")
}

// tail is what libraries add behind an error: the SQL, which is long and hides the reason in front of it; where to read more.
var tail = pattern.MustCompile(strings.Join([]string{
	`\s*\[(?:Failed )?SQL: .*`, `\s*\((?:Connection: \w+, )?SQL: .*\)$`, `\s+in line \d+: .* \(details: .*\)$`, // golang-migrate
	`\s*Stack trace:$`, `\s*Read more about .*https?://\S+$`,
}, "|"))

// withoutTail is a line on one line, without what is behind its error.
func withoutTail(line string) string {
	line = text.OneLine(line)
	if !HasAny(line, "SQL: ", " in line ", "Stack trace:", "Read more about ") { // most have none
		return line
	}
	if cut := tail.ReplaceAllString(line, ""); cut != "" {
		return cut
	}
	return line
}

var (
	// cutJoint is where the message of a JSON line ends and its error begins, cutRest where that ends: of a line that was cut, so that it is
	// no longer JSON.
	cutJoint = pattern.MustCompile(`","(?:error|err|msg|message|reason)":"`)
	cutRest  = pattern.MustCompile(`",?"(?:stacktrace|stack|caller|ts|time|logger|level)":.*$|"\}$`)
)

// withoutFields is a JSON line that was cut, as far as it can be read: its message and its error.
func withoutFields(l string) string {
	if !cutJoint.MatchString(l) {
		return l
	}
	l = cutRest.ReplaceAllString(cutJoint.ReplaceAllString(l, ": "), "")
	l = strings.ReplaceAll(l, `\"`, `"`)
	if strings.Count(l, `"`)%2 == 1 {
		l = strings.TrimSuffix(l, `"`)
	}
	return l
}
