package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// Keys of pairs: {"name": "DB_PASSWORD", "value": "x"}, <add key="Password" value="x"/>, <name>a.password</name><value>x</value>.
var (
	nameKeys  = []string{"name", "key", "path", "parameter", "parameterkey", "option", "variable", "field", "setting", "property"}
	valueKeys = []string{"value", "string", "stringvalue", "parametervalue", "val"}
)

// isName reports whether a name is itself the value of a name, so that its own value is beside it.
func (f *finder) isName(n field) bool {
	s := f.s
	i := n.start
	for i > max(0, n.start-64) && (isNameByte(s[i-1]) || s[i-1] == '/') { // the path of a JSON patch
		i--
	}
	if i > 0 && isQuote(s[i-1]) {
		for i--; i > 0 && s[i-1] == '\\'; {
			i--
		}
	}
	if i > 0 && s[i-1] == '>' { // <name>DB_PASSWORD</name>
		return isWordBefore(s, i-1, nameKeys)
	}
	for i > 0 && isSpace(s[i-1]) {
		i--
	}
	if i == 0 || s[i-1] != ':' && s[i-1] != '=' {
		return false
	}
	for i--; i > 0 && (isSpace(s[i-1]) || isQuote(s[i-1]) || s[i-1] == '\\'); {
		i--
	}
	return isWordBefore(s, i, nameKeys)
}

func isWordBefore(s string, end int, list []string) bool {
	start := end
	for start > max(0, end-24) && isLetter(s[start-1]) {
		start--
	}
	if start < end && start > 0 && s[start-1] == '\\' && (s[start] == 'n' || s[start] == 't') {
		start++
	}
	for _, w := range list {
		if strings.EqualFold(s[start:end], w) {
			return true
		}
	}
	return false
}

// pair finds the value of a pair behind its name, then before it. ok is false if there is none.
func (f *finder) pair(n field) (next int, ok bool) {
	s := f.s
	f.look(pairSteps)
	end := pairEnd(s, n.end)
	for at := n.end; at < end; at++ {
		if lower(s[at]) != 'v' && lower(s[at]) != 's' && lower(s[at]) != 'p' {
			continue
		}
		if at > 0 && isLetter(s[at-1]) && !(s[at-1] == 'n' && s[at-2] == '\\') {
			continue
		}
		for _, key := range valueKeys {
			if hasPrefixFold(s[at:], key) {
				if next, ok := f.pairValue(n, at+len(key)); ok {
					return next, true
				}
			}
		}
	}
	if next, ok := f.tagText(n, end); ok {
		return next, true
	}
	f.pairBefore(n)
	return 0, false
}

// pairEnd is where the object ends that the name is in: at its bracket, at the next name, at the next item of a list.
func pairEnd(s string, at int) int {
	limit := min(len(s), at+maxPair)
	depth := 0
	for ; at < limit; at++ {
		switch c := s[at]; c {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return at
			}
		case '/':
			if at+1 < limit && s[at+1] == '>' { // of an element with attributes
				return at
			}
		case '-':
			if _, _, ok := lineStart(s, at); ok && at+1 < len(s) && s[at+1] == ' ' {
				return at
			}
			if strings.HasPrefix(s[at:], "---") {
				return at
			}
		case 'n', 'N':
			if hasPrefixFold(s[at:], "name") && at > 0 && !isNameByte(s[at-1]) && at+4 < len(s) && strings.IndexByte("\"':=\\ >", s[at+4]) >= 0 && s[at-1] != '/' {
				return at
			}
		}
	}
	return limit
}

// pairValue reads ": x" after the key "value".
func (f *finder) pairValue(n field, at int) (next int, ok bool) {
	key := field{Kind: n.Kind, start: at, end: at}
	for key.start > 0 && isLetter(f.s[key.start-1]) {
		key.start--
	}
	key.start = skipEscape(f.s, key.start)
	op, at, quoted := f.operator(key)
	if op == element {
		return f.element(key, at)
	}
	if op != equals && op != colon && op != glued {
		return 0, false
	}
	where := secretname.Assigned
	if quoted {
		where = secretname.Quoted
	}
	return f.read(key, op, at, where)
}

