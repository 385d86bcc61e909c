package secretname

import "strings"

// maxName is the longest name that is read as one; only its end decides, so a longer one is cut in front.
const maxName = 160

// words are the words of a name in lower case, without its digits.
type words struct {
	text  [maxName]byte
	bound [maxName + 1]int // word i is text[bound[i]:bound[i+1]]
	n     int
}

// split reads a name as words. A word ends at what is no letter, at a lower case letter before an upper case one, and before the
// last capital of several (APIKey).
func (w *words) split(name string) {
	name = name[max(0, len(name)-maxName):]
	at := 0
	end := func() {
		if at > w.bound[w.n] {
			w.n++
			w.bound[w.n] = at
		}
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case 'a' <= c && c <= 'z':
		case 'A' <= c && c <= 'Z':
			if i > 0 && isLower(name[i-1]) || i > 0 && isUpper(name[i-1]) && i+1 < len(name) && isLower(name[i+1]) && !pluralAt(name, i+1) {
				end()
			}
			c += 'a' - 'A'
		case c >= 0x80: // contraseña
		default:
			end()
			continue
		}
		w.text[at] = c
		at++
	}
	end()
}

// pluralAt recognises the s of PASSWORDs and of APIs.
func pluralAt(name string, i int) bool {
	return name[i] == 's' && (i+1 == len(name) || !isLower(name[i+1]))
}

// word is the i-th word from the end, 0 being the last one; empty if there are fewer.
func (w *words) word(i int) []byte {
	if i >= w.n {
		return nil
	}
	at := w.n - 1 - i
	return w.text[w.bound[at]:w.bound[at+1]]
}

// drop forgets the last word.
func (w *words) drop() { w.n-- }

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isEnvironment recognises the name of an environment variable. Their values are rarely names of objects.
func isEnvironment(name string) bool {
	return name != "" && isUpper(name[0]) && strings.IndexFunc(name, func(r rune) bool {
		return !('A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_')
	}) < 0
}
