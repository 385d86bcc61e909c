package message

import (
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/text"
)

// maxLine is how much of a log line is kept, in bytes.
const maxLine = 400

// Decisive is the line of a log that says what went wrong; the last one where none does. Empty when the log is.
func Decisive(log string) string {
	line, _ := Telling(log)
	return line
}

// Telling is the line of a log that says what went wrong, which is often not the last: stack frames, usage and "exiting with 1"
// come after it. names is false where no line does, as in a log that ends in the middle of its work: then it is the last line.
func Telling(log string) (line string, names bool) {
	best := -1
	last := "" // the last line that is a line of its own
	r := logReader{}
	for raw := range lines(log) {
		l := bareLine(raw)
		if strings.TrimSpace(l) == "" {
			r.blank()
			continue
		}
		said, n := r.read(l)
		if n != idle {
			last = said
		}
		if n < best {
			continue
		}
		said = withoutTail(announced.ReplaceAllString(said, ""))
		if n == traced && best >= naming && bareCause.MatchString(said) {
			outer := strings.TrimRight(shortened(line), ".: ")
			if class, again, ok := strings.Cut(outer, ": "); ok && class == again { // an exception without a message
				outer = class
			}
			said = outer + ": " + strings.TrimRight(said, ": ") // the cause around it says of what
		}
		line, best = said, n
	}
	if best <= plain && last != "" {
		line = withoutTail(last)
	}
	return lastClause(line, maxLine), best >= naming
}

// maxOuter is how much is kept of the error around a cause that says little, in bytes.
const maxOuter = 250

// shortened is an error up to the end of its first sentence, if it is long: what follows explains.
func shortened(line string) string {
	if len(line) <= maxOuter {
		return line
	}
	if end := strings.Index(line, ". "); end > minTail {
		return line[:end]
	}
	return line
}

// The weights of lines. A line that says nothing of its own weighs least; one that ends a stack trace (the innermost cause, the
// exception itself) more than what any words weigh.
const (
	idle   = 1
	plain  = 2
	naming = 15
	quiet  = 8
	most   = 125
	traced = 130
)

// logReader weighs the lines of a log one after another: what a line says may depend on the one before.
type logReader struct {
	// trace: within a Python traceback. The exception is its first line that is not indented.
	trace bool
	// cause: behind a "Caused by:" that stands on a line of its own.
	cause bool
	// head is an error that announces what the next line says ("Error: P3009", "rails aborted!"), headed what it weighs.
	head   string
	headed int
	// failed counts the lines that a failed validation still needs to name its field, list is what it said so far.
	failed int
	list   string
	// last is what the line before weighs.
	last int
}

func (r *logReader) blank() { r.trace, r.failed = false, 0 }

// validation is how pydantic announces the fields that are wrong: one on the next line, what is wrong with it behind that.
var validation = regexp.MustCompile(`\b\d+ validation errors? for \S+$`)

// thrown is an exception of Java or a language on its machine, as it stands behind the line of the logger.
var thrown = regexp.MustCompile(`^(?:[a-z][\w$]*\.)+[A-Z][\w$]*(?:Exception|Error|Timeout)\w*: \S`)

// read is what a line says, for people, and its weight.
func (r *logReader) read(l string) (said string, n int) {
	defer func() { r.last = n }()
	if r.failed > 0 {
		r.failed--
		r.list += ": " + strings.TrimSpace(l)
		return r.list, traced + 1
	}
	if validation.MatchString(l) {
		r.trace, r.failed, r.list = false, 2, strings.TrimSpace(l)
		return r.list, traced
	}
	indented := l[0] == ' ' || l[0] == '\t'
	l = strings.TrimSpace(l)
	if name, result, ok := strings.Cut(l, " .. "); ok && strings.HasPrefix(name, "+ ") { // Sqitch's, not a shell's trace
		l = result
	}
	switch {
	case strings.HasPrefix(l, "Traceback (most recent call last)"):
		r.trace = true
		return l, idle
	case r.trace && indented:
		return l, idle
	case r.trace:
		r.trace = false
		return l, traced
	case lowerASCII(l) == "caused by:":
		r.cause = true
		return l, idle
	case r.cause:
		cause := numberedCause.ReplaceAllString(l, "")
		r.cause = cause != l && indented // more may follow
		return cause, traced
	case frames.match(l):
		return l, idle
	}
	said, n = weigh(l)
	if r.last >= naming && thrown.MatchString(l) { // the logger's line only says that it happened
		n = max(n, min(r.last+1, most))
	}
	if r.headed > 0 {
		if code := errorCode.FindStringSubmatch(r.head); code != nil {
			said = code[1] + ": " + said
		} else if item, listed := cutItem(said); n < naming && manyWords.MatchString(r.head) || listed { // the list that the error ends with
			said = strings.TrimRight(r.head, ": ") + ": " + item
		}
		n = max(n, r.headed)
		r.head, r.headed = "", 0
	}
	if announces.MatchString(l) && (n >= naming || strings.HasSuffix(l, "aborted!")) {
		r.head, r.headed = l, max(n, naming)
		return said, quiet
	}
	return said, n
}

