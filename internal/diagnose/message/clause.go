package message

import (
	"iter"
	"strings"
	"unicode"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

// MaxClause is how much of a tool's own words a sentence quotes: about two lines of a terminal.
const MaxClause = 160

// After puts a separator in front of a text, if there is one.
func After(separator, said string) string {
	if said == "" {
		return ""
	}
	return separator + said
}

// LastClause leaves the end of a chain of reasons (a: b: c), where the cause is: as many of the last clauses as fit in a sentence.
func LastClause(s string) string { return lastClause(s, MaxClause) }

// lastClause is the longest end of a chain that has at most n bytes (0: no limit). The innermost clause stays whole even if it is
// somewhat longer: half of it is worth less than a long line.
func lastClause(s string, n int) string {
	s = strings.TrimSpace(text.OneLine(s))
	if n <= 0 || len(s) <= n {
		return s
	}
	last := s
	for clause := range Tails(s) {
		if last = clause; len(clause) <= n {
			return clause
		}
	}
	return cutAtWord(last, 2*n)
}

// cutAtWord cuts a text that is too long even so, between two words and outside quotes and brackets if it can.
func cutAtWord(s string, n int) string {
	if len(s) <= n {
		return s
	}
	space, open := strings.LastIndexByte(s[:n], ' '), -1
	for i := range outside(s) {
		if i >= n {
			break
		}
		if s[i] == ' ' {
			open = i
		}
	}
	if open > n/2 {
		space = open
	}
	if space <= 0 {
		return text.Clip(s, n)
	}
	return strings.TrimRight(s[:space], " ,;:") + " …"
}

// minTail is the fewest letters of a clause that says something alone.
const minTail = 10

// saysNothing is the end of a chain that says only that something failed; advises the beginning of one that says what to do about it.
var (
	saysNothing = pattern.MustCompile(`(?i)^code: \w+$|^(exit (status|code)|exited with( status| code)?|status code|error code|code|signal):? ?-?\d+$`)
	advises     = pattern.MustCompile(`(?i)^(see|check|try|please|retry|for more|hint|unknown error|internal error)\b`)
)

// maxNothing is the longest end that saysNothing, and maxAdvises how far advises looks, in bytes. A chain may have as many ends as it has
// words; without these, each would be looked through whole.
const (
	maxNothing = 200
	maxAdvises = 40
)

// vacuous reports whether the end of a chain says nothing alone.
func vacuous(tail string) bool {
	return len(tail) <= maxNothing && saysNothing.MatchString(tail) || advises.MatchString(tail[:min(len(tail), maxAdvises)])
}

// labels are words that name the value behind their colon, which is no clause of its own: "Expected: integer, given: string".
var labels = map[string]bool{
	"expected": true, "actual": true, "given": true, "got": true, "want": true, "wanted": true, "found": true, "offer": true,
	"defined": true, "allowed": true, "id": true, "requestid": true, "hostid": true, "traceid": true, "correlationid": true,
	"code": true, "hostname": true, "name": true, "value": true, "key": true, "directory": true,
	// Words that a list follows, without which the list says nothing: "No path was found in any of the following: A, B or C".
	"following": true, "these": true, "either": true, "are": true, "of": true, "include": true, "includes": true, "including": true,
	"values": true, "options": true, "supported": true, "candidates": true,
}

// endsWithLabel reports whether the last word of a text is a label.
func endsWithLabel(s string) bool {
	begin := len(s)
	for begin > 0 && isWord(s[begin-1]) {
		begin--
	}
	return len(s)-begin <= len("correlationid") && labels[strings.ToLower(s[begin:])]
}

func isWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// Tails yields a chain of reasons (a: b: c) and then its ends, each shorter by one clause: b: c, then c. A colon within quotes,
// brackets or a word ends no clause. Ends that say nothing alone are left out.
//
// It takes time in proportion to the chain, however many ends that has: whoever goes through them must not read each of them whole.
func Tails(chain string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if chain == "" || !yield(chain) {
			return
		}
		trimmed := strings.TrimRightFunc(chain, unicode.IsSpace)
		space := strings.LastIndexByte(trimmed, ' ')
		for i := range outside(chain) {
			if i+2 > len(trimmed) || trimmed[i:i+2] != ": " || endsWithLabel(trimmed[:i]) {
				continue
			}
			tail := strings.TrimLeftFunc(trimmed[i+2:], unicode.IsSpace)
			if len(tail) >= minTail && tail[0] != '(' && space >= len(trimmed)-len(tail) && !vacuous(tail) && !yield(tail) {
				return
			}
		}
	}
}

// maxEnd is more than any headline has room for, in bytes, with a remark in brackets that is left out.
const maxEnd = 1000

// Ends yields the tails of a chain that a headline may have room for. There are few of them, and they are short: each may be read whole.
func Ends(chain string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for tail := range Tails(chain) {
			if len(tail) <= maxEnd && !yield(tail) {
				return
			}
		}
	}
}
