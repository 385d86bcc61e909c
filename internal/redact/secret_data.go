package redact

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/effort"
)

// dataReader reads the members of maps, whatever language printed them. What it read once it does not read again.
type dataReader struct {
	s     string
	meter *effort.Meter
	found []span
	done  int
	// closings are where the bracket at each place is closed, 0 for none; nil until somebody asks.
	closings []int32
}

// closed tells where the bracket at s[open] is closed. A bracket in a value may mislead it, so it is asked only where no quote
// tells the end.
func (d *dataReader) closed(open int) (end int, ok bool) {
	if d.closings == nil {
		d.meter.Look(passes * len(d.s))
		d.closings = make([]int32, len(d.s))
		var stacks [128][]int32
		for i := range len(d.s) {
			c := d.s[i]
			switch c {
			case '{', '[', '(', '<':
				stacks[closing(c)] = append(stacks[closing(c)], int32(i))
			case '}', ']', ')', '>':
				if n := len(stacks[c]); n > 0 {
					d.closings[stacks[c][n-1]] = int32(i)
					stacks[c] = stacks[c][:n-1]
				}
			}
		}
	}
	end = int(d.closings[open])
	return end, end > 0
}

// inConfigMap reports whether the object around s[at] says that it is a ConfigMap, and names no Secret. It is asked only of a text that has
// one somewhere.
func (d *dataReader) inConfigMap(at int) bool {
	const far = 4 << 10
	d.meter.Look(far)
	for open := at - 1; open >= max(0, at-far); open-- {
		if strings.IndexByte("{[", d.s[open]) < 0 {
			continue
		}
		if end, ok := d.closed(open); ok && end > at {
			d.meter.Look(end - open)
			return strings.Contains(d.s[open:end], "ConfigMap") && !strings.Contains(d.s[open:end], "Secret")
		}
	}
	return false
}

func closing(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return '>'
}

// block hides the values of the map whose members begin at s[at], behind its bracket. The map may be cut.
func (d *dataReader) block(at int) {
	s := d.s
	open := at - 1
	d.done = at
	for !d.meter.Done() {
		at = skipBetween(s, at)
		if at < len(s) && strings.IndexByte("}])>", s[at]) >= 0 {
			at++
			break
		}
		value, quoted := d.key(at)
		if value < 0 {
			break
		}
		if s[open] == '<' && strings.HasPrefix(s[at:], "key:") { // <key:"a" value:"x">
			if _, at = d.quoted(value); at < 0 {
				break
			}
			continue
		}
		at = d.value(value, open, quoted)
		// What a plan changes it to: "old" -> "new".
		if rest := skipSpace(s, at); strings.HasPrefix(s[rest:], "->") {
			at = d.value(skipSpace(s, rest+2), open, quoted)
		}
	}
	d.done = max(d.done, at)
}

// end is where the block opened at s[open] closes, and its line if it does not. A bracket behind which a word goes on is one of a value.
func (d *dataReader) end(open int) int {
	s := d.s[:min(len(d.s), open+windowLines)]
	end, ok := d.closed(open)
	if !ok {
		return open + lineLength(s[open:])
	}
	for end+1 < len(s) && strings.IndexByte(" \t\r\n,;:)]}>\"'`\\.&|", s[end+1]) < 0 {
		next := strings.IndexByte(s[end+1:], s[end])
		if next < 0 {
			break
		}
		d.meter.Look(1 + next)
		end += 1 + next
	}
	return end
}

