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
	lower, upper := w.text[0], strings.ToUpper(w.text[:1])[0]
	for from := 0; len(s)-from >= len(w.text); from++ {
		at := strings.IndexByte(s[from:], lower)
		if upper != lower {
			if other := strings.IndexByte(s[from:], upper); at < 0 || other >= 0 && other < at {
				at = other
			}
		}
		if at < 0 {
			return false
		}
		if from += at; len(s)-from >= len(w.text) && strings.EqualFold(s[from:from+len(w.text)], w.text) {
			return true
		}
	}
	return false
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
