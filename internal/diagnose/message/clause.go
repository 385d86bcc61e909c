package message

import (
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
