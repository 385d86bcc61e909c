package redact

import (
	"slices"
	"strings"
)

// keywords finds the rules that are worth trying. The first two bytes of every keyword index a table, so a text
// without any keyword costs one look-up a byte.
type keywords struct {
	bucket [1 << 16]uint16 // 0: no keyword begins like that; otherwise an index into lists, plus one
	lists  [][]keyword
	always []int // the rules that have none, or one that is too short to look for
}

type keyword struct {
	text string // lower case, at least two bytes
	rule int
}

func newKeywords(rules []compiled) *keywords {
	k := &keywords{}
	for i, r := range rules {
		if len(r.keywords) == 0 || slices.ContainsFunc(r.keywords, func(text string) bool { return len(text) < 2 }) {
			k.always = append(k.always, i)
			continue
		}
		for _, text := range r.keywords {
			at := pair(text[0], text[1])
			if k.bucket[at] == 0 {
				k.lists = append(k.lists, nil)
				k.bucket[at] = uint16(len(k.lists)) // there are a few hundred keywords
			}
			list := &k.lists[k.bucket[at]-1]
			*list = append(*list, keyword{text, i})
		}
	}
	return k
}

func pair(a, b byte) int { return int(a)<<8 | int(b) }

// How much of a line around a keyword a rule sees. Lines are usually shorter; a log can be one line of a megabyte.
const (
	windowBefore = 512
	windowAfter  = 4 << 10
	// A private key of 8192 bits is 6.3 KB long.
	windowLines = 16 << 10
	// An anchored rule sees a value whose end is found in another way if it is longer, see valueEnd.
	windowAnchored = 512
)

// window is the part of s that the rule must look at because of the keyword at s[i], in the given line.
func (r *rule) window(s string, line span, i int) span {
	switch {
	case r.anchored && r.lines:
		return wholeRunes(s, span{i, min(len(s), i+windowAnchored)})
	case r.anchored:
		return wholeRunes(s, span{i, min(line.end, i+windowAnchored)})
	case r.lines:
		return wholeRunes(s, span{line.start, min(len(s), i+windowLines)})
	}
	return wholeRunes(s, span{max(line.start, i-windowBefore), min(line.end, i+windowAfter)})
}

// windows returns for every rule the parts of s it must look at, in order. They do not overlap, except those of an
// anchored rule. The result is nil if there are none.
func (k *keywords) windows(s string, rules []compiled) [][]span {
	var result [][]span
	if len(k.always) > 0 {
		result = make([][]span, len(rules))
		for _, i := range k.always {
			result[i] = []span{{0, len(s)}}
		}
	}
	line := span{0, -1}
	for i := 0; i+1 < len(s); i++ {
		b := k.bucket[pair(lower(s[i]), lower(s[i+1]))]
		if b == 0 {
			continue
		}
		for _, word := range k.lists[b-1] {
			if !hasPrefixLower(s[i:], word.text) {
				continue
			}
			if i > line.end {
				line = lineAround(s, i)
			}
			if result == nil {
				result = make([][]span, len(rules))
			}
			list := result[word.rule]
			w := rules[word.rule].window(s, line, i)
			if n := len(list); n > 0 && w.start < list[n-1].end && !rules[word.rule].anchored {
				list[n-1].end = max(list[n-1].end, w.end)
				continue
			}
			result[word.rule] = append(list, w)
		}
	}
	return result
}

// lineAround is the line that contains s[i], without its newline.
func lineAround(s string, i int) span {
	start := strings.LastIndexByte(s[:i], '\n') + 1
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return span{start, i + n}
	}
	return span{start, len(s)}
}

// wholeRunes widens w so it cuts no character in two.
func wholeRunes(s string, w span) span {
	for w.start > 0 && isContinuation(s[w.start]) {
		w.start--
	}
	for w.end < len(s) && isContinuation(s[w.end]) {
		w.end++
	}
	return w
}

func isContinuation(b byte) bool { return b&0xC0 == 0x80 }

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + ('a' - 'A')
	}
	return b
}

func hasPrefixLower(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
