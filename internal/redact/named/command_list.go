package named

import "strings"

// argsBehind is where the arguments begin that follow a command in a manifest, after the bracket at s[at]:
// "command":["mysql"],"args":["-p","x"]. It is at if there are none.
func argsBehind(s string, at int) int {
	i := at + 1
	for i < min(len(s), at+maxAround) && (isSpace(s[i]) || isEnd(s[i]) || s[i] == ',' || s[i] == '\\' || isQuote(s[i])) {
		i++
	}
	if !hasPrefixFold(s[i:], "args") {
		return at
	}
	for i += len("args"); i < len(s) && i < at+maxAround; i++ {
		if s[i] == '[' {
			return i + 1
		}
		if strings.IndexByte("\\\"':= ", s[i]) < 0 {
			break
		}
	}
	return at
}

// itemBelow is where the next item of a list in YAML begins, after the line that ends at s[at]; at if no item follows. The list of a
// command may be followed by that of its arguments.
func itemBelow(s string, at int) int {
	if !isItem(s, at-1) {
		return at
	}
	next := skipLineEnd(s, at)
	_, text := indentation(s, next)
	if strings.HasPrefix(s[text:], "args:") {
		next = skipLineEnd(s, text+len("args:"))
		_, text = indentation(s, next)
	}
	if text >= len(s) || text < 2 || s[text-2:text] != "- " {
		return at
	}
	return text
}

// longestLine is the longest one of a list of arguments that is read.
const longestLine = 8 * maxValue

// isItem reports whether s[at] is on a line that is an item of a list.
func isItem(s string, at int) bool {
	from := max(0, at-longestLine)
	start := from + strings.LastIndexByte(s[from:max(0, at)+1], '\n') + 1
	if start == from && from > 0 {
		return false // nobody writes such a line into a list
	}
	_, text := indentation(s, start)
	return text >= 2 && text <= len(s) && text-start >= 2 && s[text-2:text] == "- "
}
