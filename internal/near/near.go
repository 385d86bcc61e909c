// Package near finds what was probably meant by an unknown name: for "did you mean …?".
package near

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agext/levenshtein" // 300 lines, no dependencies, finished: edit distance with a bonus for the same start
)

// Threshold is the similarity (0 to 1) from which a name was probably meant: two slips in a name of six.
const Threshold = 0.6

// Rank returns what scores at least the threshold, the nearest first. Among equals order decides; nil leaves them as they are.
func Rank[T any](all []T, threshold float64, score func(T) float64, order func(a, b T) int) []T {
	type candidate struct {
		value T
		score float64
	}
	var near []candidate
	for _, v := range all {
		if s := score(v); s >= threshold {
			near = append(near, candidate{v, s})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int {
		if c := cmp.Compare(b.score, a.score); c != 0 || order == nil {
			return c
		}
		return order(a.value, b.value)
	})
	var out []T
	for _, c := range near {
		out = append(out, c.value)
	}
	return out
}

// Word is the similarity of two words: commands, flags, keys. Two letters swapped are one slip, which is much in a word as short as
// "why". Case does not matter.
func Word(written, word string) float64 {
	written, word = strings.ToLower(written), strings.ToLower(word)
	if isSwap(written, word) {
		return 1 - 1/float64(len(word))
	}
	return levenshtein.Match(written, word, nil)
}

// isSwap reports whether two words differ only in two letters that stand in each other's place.
func isSwap(a, b string) bool {
	if len(a) != len(b) || a == b {
		return false
	}
	i := 0
	for a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// Nearest is the word that another one is most similar to; "" if it is similar to none.
func Nearest(written string, words []string) string {
	candidates := Rank(words, Threshold, func(word string) float64 { return Word(written, word) }, nil)
	if len(candidates) == 0 {
		return ""
	}
	return candidates[0]
}

// Application is the similarity of the name of an application with the one that was written: 1 for the same name, and at
// least 0.8 if one contains the other, because people leave out an environment. Names are in lower case; what people
// write may not be.
func Application(written, name string) float64 {
	written, name = strings.ToLower(written), strings.ToLower(name)
	score := levenshtein.Match(written, name, nil)
	if len(written) >= 3 && len(name) >= 3 && (strings.Contains(name, written) || strings.Contains(written, name)) {
		short, long := min(len(written), len(name)), max(len(written), len(name))
		score = max(score, 0.8+0.2*float64(short)/float64(long))
	}
	return score
}
