package named

import "strings"

// atLineEnd reports whether the line ends at s[at], which may be inside of another text: with \n in letters.
func atLineEnd(s string, at int) bool {
	return at >= len(s) || isEnd(s[at]) || s[at] == '\\' && escapedEnd(s, at) > at
}

// escapedEnd is behind an escaped line end at s[at]; at if there is none.
func escapedEnd(s string, at int) int {
	end := skipBackslashes(s, at)
	if end > at && end < len(s) && (s[end] == 'n' || s[end] == 'r') {
		return end + 1
	}
	return at
}

// skipLineEnd is the start of the next line.
func skipLineEnd(s string, at int) int {
	for at < len(s) {
		switch {
		case s[at] == '\n':
			return at + 1
		case s[at] == '\r':
			at++
		case s[at] == '\\' && escapedEnd(s, at) > at:
			end := escapedEnd(s, at)
			if s[end-1] == 'n' {
				return end
			}
			at = end
		default:
			return at
		}
	}
	return at
}

// lineEnd is where the line of s[at] ends. In a text inside of another one, inside says so, that is also its closing quote.
func lineEnd(s string, at int, inside bool) int {
	for ; at < len(s); at++ {
		switch {
		case isEnd(s[at]):
			return at
		case s[at] == '\\':
			if escapedEnd(s, at) > at {
				return at
			}
			end := skipBackslashes(s, at)
			if inside && end < len(s) && s[end] == '"' {
				return at
			}
			at = end
		case inside && s[at] == '"':
			return at
		}
	}
	return len(s)
}

// lineStart reports whether nothing but indentation, the sign of a diff, a dash or a quote is before s[at] on its line.
// depth is the width of that; inside says that the line is one of a text inside of another one.
func lineStart(s string, at int) (depth int, inside, ok bool) {
	i := at
	for i > max(0, at-maxAround) {
		switch c := s[i-1]; {
		case c == '\n':
			return at - i, false, true
		case isSpace(c), c == '-', c == '+', c == '>', c == '<', c == '|', c == '?':
			i--
			continue
		case c == '"' || c == '\'':
			if i == at { // of the name itself, or of the text that begins with it
				i--
				continue
			}
			return at - i, true, c == '"'
		case (c == 'n' || c == 'r') && i > 1 && s[i-2] == '\\':
			return at - i, true, true
		}
		return 0, false, false
	}
	return at - i, false, i == 0
}

// indentation is the width of what is before the text of a line at s[at:].
func indentation(s string, at int) (depth, text int) {
	text = at
	for text < len(s) && (isSpace(s[text]) || s[text] == '+' || s[text] == '-' && (text == at || text+1 < len(s) && s[text+1] == ' ')) {
		text++
	}
	return text - at, text
}

// opensBelow reports whether the next line has more than the end of the text.
func opensBelow(s string, at int) bool {
	next := skipLineEnd(s, at)
	_, text := indentation(s, next)
	return next > at && text > next && text < len(s) && !atLineEnd(s, text)
}

// isAssignment recognises a line such as "db.host = x" or "DB_HOST=x".
func isAssignment(s string, at, end int) bool {
	line := strings.TrimLeft(s[at:min(end, at+maxAround)], " \t+-")
	line = strings.TrimPrefix(line, "export ")
	i := 0
	for i < len(line) && isNameByte(line[i]) {
		i++
	}
	rest := strings.TrimLeft(line[i:], " \t")
	return i > 0 && strings.HasPrefix(rest, "=") || strings.HasPrefix(line, "[") && strings.HasSuffix(strings.TrimSpace(line), "]")
}

// isName recognises the name of a variable.
func isName(s string) bool {
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return s != ""
}
