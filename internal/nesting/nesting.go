// Package nesting measures how deep a JSON text is nested before anything decodes it: a decoder descends into what was made to
// exhaust it.
package nesting

// Levels is how deep a document from outside may be nested, and one in a string of it. The schema of a definition, the deepest Kubernetes
// object there is, has about 100; a text that is printed or saved grows with the square.
const Levels = 1000

// TooDeep reports whether a JSON text has more than [Levels]. It counts brackets outside of strings, and does not check the text
// otherwise.
func TooDeep(text []byte) bool {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > Levels {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}
