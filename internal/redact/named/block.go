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
