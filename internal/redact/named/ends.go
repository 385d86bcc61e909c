package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// templateEnd is the end of a placeholder with spaces in it, if a value is nothing else: {{ .Values.x }}, $(cat /x), <your token>.
func templateEnd(s string, at int) int {
	var closing string
	switch {
	case strings.HasPrefix(s[at:], "{{"):
		closing = "}}"
	case strings.HasPrefix(s[at:], "${{"):
		closing = "}}"
	case strings.HasPrefix(s[at:], "$("):
		closing = ")"
	case isDemand(s[at:]):
		closing = "}"
	case s[at] == '<':
		closing = ">"
	case s[at] == '(':
		if i := strings.IndexByte(s[at:min(len(s), at+32)], ')'); i > 0 && secretname.Placeholder(s[at:at+i+1]) {
			return at + i + 1
		}
		return at
	default:
		return at
	}
	limit := s[at:min(len(s), at+maxValue)]
	i := strings.Index(limit[:lineLength(limit)], closing)
	if i < 0 {
		return at
	}
	end := at + i + len(closing)
	if !endsValue(s, end) {
		return at
	}
	return end
}

// isDemand recognises ${DB_PASSWORD:?must be set}: what a shell says if there is no value.
func isDemand(s string) bool {
	if !strings.HasPrefix(s, "${") {
		return false
	}
	i := 2
	for i < len(s) && isNameByte(s[i]) {
		i++
	}
	return i > 2 && strings.HasPrefix(s[i:], ":?")
}

// wordEnd is the end of an assigned value: at a space, at what closes the text around it, or at what begins another assignment.
func wordEnd(s string, at int) int {
	start := at
	for ; at < len(s); at++ {
		switch c := s[at]; c {
		case ' ', '\t', '\n', '\r', 0:
			return at
		case '\\':
			end := skipBackslashes(s, at)
			if end >= len(s) || strings.IndexByte("nrt\"'u", s[end]) >= 0 {
				return at
			}
			at = end
		case '"', '\'', '`':
			if endsValue(s, at+1) || at == start {
				return at
			}
		case '&', ';', ',':
			if at > start && isSeparator(s, at) {
				return at
			}
		case '<':
			if at+1 < len(s) && at > start && (s[at+1] == '/' || isLetter(s[at+1])) {
				return at
			}
		}
	}
	return at
}

// isSeparator reports whether the sign at s[at] is behind a value: a space, the end, or another name and its value follow.
func isSeparator(s string, at int) bool {
	rest := s[at+1 : min(len(s), at+1+64)]
	if rest == "" || strings.IndexByte(" \t\r\n\"'`\\&|)]}", rest[0]) >= 0 || strings.HasPrefix(rest, "amp;") {
		return true
	}
	for i := range len(rest) {
		switch c := rest[i]; {
		case c == '=' || c == ':' && s[at] == ',':
			return i > 0
		case isNameByte(c), c == '[', c == ']', c == '%', c == '/', c == ' ' && s[at] != '&':
		default:
			return false
		}
	}
	return false
}

// trimEnd takes the punctuation of a sentence, and brackets that were opened before the value, off its end.
func trimEnd(s string, start, end int) int {
	var unopened [128]bool // brackets that are known to have been opened before
	for end > start && strings.IndexByte(")]}>.,:;", s[end-1]) >= 0 {
		if open := opening(s[end-1]); open != 0 && !unopened[open] {
			if strings.IndexByte(s[start:end], open) >= 0 {
				return end
			}
			unopened[open] = true
		}
		end--
	}
	return end
}

func opening(bracket byte) byte {
	switch bracket {
	case ')':
		return '('
	case ']':
		return '['
	case '}':
		return '{'
	case '>':
		return '<'
	}
	return 0
}

// flowEnd is the end of a value in {a: x, b: y}.
func flowEnd(s string, at int) int {
	for ; at < len(s); at++ {
		switch s[at] {
		case '\n', '\r', '}', ']', '"':
			return at
		case ',':
			if isSeparator(s, at) {
				return at
			}
		case '\\':
			if atLineEnd(s, at) || at+1 < len(s) && s[at+1] == '"' {
				return at
			}
			at = max(at, skipBackslashes(s, at)-2) // a run of them is read once
		}
	}
	return at
}

// structEnd is the end of a value that Go prints without quotes, {A:x y B:z} or map[a:x b:y]: at the next name, or at the bracket.
func structEnd(s string, at int) int {
	depth := 0
	for start := at; at < len(s); at++ {
		switch s[at] {
		case '\n', '\r', '"':
			return at
		case '\'':
			if endsValue(s, at+1) {
				return at
			}
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			if depth--; depth < 0 {
				return at
			}
		case '\\':
			if atLineEnd(s, at) || at+1 < len(s) && s[at+1] == '"' {
				return at
			}
			at = max(at, skipBackslashes(s, at)-2) // a run of them is read once
		case ',':
			if at > start && isSeparator(s, at) {
				return at
			}
		case ' ':
			i := at + 1
			for i < len(s) && i < at+64 && (isNameByte(s[i]) || s[i] == '/') {
				i++
			}
			if i < len(s) && s[i] == ':' && i > at+1 {
				return at
			}
		}
	}
	return at
}

// yamlEnd is the end of a value that has its line for itself: without the comment behind it.
func yamlEnd(s string, at, end int) int {
	if i := strings.Index(s[at:end], " #"); i >= 0 {
		end = at + i
	}
	for end > at && (isSpace(s[end-1]) || s[end-1] == '\r') {
		end--
	}
	// The quote and the comma of the text that the line is in.
	for end > at && (s[end-1] == ',' || isQuote(s[end-1]) && strings.Count(s[at:end], s[end-1:end]) == 1) {
		end--
	}
	return end
}
