package message

import (
	"iter"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
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
	for said, n := range weighed(log) {
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
	if best < naming {
		if abroad := tellingAbroad(log); abroad != "" {
			return lastClause(abroad, maxLine), true
		}
	}
	if best <= plain && last != "" {
		line = withoutTail(last)
	}
	return lastClause(line, maxLine), best >= naming
}

// weighed are the lines of a log as they are understood, each with its weight. Blank ones are left out.
func weighed(log string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		r := logReader{}
		for raw := range lines(log) {
			l := bareLine(raw)
			if strings.TrimSpace(l) == "" {
				r.blank()
				continue
			}
			if !yield(r.read(l)) {
				return
			}
		}
	}
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
	// items is an error with the items that it has listed so far, one on each line; empty where none are under way.
	items  string
	itemed int
	// failed counts the lines that a failed validation still needs to name its field, list is what it said so far.
	failed int
	list   string
	// last is what the line before weighs.
	last int
	// open is an error that breaks off in the middle of its sentence, opened what it weighs, and pieces how many lines it has so far.
	open   string
	opened int
	pieces int
}

func (r *logReader) blank() { r.trace, r.failed, r.open = false, 0, "" }

// validation is how pydantic announces the fields that are wrong: one on the next line, what is wrong with it behind that.
var validation = pattern.MustCompile(`\b\d+ validation errors? for \S+$`)

// thrown is an exception of Java or a language on its machine, as it stands behind the line of the logger.
var thrown = pattern.MustCompile(`^(?:[a-z][\w$]*\.)+[A-Z][\w$]*(?:Exception|Error|Timeout)\w*: \S`)

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
	case frames().match(l):
		return l, idle
	}
	if r.goesOn(l) {
		return r.open, r.opened
	}
	if r.items != "" {
		if item, listed := cutItem(l); listed || strings.HasPrefix(l, "conflicts with ") { // kubectl: the fields of the next manager
			r.items = withItem(r.items, item)
			return r.items, r.itemed
		}
		r.items = ""
	}
	said, n = weigh(l)
	if n >= naming && breaksOff.MatchString(said) {
		r.open, r.opened, r.pieces = said, n, 1
	}
	if r.last >= naming && thrown.MatchString(l) { // the logger's line only says that it happened
		n = max(n, min(r.last+1, most))
	}
	if r.headed > 0 {
		if code := errorCode.FindStringSubmatch(r.head); code != nil {
			said = code[1] + ": " + said
		} else if item, listed := cutItem(said); n < naming && manyWords.MatchString(r.head) || listed { // the list that the error ends with
			said = strings.TrimRight(r.head, ": ") + ": " + item
			if listed {
				r.items, r.itemed = said, max(n, r.headed)
			}
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

// breaksOff is a line that stops in the middle of its sentence: what it is about is on the next one.
var breaksOff = pattern.MustCompile(`(?i)\b(?:to|at|in|from|of|for|with|the|a|an|on|by|into|onto|that|under|via|because|and|or|than|be|file|path|directory)$`)

// maxPieces is how many lines a sentence goes over.
const maxPieces = 3

// goesOn reports whether a line goes on with an error that breaks off, and adds it. Behind its first line, which says of what, only one
// that begins like the middle of a sentence does.
func (r *logReader) goesOn(l string) bool {
	if r.open == "" {
		return false
	}
	_, isStructured := structured(l)
	small := l[0] >= 'a' && l[0] <= 'z'
	ended := strings.ContainsAny(r.open[len(r.open)-1:], ".!?;:")
	if isStructured || Unstamped(l) != l || calm.MatchString(l) || announces.MatchString(l) || len(r.open)+len(l) >= maxLine || r.pieces == maxPieces ||
		!breaksOff.MatchString(r.open) && (!small || ended) {
		r.open = ""
		return false
	}
	r.open += " " + l
	r.pieces++
	return true
}

// maxListed is the longest list of items, in bytes.
const maxListed = 280

// withItem is an error with one more item of its list. What does not fit is left out.
func withItem(list, item string) string {
	const more = ", …"
	switch {
	case strings.HasSuffix(list, more):
		return list
	case len(list)+len(item) > maxListed:
		return strings.TrimRight(list, ":") + more
	case strings.HasSuffix(list, ":"):
		return list + " " + item
	case strings.Contains(item, " "):
		return list + "; " + item
	}
	return list + ", " + item
}

// cutItem is an item of a list without the mark in front.
func cutItem(said string) (item string, ok bool) {
	if item, ok = strings.CutPrefix(said, "* "); !ok {
		item, ok = strings.CutPrefix(said, "- ")
	}
	return strings.TrimSpace(item), ok
}

// numberedCause is one of the causes that Rust's anyhow lists behind "Caused by:".
var numberedCause = pattern.MustCompile(`^\d+: `)

// manyWords is an announcement that says more than that there is an error.
var manyWords = pattern.MustCompile(`(?:\S+ ){4}\S+:$`)

// announces is a line that only says that an error follows; errorCode the part of it worth keeping.
var (
	announces = pattern.MustCompile(`(?:[^:]:|aborted!)$|^\w*[Ee]rror:? [A-Z]\d{3,5}$`)
	errorCode = pattern.MustCompile(`^\w*[Ee]rror:? ([A-Z]\d{3,5})$`)
)

// no longer JSON.

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

// bareCause is an exception whose message names nothing: "java.net.ConnectException: Connection refused".
var bareCause = pattern.MustCompile(`^[\w.$:]+(?: \(\w+\))?:(?: [\w-]+(?: [\w-]+){0,3}\.?)?$`)

// announced is what tools write in front of the reason.
var announced = pattern.MustCompile("^(?:Caused by: |---> |Unhandled exception\\. |Reason: |Message +: |/\\S+:\\d+:in [`'][^']*': )")
