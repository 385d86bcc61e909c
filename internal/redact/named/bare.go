package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// bare hides a value without quotes.
func (f *finder) bare(n field, op operator, at int, where secretname.Where) (next int, ok bool) {
	s := f.s
	if at >= len(s) { // cut behind the name: Pass(
		return at, true
	}
	if isCall(s, at) {
		return at, true // password = os.Getenv("X"): its arguments are looked at for themselves
	}
	end, whole := f.bareEnd(n, op, at)
	if end <= at {
		return at, true
	}
	if op == colon && s[n.start:n.end] == "PASS" { // of a test
		return at, true
	}
	if op == colon && isSaidByShell(s[at:]) || isDemand(s[at:end]) && s[end-1] == '}' {
		return at, true
	}
	value := s[at:end]
	if where == secretname.Quoted && op == colon && !whole && f.sentenceGoesOn(n, end) {
		where = secretname.Sentence // volume "db-password" : secret "x" not found
	}
	// In the middle of a line, a colon may be prose: "password: access denied".
	if op == colon && !whole && !n.Environment && where != secretname.Quoted && !f.isStructured(n, at, end) {
		where = secretname.Sentence
	}
	if len(value) <= maxValue {
		if (whole || op == colon || op == equals) && secretname.IsMessage(value) {
			return f.firstWord(n, at, op)
		}
		if op == argument && isProseOfFlags(value) || strings.HasSuffix(value, "](") {
			return at, true
		}
		if where == secretname.Sentence && end < len(s) && s[end] == ':' && len(value) < 12 {
			return at, true
		}
		if op == glued && (strings.HasPrefix(value, "//") || secretname.IsMessage(value) && !(strings.Contains(value, " ") && f.within(n.start, '{', '['))) {
			return at, true
		}
		if !f.hides(n, strings.TrimSuffix(value, `\`), where) {
			return at, true
		}
	}
	f.hide(at, end)
	return end, true
}

// isStructured reports whether a name and a value in the middle of a line are surely such: in braces, with a path for a name, or
// in front of the next line of a document.
func (f *finder) isStructured(n field, at, end int) bool {
	s := f.s
	if f.within(n.start, '{') || strings.Contains(s[n.start:n.end], ".") || n.end < at && strings.ContainsAny(s[n.end:at], "!&") {
		return true
	}
	rest := f.skipSpace(end)
	if strings.HasPrefix(s[rest:], "# ") && rest > end {
		return true
	}
	if !atLineEnd(s, rest) {
		return false
	}
	next := skipLineEnd(s, rest)
	_, text := indentation(s, next)
	return next > rest && text < len(s) && isKeyLine(s, text)
}

// firstWord hides the word that a sentence behind a name begins with, if it is a value and not a part of the sentence.
// Behind an equals sign it is the value unless it is a word of such sentences itself: "password=x is wrong", "PASSWORD=must be set".
func (f *finder) firstWord(n field, at int, op operator) (next int, ok bool) {
	s := f.s
	end := trimEnd(s, at, f.wordEnd(at))
	value := s[at:end]
	if op == equals && n.Class == secretname.Password && end > at && !secretname.IsMessage(value) && f.hides(n, value, secretname.Assigned) {
		f.hide(at, end)
		return end, true
	}
	if end > at && (end == len(s) || s[end] != ':' || len(value) >= 12) && f.hides(n, value, secretname.Sentence) {
		if n.Class != secretname.Ambiguous || len(value) >= 8 {
			f.hide(at, end)
			return end, true
		}
	}
	return at, true
}

// isCall recognises the call of a function with a text: what is not a value, but code.
func isCall(s string, at int) bool {
	i := at
	for i < min(len(s), at+maxName) && (isNameByte(s[i]) || s[i] == ':') {
		i++
	}
	return i > at && i+1 < len(s) && s[i] == '(' && (isQuote(s[i+1]) || s[i+1] == '\\') && isLetter(s[at])
}

// bareEnd is where a value without quotes ends; whole says that it is all of its line.
func (f *finder) bareEnd(n field, op operator, at int) (end int, whole bool) {
	s := f.s
	if end := templateEnd(s, at); end > at {
		return end, false
	}
	_, inside, starts := lineStart(s, n.start)
	switch {
	case op == equals && before(s, n.start) == '[' && strings.IndexByte(s[at:f.wordEnd(at)], ']') > 0:
		return at + strings.IndexByte(s[at:], ']'), false // an element of a path: spec.data[secretKey=password].remoteRef
	case op == colon && f.within(n.start, '{') && isNextField(s, at):
		return at, false
	case op == colon && f.within(n.start, '{'):
		return trimEnd(s, at, f.flowEnd(at)), false
	case op == colon && starts:
		return yamlEnd(s, at, f.lineEnd(at, inside)), true
	case op == glued && f.within(n.start, '{', '[', '('):
		return f.structEnd(at), false
	case op == equals && f.isProperty(n, at):
		return yamlEnd(s, at, f.lineEnd(at, inside)), true
	}
	return trimEnd(s, at, f.wordEnd(at)), false
}

// sentenceGoesOn reports whether a word or a quotation follows the first word behind a quoted name and a colon.
func (f *finder) sentenceGoesOn(n field, end int) bool {
	s := f.s
	if q := skipBackslashes(s, end); q < len(s) && isQuote(s[q]) && isSpace(s[end-1]) { // in a document, whose values end at a quote
		return true
	}
	if end >= len(s) || s[end] != ' ' || f.within(n.start, '{') {
		return false
	}
	next := skipBackslashes(s, end+1)
	return next < len(s) && (isLetter(s[next]) || isQuote(s[next]))
}

// isNextField recognises the field behind one without a value, in what Go prints: {Password: Port:5432}.
func isNextField(s string, at int) bool {
	i := at
	for i < len(s) && isNameByte(s[i]) {
		i++
	}
	return i > at && isUpperByte(s[at]) && i+1 < len(s) && s[i] == ':' && s[i+1] != ' ' && s[i+1] != ':'
}

// isProperty reports whether an assignment has its line for itself, as in an INI file: "a.password = x y".
func (f *finder) isProperty(n field, at int) bool {
	s := f.s
	start := n.start
	for start > max(0, n.start-8) && s[start-1] != '\n' {
		start--
	}
	if lead := strings.TrimLeft(s[start:n.start], " \t+-<>"); start > 0 && s[start-1] != '\n' || lead != "" && lead != "export " {
		return false
	}
	end := at + lineLength(s[at:])
	rest := s[at:end]
	if strings.Contains(rest, "://") {
		return false
	}
	first, more, several := strings.Cut(rest, " ")
	if !several && strings.IndexByte(first, '&') < 0 && strings.IndexByte(first, ';') < 0 && strings.IndexByte(first, ',') < 0 {
		return false
	}
	for word := range strings.FieldsSeq(more) {
		if name, _, assigns := strings.Cut(word, "="); assigns && isName(name) || word == "|" || word == "&&" {
			return false
		}
	}
	spaced := several && (isSpace(s[n.end]) || strings.Contains(s[n.start:n.end], "."))
	previous := strings.LastIndexByte(s[max(0, start-1-maxAround):max(0, start-1)], '\n')
	return spaced || end+1 < len(s) && isAssignment(s, end+1, len(s)) || start > 0 && previous >= 0 && isAssignment(s, max(0, start-1-maxAround)+previous+1, start)
}

// within reports whether one of the brackets is open before s[at], on its line.
func (f *finder) within(at int, brackets ...byte) bool {
	s := f.s
	depth := [128]int{}
	for i := at - 1; i >= max(0, at-maxAround); i-- {
		switch c := s[i]; c {
		case '\n':
			return false
		case '}':
			depth['{']--
		case ']':
			depth['[']--
		case ')':
			depth['(']--
		case '{', '[', '(':
			if c == '{' && i > 0 && (s[i-1] == '{' || s[i-1] == '$') {
				return false // a template
			}
			if depth[c]++; depth[c] > 0 {
				for _, b := range brackets {
					if b == c {
						return true
					}
				}
				depth[c]--
			}
		}
	}
	return false
}
