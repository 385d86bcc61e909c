package message

import "strings"

// MaxClause is how much of a tool's own words a title or a sentence may carry: about two lines of a terminal.
const MaxClause = 160

// UpperFirst makes a clause begin like a sentence.
func UpperFirst(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// LowerFirst is a kind as kubectl takes it, "configMap".
func LowerFirst(s string) string {
	if s == "" {
		return s
	}
	return string(s[0]|0x20) + s[1:]
}

// After puts a separator in front of a text that is there.
func After(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}

// LastClause leaves the end of a chain of reasons (a: b: c), where the cause stands: as many of the last clauses as fit in a
// sentence.
func LastClause(s string) string {
	s = OneLine(s)
	for len(s) > MaxClause {
		_, rest, ok := strings.Cut(s, ": ")
		if !ok {
			return Clip(s, MaxClause)
		}
		s = rest
	}
	return s
}

// Sentence makes a sentence of a clause: one full stop, no doubled white space.
func Sentence(s string) string {
	s = strings.TrimRight(OneLine(s), ".:; ")
	if s == "" || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}
