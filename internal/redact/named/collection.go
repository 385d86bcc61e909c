package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// collection hides the members of a list, and of a map if the name is of several secrets.
func (f *finder) collection(n field, op operator, at int) (next int, ok bool) {
	s := f.s
	limit := min(len(s), at+16*maxValue)
	isMap := s[at] == '{'
	if end := strings.IndexByte(s[at:min(len(s), at+32)], ']'); !isMap && end > 0 && secretname.Placeholder(s[at:at+end+1]) { // [FILTERED]
		return at + end + 1, true
	}
	if isMap && (!n.Plural || op == equals) {
		f.inside(n, at)
		return f.braced(n, op, at)
	}
	if !isMap && !n.Plural && n.Class != secretname.Password && n.Class != secretname.Key && op != glued && op != colon {
		return at + 1, true
	}
	i := at + 1
	key := isMap
	shown := 0 // where the first value begins that is shown, and may have secrets of its own in it
	for i < limit {
		c := s[i]
		switch {
		case (c == ']' || c == '}') && shown > 0:
			return shown, true
		case c == ']' || c == '}':
			return i, true
		case c == '{' || c == '[':
			return i, true // described, not given
		case isSpace(c) || isEnd(c) || c == ',':
			key = isMap
			i++
			continue
		case c == '\\' && escapedEnd(s, i) > i:
			i = escapedEnd(s, i)
			continue
		}
		start, stop, after := f.member(i, key)
		if after <= i {
			return i, true
		}
		if key {
			if refersTo(s[start:stop]) {
				return i, true
			}
			i = f.skipSpace(after)
			if i >= len(s) || s[i] != ':' && s[i] != '=' {
				return i, true
			}
			i, key = f.skipSpace(i+1), false
			continue
		}
		value := s[start:stop]
		where := secretname.Assigned
		if after > stop {
			where = secretname.Quoted
		}
		if len(value) > maxValue || f.hides(n, value, where) && !(where == secretname.Assigned && secretname.IsMessage(value)) {
			f.hide(start, stop)
		} else if shown == 0 {
			shown = start
		}
		i = after
	}
	return i, true
}

// braced hides a value that is in braces because of the semicolons in it: UID=sa;PWD={x};. Anything else in braces is a map.
func (f *finder) braced(n field, op operator, at int) (next int, ok bool) {
	s := f.s
	i := strings.IndexByte(s[at:min(len(s), at+maxValue)], '}')
	for i > 0 && strings.HasPrefix(s[at+i:], "}}") && at+i+2 < len(s) { // stands for one
		next := strings.IndexByte(s[at+i+2:min(len(s), at+maxValue)], '}')
		if next < 0 {
			break
		}
		i += 2 + next
	}
	if op != equals || i < 2 || before(s, n.start) != ';' && !strings.HasPrefix(s[at+i+1:], ";") {
		return at + 1, true
	}
	if value := s[at+1 : at+i]; op == equals && !strings.ContainsAny(value, "\"\n") && f.hides(n, value, secretname.Assigned) {
		f.hide(at+1, at+i)
		return at + i, true
	}
	return at + 1, true
}

// parts are what an object has that is described by the name before it: password: {value: x}, token: {hash: x}.
var parts = wordsOf(`value val hash data text content plain plaintext cleartext string raw default current new old encoded decoded literal stringvalue`)

// inside hides the parts of an object that has the name of a secret.
func (f *finder) inside(n field, at int) {
	s := f.s
	f.look(maxAround)
	limit := min(len(s), at+maxAround)
	for i := at + 1; i < limit && s[i] != '}'; i++ {
		end := i
		for end < limit && isLetter(s[end]) {
			end++
		}
		if end == i {
			continue
		}
		key := field{Kind: n.Kind, start: i, end: end}
		if !parts[strings.ToLower(s[i:end])] || isNameByte(s[i-1]) {
			i = end
			continue
		}
		if op, from, quoted := f.operator(key); quoted && (op == colon || op == equals) {
			if q, ok := openQuote(s, from); ok {
				f.quotedValue(key, q, secretname.Quoted)
				end = min(limit, f.quoteEnd(q))
			}
		}
		i = end
	}
}