// cutItem is an item of a list without the mark in front.
func cutItem(said string) (item string, ok bool) {
	if item, ok = strings.CutPrefix(said, "* "); !ok {
		item, ok = strings.CutPrefix(said, "- ")
	}
	return strings.TrimSpace(item), ok
}

// numberedCause is one of the causes that Rust's anyhow lists behind "Caused by:".
var numberedCause = regexp.MustCompile(`^\d+: `)

// manyWords is an announcement that says more than that there is an error.
var manyWords = regexp.MustCompile(`(?:\S+ ){4}\S+:$`)

// announces is a line that only says that an error follows; errorCode the part of it worth keeping.
var (
	announces = regexp.MustCompile(`(?:[^:]:|aborted!)$|^\w*[Ee]rror:? [A-Z]\d{3,5}$`)
	errorCode = regexp.MustCompile(`^\w*[Ee]rror:? ([A-Z]\d{3,5})$`)
)

var (
	// cutJoint is where the message of a JSON line ends and its error begins, cutRest where that ends: of a line that was cut, so that it is
	// no longer JSON.
	cutJoint = regexp.MustCompile(`","(?:error|err|msg|message|reason)":"`)
	cutRest  = regexp.MustCompile(`",?"(?:stacktrace|stack|caller|ts|time|logger|level)":.*$|"\}$`)
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

// weigh is what a line says by itself, and its weight. Of a structured line that is its message.
func weigh(l string) (said string, n int) {
	s, ok := structured(l)
	if !ok {
		l = withoutFields(l)
		return l, weight(l)
	}
	n = weight(s.text)
	switch s.level {
	case levelError:
		return s.text, min(max(n, 0)+60, most)
	case levelWarning:
		return s.text, max(n-15, 0)
	case levelInfo:
		return s.text, calmed(s.text, n)
	case levelUnknown:
	}
	return s.text, n
}

// reasons are the words of lines that say why something failed.
var reasons = []string{
	"refused", "no such host", "timed out", "timeout", "denied", "unauthorized", "forbidden", "authentication failed",
	"does not exist", "doesn't exist", "not found", "no such file", "already exists", "cannot ", "can't ", "could not",
	"couldn't", "unable to", "invalid ", "violates", "duplicate", "dirty database", "out of memory", "oomkilled", "no space left",
	"command not found", "x509", "certificate", "syntax error", "is locked", "undefined", "closed the connection",
	"reset by peer", "unreachable", "missing", "locked", "mismatch", "unknown database", "deadlock", "max_connections",
	"too many", "unbound variable", "parameter not set", "bad address", "exec format", "panicked at", "called `result::unwrap()`",
	"not set", "required", "name does not resolve", "name resolution", "enotfound", "econnrefused", "no matching",
	"segmentation fault", "pending migrations", "unapplied migrations", "no response", "but got", ", expected ", "must install or update",
	"not applied to database", "conflicting migrations", "bad file format", "is not valid", "is too low", "operation not permitted",
}

// signs are what error lines carry, the heavier the more surely the line is the error itself and not a consequence.
var signs = []struct {
	words  []string
	weight int
}{
	{[]string{"panic:", "fatal error:", "caused by:", "fatal:", "fatal ", "fata[", "unhandled exception", "uncaught ", "[fatal]", "reason:", "--->", "bootstrap check failure"}, 60},
	{[]string{"error:", "error ", "exception", "\"error\"", "level=error", "errno", "[error]", "err=", "sqlstate", "error(", ". errors:", "error]", "err]", "failed:", "erro["}, 50},
	{reasons, 30},
	{[]string{"failed", "failure", "fail: "}, 20},
	{[]string{"exited with", "exit code", "exit status", "exiting", "rolling back", "rollback", "migration failed", "aborting", "aborted", "shutting down", "elifecycle", "application run failed", "have failed validation", "command failed", "failed to start server", "failed executing dbcommand", "giving up"}, -25},
	{[]string{"retrying", "will retry", "attempt ", "warn", "deprecat", "0 errors", "no error", "errors: 0", "0 failed", "waiting for", "connecting to"}, -15},
}

// endsFailed is a line that says that something failed, and not why.
var endsFailed = regexp.MustCompile(`(?i)\b(?:failed|failure|unsuccessful(?:ly)?|errors?)[.!]*$`)

// calm is the level of a line that reports no error, where loggers write it: in front, perhaps behind a stamp, a thread or a place.
var calm = regexp.MustCompile(`^(?:\S+ ){0,4}?[\[(|]?\s*(?:INFO|DEBUG|TRACE|NOTICE|VERBOSE|info|debug|trace|DBG|INF)\b\]?`)

func weight(l string) int {
	if lowerASCII(l) == "killed" { // what a shell prints of a process that ran out of memory
		return most
	}
	lower := lowerASCII(l)
	n := plain
	for _, s := range signs {
		if HasAny(lower, s.words...) {
			n += s.weight
		}
	}
	if endsFailed.MatchString(l) && !strings.Contains(l, ": ") || consequences.MatchString(l) {
		n -= 25
	}
	if innerCause.MatchString(l) || strings.Contains(l, "::") && strings.Contains(l, " but is now") { // Liquibase's change set
		return traced
	}
	if calm.MatchString(Unstamped(l)) {
		n = calmed(lower, n)
	}
	return min(max(n, 0), most)
}

// calmed is the weight of a line whose logger takes it for no error. One that names a reason all the same outweighs its neighbours.
func calmed(said string, n int) int {
	if HasAny(lowerASCII(said), reasons...) {
		return min(n, quiet)
	}
	return min(n, plain)
}

// bareCause is an exception whose message names nothing: "java.net.ConnectException: Connection refused".
var bareCause = regexp.MustCompile(`^[\w.$:]+(?: \(\w+\))?:(?: [\w-]+(?: [\w-]+){0,3}\.?)?$`)

// innerCause begins the lines behind which an exception names the one that caused it: Java's, and .NET's.
var innerCause = regexp.MustCompile(`^(?:Caused by: |---> )`)

// announced is what tools write in front of the reason.
var announced = regexp.MustCompile("^(?:Caused by: |---> |Unhandled exception\\. |Reason: |Message +: |/\\S+:\\d+:in [`'][^']*': )")

// consequences are lines that say of something that it failed, whose reason another line has.
var consequences = regexp.MustCompile(`(?i)\bmigrations? \S+ failed\b|\bfailed with (?:exit )?(?:code|status)\b|^command .* failed|\bmigration of schema .* failed!`)

// stamp is what loggers put before a line: date, time, level, thread; klog's severity and place in the code; the container
// runtime's stream.
var stamp = regexp.MustCompile(`^(?:\d{4}-\d\d-\d\dT[0-9:.]+Z (?:stdout|stderr) [FP] |\[?\d{4}[-/]\d\d[-/]\d\d[T ]?[0-9:.,+Z-]*(?: (?:UTC|GMT|[+-]\d{4}))?(?: \[\d+\])?\]?|\[?\d\d:\d\d:\d\d[.,0-9]*\]?|[IWEF]\d{4} [0-9:.]+ +\d+ \S+\])\s*`)

// Unstamped is a log line without the date and time in front, for a headline.
func Unstamped(line string) string { return stamp.ReplaceAllString(line, "") }

// escape is a sequence that colours a terminal or moves its cursor; box what tools draw around their errors.
var (
	escape = regexp.MustCompile("\x1b(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^\a\x1b]*(?:\a|\x1b\\\\)|[@-Z\\\\-_])|\\x{FFFD}\\[[0-9;]*m")
	box    = regexp.MustCompile(`^\s*[│╷╵┃▌]\s?`)
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
var tail = regexp.MustCompile(strings.Join([]string{
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
