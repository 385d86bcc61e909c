package pattern

import (
	"regexp/syntax"
	"strings"
)

// word is a part of a text.
type word struct {
	text string
	// folded: upper and lower case are the same; the text is in lower case.
	folded bool
}

func (w word) in(s string) bool {
	if !w.folded {
		return strings.Contains(s, w.text)
	}
	lower := w.text[0]
	// Where the next of each case is. One is looked for again only once the other has passed it: in a text of small letters the rest
	// would be searched for a capital letter again and again.
	nextLower, nextUpper := indexFrom(s, lower, 0), len(s)
	upper := strings.ToUpper(w.text[:1])[0]
	if upper != lower {
		nextUpper = indexFrom(s, upper, 0)
	}
	for {
		at := min(nextLower, nextUpper)
		switch {
		case len(s)-at < len(w.text):
			return false
		case strings.EqualFold(s[at:at+len(w.text)], w.text):
			return true
		case at == nextLower:
			nextLower = indexFrom(s, lower, at+1)
		default:
			nextUpper = indexFrom(s, upper, at+1)
		}
	}
}

// indexFrom is where a byte is in a text, from a place on; the length of the text if it is not.
func indexFrom(s string, b byte, from int) int {
	if at := strings.IndexByte(s[from:], b); at >= 0 {
		return from + at
	}
	return len(s)
}

// maxWords is how many words are looked for at most: with more of them the expression is as fast.
const maxWords = 24

// needed are words of which every match of an expression contains one; none where there are no such words.
func needed(expr string) []word {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil // package regexp says it
	}
	words := wordsOf(parsed.Simplify())
	if len(words) > maxWords {
		return nil
	}
	return words
}

func wordsOf(re *syntax.Regexp) []word {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return folded(re.Rune)
		}
		return []word{{text: string(re.Rune)}}
	case syntax.OpCapture, syntax.OpPlus:
		return wordsOf(re.Sub[0])
	case syntax.OpConcat:
		return best(re.Sub)
	case syntax.OpAlternate:
		var all []word
		for _, sub := range re.Sub {
			words := wordsOf(sub)
			if len(words) == 0 {
				return nil
			}
			all = append(all, words...)
		}
		return all
	default:
		return nil
	}
}

// folded is the longest part of a literal that has no other forms than those of ASCII: k is also the sign of kelvin, s also the long s.
func folded(literal []rune) []word {
	longest := ""
	for part := range strings.FieldsFuncSeq(strings.ToLower(string(literal)), func(r rune) bool { return r == 'k' || r == 's' || r >= 0x80 }) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	if longest == "" {
		return nil
	}
	return []word{{text: longest, folded: true}}
}

// best are the words of the part that most texts lack: the one whose shortest word is longest, then the one with fewest words.
func best(parts []*syntax.Regexp) []word {
	var out []word
	most := 0
	for _, part := range parts {
		words := wordsOf(part)
		if n := shortest(words); n > most || n == most && n > 0 && len(words) < len(out) {
			out, most = words, n
		}
	}
	return out
}

// shortest is the length of the shortest word; 0 without words.
func shortest(words []word) int {
	n := 0
	for i, w := range words {
		if i == 0 || len(w.text) < n {
			n = len(w.text)
		}
	}
	return n
}
