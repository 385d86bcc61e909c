package message

import (
	"iter"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/text"
)

// MaxClause is how much of a tool's own words a title or a sentence may carry: about two lines of a terminal.
const MaxClause = 160

// After puts a separator in front of a text that is there.
func After(separator, said string) string {
	if said == "" {
		return ""
	}
	return separator + said
}

// LastClause leaves the end of a chain of reasons (a: b: c), where the cause stands: as many of the last clauses as fit in a
// sentence.
func LastClause(s string) string {
	s = text.OneLine(s)
	for len(s) > MaxClause {
		_, rest, ok := strings.Cut(s, ": ")
		if !ok {
			return text.Clip(s, MaxClause)
		}
		s = rest
	}
	return s
}

// minTail is the fewest letters of a clause that says something alone.
const minTail = 10

// saysNothing is the end of a chain that says only that something failed, or what to do about it.
var saysNothing = regexp.MustCompile(`(?i)^(exit (status|code)|exited with( status| code)?|status code|error code|code|signal):? ?-?\d+$|^(see|check|try|please|retry|for more|hint|unknown error|internal error)\b`)

// Tails yields a chain of reasons (a: b: c) and then its ends, each shorter by one clause: b: c, then c. A colon within quotes,
// brackets or a word ends no clause. Ends that say nothing alone are left out.
func Tails(chain string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if chain == "" || !yield(chain) {
			return
		}
		depth, quote := 0, rune(0)
		for i, r := range chain {
			switch {
			case quote != 0:
				if r == quote {
					quote = 0
				}
			case r == '"' || r == '`':
				quote = r
			case strings.ContainsRune("([{", r):
				depth++
			case strings.ContainsRune(")]}", r):
				depth = max(0, depth-1)
			case r == ':' && depth == 0 && strings.HasPrefix(chain[i:], ": "):
				tail := strings.TrimSpace(chain[i+2:])
				if len(tail) >= minTail && strings.Contains(tail, " ") && !saysNothing.MatchString(tail) && !yield(tail) {
					return
				}
			}
		}
	}
}
