package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// below reads the value on the lines after its name: a scalar, the members of a list, or a map of secrets.
func (f *finder) below(n field, at int) (next int, ok bool) {
	s := f.s
	depth, _, starts := lineStart(s, n.start)
	from := skipLineEnd(s, at)
	if from <= at || from >= len(s) {
		return at, true
	}
	width, text := indentation(s, from)
	if text >= len(s) || atLineEnd(s, text) {
		return from, true
	}
	if q, isQuoted := openQuote(s, text); isQuoted && (width > 0 || !starts) {
		end := f.quoteEnd(q)
		after := f.skipSpace(min(len(s), end+len(q.mark)))
		if after < len(s) && s[after] == ':' {
			return from, true // another name
		}
		return f.quotedValue(n, q, secretname.Quoted)
	}
	if !starts && n.Plural && width > 0 && isKeyLine(s, text) { // a document behind the sentence that quotes it
		return f.lines(n, from, 0, false), true
	}
	if !starts {
		return f.wordBelow(n, from, width, text)
	}
	dash := strings.HasPrefix(s[text:], "- ") || text > from && s[text-1] == ' ' && strings.HasSuffix(strings.TrimRight(s[from:text], " "), "-")
	if width < depth || width == depth && !dash {
		return from, true
	}
	if dash && !(n.Plural || n.Class == secretname.Password || n.Class == secretname.Key) {
		return from, true
	}
	if !dash && isKeyLine(s, text) && !n.Plural {
		key := field{Kind: n.Kind, start: text, end: keyEnd(s, text, f.lineEnd(text, false))}
		if at := f.skipSpace(key.end + 1); parts[strings.ToLower(s[text:key.end])] && !atLineEnd(s, at) {
			return f.read(key, colon, at, secretname.Quoted)
		}
		return from, true
	}
	return f.lines(n, from, depth, dash), true
}

// loneWordBelow hides the only word of the line below a name whose value was wrapped: PASSWORD=, and x on the next line.
func (f *finder) loneWordBelow(n field, at int) {
	next := skipLineEnd(f.s, at)
	end := f.lineEnd(next, false)
	if word := strings.TrimSpace(f.s[next:end]); n.Class != secretname.Address && !strings.ContainsAny(word, " =:") && secretname.Made(word) {
		start := next + strings.Index(f.s[next:end], word)
		f.hide(start, start+len(word))
	}
}

// wordBelow hides the only word of the line below a name that is in the middle of its own.
func (f *finder) wordBelow(n field, from, width, text int) (next int, ok bool) {
	s := f.s
	end := yamlEnd(s, text, f.lineEnd(text, false))
	value := s[text:end]
	if width > 0 && !strings.ContainsAny(value, " {}[]") && !strings.HasSuffix(value, ":") && !secretname.IsMessage(value) && f.hides(n, value, secretname.Assigned) {
		f.hide(text, end)
		return end, true
	}
	return from, true
}

// lines hides the scalars below a name, until the indentation ends.
func (f *finder) lines(n field, from, depth int, list bool) int {
	s := f.s
	first := true
	for from < len(s) {
		width, text := indentation(s, from)
		if text >= len(s) || atLineEnd(s, text) || width < depth || width == depth && !list {
			return from
		}
		end := f.lineEnd(text, false)
		if i := strings.IndexByte(s[text:end], '"'); i > 0 && s[text+i-1] == '\\' {
			return from
		}
		start := text
		if key := keyEnd(s, text, end); key > text {
			if !n.Plural || refersTo(s[text:key]) {
				return from
			}
			start = f.skipSpace(key + 1)
		}
		stop := yamlEnd(s, start, end)
		if q, ok := openQuote(s, start); ok {
			start, stop = q.start, min(f.quoteEnd(q), end)
		}
		where := secretname.Quoted
		if n.Class == secretname.Ambiguous {
			where = secretname.Assigned
		}
		if value := s[start:stop]; (first || list || n.Plural) && (len(value) > maxValue || f.hides(n, value, where) && !secretname.IsMessage(value)) || !first && !list {
			f.hide(start, stop)
		} else if !list && !n.Plural {
			return from
		}
		first = false
		if from = skipLineEnd(s, end); from <= end {
			return end
		}
	}
	return from
}

// isKeyLine recognises "name: value" and "name:" at s[at:].
func isKeyLine(s string, at int) bool {
	i := at
	for limit := min(len(s), at+maxAround); i < limit && (isNameByte(s[i]) || s[i] == '/' || isQuote(s[i])); {
		i++
	}
	return i > at && i < len(s) && s[i] == ':' && (atLineEnd(s, i+1) || isSpace(s[i+1]))
}

// keyEnd is where the key of a line ends; at if it has none.
func keyEnd(s string, at, end int) int {
	i := at
	for i < end && (isNameByte(s[i]) || s[i] == '/' || isQuote(s[i])) {
		i++
	}
	if i > at && i < end && s[i] == ':' && (i+1 == end || isSpace(s[i+1])) {
		return i
	}
	return at
}

// refersTo recognises a key that says where a secret is.
func refersTo(key string) bool {
	key = strings.ToLower(strings.Trim(key, `"'`))
	for _, end := range [...]string{"name", "ref", "key", "namespace", "path", "file", "url", "kind", "version", "property", "secret", "enabled", "type", "user", "host", "port", "description", "valuefrom", "from"} {
		if strings.HasSuffix(key, end) {
			return true
		}
	}
	return false
}

// block hides the lines of a block scalar (password: |-) and of a heredoc (password = <<EOF).
func (f *finder) block(n field, at int) (next int, ok bool) {
	s := f.s
	head := at
	for at < len(s) && strings.IndexByte("|><+-~0123456789", s[at]) >= 0 {
		at++
	}
	heredoc := strings.HasPrefix(s[head:], "<<")
	tag := at
	for heredoc && at < len(s) && (isNameByte(s[at]) || isQuote(s[at])) {
		at++
	}
	end := strings.Trim(s[tag:at], `"'`)
	at = f.skipSpace(at)
	if !atLineEnd(s, at) || heredoc && end == "" {
		return 0, false
	}
	depth, _, starts := lineStart(s, n.start)
	if !starts {
		depth = 0
	}
	from := skipLineEnd(s, at)
	shown := n.Class == secretname.Ambiguous
	for from > at && from < len(s) {
		stop := f.lineEnd(from, false)
		width, text := indentation(s, from)
		text = min(text, stop)
		if heredoc && strings.TrimSpace(s[text:stop]) == end {
			return stop, true
		}
		if text < stop && width <= depth && !heredoc {
			return from, true
		}
		if width > depth+8 && s[text-1] == '-' { // the value may begin with a dash
			text--
		}
		value := strings.TrimRight(s[text:stop], " \t\r")
		if !secretname.Placeholder(value) && !(shown && !f.hides(n, value, secretname.Assigned)) {
			f.hide(text, text+len(value))
		}
		at = stop
		from = skipLineEnd(s, stop)
	}
	return from, true
}

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