// lineLength is how long the first line of s is.
func lineLength(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// skipBetween passes over what is between two members: spaces, commas, the signs of a diff.
func skipBetween(s string, at int) int {
	for at = skipSpace(s, at); at < len(s) && (strings.IndexByte(",;~+", s[at]) >= 0 || s[at] == '-' && at+1 < len(s) && strings.IndexByte(" \t\"", s[at+1]) >= 0); {
		at = skipSpace(s, at+1)
	}
	return at
}

// keySteps is about what it costs to read a key.
const keySteps = 512

// quoted is [quotedText] at s[at].
func (d *dataReader) quoted(at int) (value span, rest int) {
	if value, rest = quotedText(d.s, at); rest >= 0 {
		d.meter.Look(rest - at)
	}
	return value, rest
}

// key reads the key at s[at] and returns where its value begins; -1 if there is none.
func (d *dataReader) key(at int) (value int, quoted bool) {
	s := d.s
	d.meter.Look(keySteps)
	at += len(notationsOf().typed.FindString(s[at:min(len(s), at+64)]))
	symbol := at < len(s) && s[at] == ':'
	if at < len(s) && (s[at] == '[' || symbol) { // ["a"]=> of PHP, :a=> of Ruby
		at++
	}
	if _, rest := quotedText(s[:min(len(s), at+keyWindow)], at); rest >= 0 {
		at, quoted = rest, true
	} else {
		start := at
		for at < len(s) && at-start <= 253 && isKeyByte(s[at]) {
			at++
		}
		if at == start {
			return -1, false
		}
	}
	if at < len(s) && s[at] == ']' {
		at++
	}
	at = skipSpace(s, at)
	switch {
	case strings.HasPrefix(s[at:], "->"): // of Scala
		return skipSpace(s, at+2), quoted
	case at < len(s) && s[at] == '"' && symbol: // of Clojure
		return at, quoted
	case at >= len(s) || s[at] != ':' && s[at] != '=':
		return -1, quoted
	}
	if at++; at < len(s) && s[at] == '>' {
		at++
	}
	return skipSpace(s, at), quoted
}

func isKeyByte(b byte) bool {
	return 'a' <= b|0x20 && b|0x20 <= 'z' || '0' <= b && b <= '9' || b == '.' || b == '-' || b == '_'
}

// value hides the value at s[at] of a block that was opened at s[open], and returns what is behind it.
func (d *dataReader) value(at, open int, keyQuoted bool) int {
	s := d.s
	inner := at + len(notationsOf().typed.FindString(s[at:min(len(s), at+64)]))
	if text, rest := d.quoted(inner); rest >= 0 {
		d.hide(text)
		if inner > at && rest < len(s) && s[rest] == ')' { // []byte("x")
			rest++
		}
		return rest
	}
	if inner < len(s) && strings.IndexByte("{[<", s[inner]) >= 0 {
		if stop, ok := d.closed(inner); ok { // bytes, or a map that should not be there
			d.hide(span{inner + 1, stop})
			return stop + 1
		}
	}
	stop := d.bareEnd(inner, max(d.end(open), inner), keyQuoted)
	d.hide(span{inner, stop})
	return stop
}

// bareEnd is where a value without quotes ends: at the next key, or where the block does.
func (d *dataReader) bareEnd(at, end int, keyQuoted bool) int {
	s := d.s
	d.meter.Look(end - at)
	for i := at; i < end && !d.meter.Done(); i++ {
		if strings.IndexByte(" ,\n;", s[i]) < 0 {
			continue
		}
		next := skipBetween(s, i)
		if next >= end {
			return trimRight(s, at, i)
		}
		if value, quoted := d.key(next); value >= 0 && quoted == keyQuoted {
			return trimRight(s, at, i)
		}
	}
	return trimRight(s, at, end)
}

func trimRight(s string, start, end int) int {
	return start + len(strings.TrimRight(s[start:end], " \t\r\n,"))
}

func (d *dataReader) hide(v span) {
	v.end = trimRight(d.s, v.start, v.end)
	for v.start < v.end && strings.IndexByte(" \t\r\n", d.s[v.start]) >= 0 {
		v.start++
	}
	switch text := d.s[v.start:v.end]; {
	case text == "", text == "nil", text == "null", text == "<nil>", text == "None", isMask(text):
	default:
		d.found = append(d.found, v)
	}
	d.done = max(d.done, v.end)
}

// quotedText reads a quoted string at s[at] and returns what is between its quotes, and where the rest begins: -1 if there is no
// string. It may be inside of a string, even a few levels deep: its quote is then preceded by some backslashes, and ends with as
// many. A string that is cut ends with the text.
func quotedText(s string, at int) (value span, rest int) {
	start := at
	for at < len(s) && s[at] == '\\' {
		at++
	}
	if at >= len(s) || strings.IndexByte("\"'`", s[at]) < 0 {
		return span{}, -1
	}
	quote := s[start : at+1]
	value.start = at + 1
	for i := value.start; ; {
		n := strings.IndexByte(s[i:], quote[len(quote)-1])
		if n < 0 {
			return span{value.start, len(s)}, len(s)
		}
		end := i + n - (len(quote) - 1)
		if end >= value.start && s[end:i+n+1] == quote && (end == value.start || s[end-1] != '\\') {
			return span{value.start, end}, i + n + 1
		}
		i += n + 1
	}
}