// pairBefore hides the value of a pair that is before its name: value: x, name: DB_PASSWORD.
func (f *finder) pairBefore(n field) {
	s := f.s
	from := n.start
	depth, names := 0, 0
	for from > max(0, n.start-maxPair) {
		c := s[from-1]
		if lower(s[from-1]) == 'n' && hasPrefixFold(s[from-1:n.start], "name") {
			if names++; names == 2 { // what is before another name belongs to that one
				break
			}
		}
		if c == '}' || c == ']' {
			depth++
		}
		if c == '{' || c == '[' {
			if depth--; depth < 0 {
				break
			}
		}
		if c == '<' && from < len(s) && isLetter(s[from]) && strings.IndexByte(s[from:n.start], '=') >= 0 { // of an element with attributes
			break
		}
		if c == '-' && from < n.start && s[from] == ' ' {
			if _, _, ok := lineStart(s, from-1); ok {
				break
			}
		}
		from--
	}
	rest := s[from:n.start]
	for _, key := range valueKeys {
		i := lastFold(rest, key)
		if i < 0 || i > 0 && isLetter(rest[i-1]) && !(rest[i-1] == 'n' && i > 1 && rest[i-2] == '\\') {
			continue
		}
		if _, ok := f.pairValue(n, from+i+len(key)); ok {
			return
		}
	}
}

func lastFold(s, key string) int {
	for i := len(s) - len(key); i >= 0; i-- {
		if hasPrefixFold(s[i:], key) {
			return i
		}
	}
	return -1
}

// tagText reads the text of an element that has the name as an attribute: <entry key="password">x</entry>.
func (f *finder) tagText(n field, end int) (next int, ok bool) {
	s := f.s
	open := strings.LastIndexByte(s[max(0, n.start-maxAround):n.start], '<')
	if open < 0 {
		return 0, false
	}
	i := strings.IndexAny(s[n.end:min(end, n.end+maxAround)], "<>")
	if i < 0 || s[n.end+i] != '>' || s[n.end+i-1] == '/' {
		return 0, false
	}
	return f.element(n, n.end+i+1)
}

// isTag reports whether the name at s[at:] is that of an opening element: <password>, <ns:password>.
func isTag(s string, at int) bool {
	for at > 0 && (isNameByte(s[at-1]) || s[at-1] == ':') {
		at--
	}
	return at > 0 && s[at-1] == '<' || strings.HasSuffix(s[:at], "&lt;") || strings.HasSuffix(s[:at], `\u003c`) || strings.HasSuffix(s[:at], `u003c`)
}

// element hides the text of an element: <password>x</password>. A text that is cut ends with its line.
func (f *finder) element(n field, at int) (next int, ok bool) {
	s := f.s
	limit := min(len(s), at+16*maxValue)
	if strings.HasPrefix(s[at:], "<![CDATA[") {
		at += len("<![CDATA[")
	}
	for at < limit && (isSpace(s[at]) || isEnd(s[at])) {
		at++
	}
	if at < limit && s[at] == '@' { // https://<user>:<password>@host
		return 0, false
	}
	end := at
	for end < limit && s[end] != '<' && !strings.HasPrefix(s[end:], "]]>") && !strings.HasPrefix(s[end:], "&lt;") && !strings.HasPrefix(s[end:], `\u003c`) {
		end++
	}
	if end < len(s) && (s[end] != '<' || end+1 < len(s) && s[end+1] != '/') && s[end] != ']' && s[end] != '&' && s[end] != '\\' {
		return 0, false // <password> is a placeholder
	}
	if end == len(s) && (end == at || strings.ContainsAny(s[at:end], " \n\"'`;,")) {
		return 0, false
	}
	for end > at && (isSpace(s[end-1]) || isEnd(s[end-1])) {
		end--
	}
	if end > at && (end-at > maxValue || f.hides(n, s[at:end], secretname.Quoted)) {
		for _, part := range textLines(s, at, end) {
			f.hide(part.Start, part.End)
		}
	}
	return end, true
}
