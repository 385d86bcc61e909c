package named

import "strings"

// wrappers are what languages print around a value: Some("x") of Rust, []byte("x") of Go, N'x' of SQL, b'x' of Python.
var wrappers = []string{"some(", "ok(", "just(", "optional(", "secret(", "secretstring(", "string(", "str(", "[]byte(", "bytes(", "byte(", "text(", "sensitive(", "literal(", "[]string{", "<<\"", "<<\\\""}

// unwrap passes over wrappers.
func unwrap(s string, at int) (inner int, ok bool) {
	for range 3 {
		found := false
		if end := describedEnd(s, at); end > at {
			at, ok, found = end, true, true
		}
		for _, w := range wrappers {
			if hasPrefixFold(s[at:], w) {
				at, ok, found = at+len(strings.TrimRight(w, `"\`)), true, true
				break
			}
		}
		if !found {
			break
		}
	}
	if at+1 < len(s) && (strings.IndexByte("NnbBrRuUEef@&L$", s[at]) >= 0) && (s[at+1] == '\'' || s[at+1] == '"') {
		return at + 1, true
	}
	return at, ok
}

// describedEnd is behind what is said of a value before it: its type and length as PHP prints them, string(16) "x", the tag of a
// template, <%= "x" %>, and what Kubernetes says of a field, Invalid value: "x".
func describedEnd(s string, at int) int {
	for _, said := range [...]string{"invalid value: ", "duplicate value: ", "unsupported value: ", "<%= "} {
		if hasPrefixFold(s[at:], said) {
			return at + len(said)
		}
	}
	if strings.HasPrefix(s[at:], "(string) (len=") { // go-spew
		if i := strings.Index(s[at:min(len(s), at+32)], ") "); i > 0 {
			if end := at + i + len(") "); strings.HasPrefix(strings.TrimLeft(s[end:], `\`), `"`) {
				return end
			}
			return at + strings.LastIndex(s[at:min(len(s), at+32)], ") ") + len(") ")
		}
	}
	if !strings.HasPrefix(s[at:], "string(") {
		return at
	}
	end := at + len("string(")
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	if strings.HasPrefix(s[end:], `) "`) || strings.HasPrefix(s[end:], `) \"`) {
		return end + len(") ")
	}
	return at
}
