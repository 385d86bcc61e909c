package message

import (
	"iter"
	"strings"

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

// saysNothing is the end of a chain that says only that something failed, or what to do about it.
var saysNothing = pattern.MustCompile(`(?i)^code: \w+$|^(exit (status|code)|exited with( status| code)?|status code|error code|code|signal):? ?-?\d+$|^(see|check|try|please|retry|for more|hint|unknown error|internal error)\b`)

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
func Tails(chain string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if chain == "" || !yield(chain) {
			return
		}
		for i := range outside(chain) {
			if !strings.HasPrefix(chain[i:], ": ") || endsWithLabel(chain[:i]) {
				continue
			}
			tail := strings.TrimSpace(chain[i+2:])
			if len(tail) >= minTail && tail[0] != '(' && strings.Contains(tail, " ") && !saysNothing.MatchString(tail) && !yield(tail) {
				return
			}
		}
	}
}

// closing is what ends a quote or a bracket.
var closing = map[byte]byte{'"': '"', '`': '`', '\'': '\'', '(': ')', '[': ']', '{': '}', '<': '>'}

// outside yields the places in a text that are not within quotes or brackets. A quote or bracket that nothing closes, as in a text
// that was cut, is a character like any other; so is an apostrophe.
func outside(s string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < len(s); i++ {
			if end := closed(s, i); end > i {
				i = end
				continue
			}
			if !yield(i) {
				return
			}
		}
	}
}

// closed is where the quote or bracket that begins at i ends; i itself if none does.
func closed(s string, i int) int {
	last, ok := closing[s[i]]
	if !ok || s[i] == '\'' && i > 0 && strings.IndexByte(" =([", s[i-1]) < 0 {
		return i
	}
	depth := 0
	for j := i + 1; j < len(s); j++ {
		switch {
		case s[j] == last && depth == 0:
			if last == '\'' && j+1 < len(s) && strings.IndexByte(" .,:;)]'\"", s[j+1]) < 0 {
				continue // an apostrophe within the quote
			}
			return j
		case s[j] == last:
			depth--
		case s[j] == s[i]:
			depth++
		}
	}
	return i
}
