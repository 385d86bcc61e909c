package redact

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// keywords finds the rules that are worth trying, with one look-up a byte for a text without any keyword.
type keywords struct {
	// triples tells by the last five bits of three bytes, which do not depend on their case, whether a keyword may begin like that: 4 KB,
	// which stay in the processor's cache.
	triples [1 << 15 / 64]uint64
	bucket  [1 << 16]uint16 // by the first two bytes. 0: no keyword begins like that; otherwise an index into lists, plus one
	lists   [][]keyword
	always  []int // the rules that have none, or one that is too short to look for
	free    sync.Pool
}

type keyword struct {
	text string // lower case, at least two bytes
	rule int
}

func newKeywords(rules []compiled) *keywords {
	k := &keywords{}
	k.free.New = func() any { return &windows{of: make([][]span, len(rules))} }
	for i, r := range rules {
		if len(r.keywords) == 0 || slices.ContainsFunc(r.keywords, func(text string) bool { return len(text) < 2 }) {
			k.always = append(k.always, i)
			continue
		}
		for _, text := range r.keywords {
			k.add(text, keyword{text, i})
			k.add(strings.ToUpper(text), keyword{text, i}) // the same, but for letters beyond ASCII
		}
	}
	return k
}

// add takes a keyword that may be written like that.
func (k *keywords) add(text string, word keyword) {
	first := triple(triple(0, text[0]), text[1])
	for third := range byte(32) { // any third byte, if the keyword has none, or one that depends on its case
		if len(text) == 2 || text[2] >= utf8.RuneSelf || third == text[2]&31 {
			at := triple(first, third)
			k.triples[at/64] |= 1 << (at % 64)
		}
	}
	at := pair(lower(text[0]), lower(text[1]))
	if k.bucket[at] == 0 {
		k.lists = append(k.lists, nil)
		k.bucket[at] = uint16(len(k.lists)) // there are a few hundred keywords
	}
	if list := &k.lists[k.bucket[at]-1]; !slices.Contains(*list, word) {
		*list = append(*list, word)
	}
}

// triple takes one more byte into the last three.
func triple(before uint32, b byte) uint32 { return (before<<5 | uint32(b)&31) & (1<<15 - 1) }

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

// windows are the parts of a text that rules must look at, in order for each rule. They do not overlap, except those of an anchored
// rule.
type windows struct {
	of    [][]span // by rule
	rules []int    // those that have any
}

// windows returns those of s; giveBack takes them when they are no longer needed.
func (k *keywords) windows(s string, rules []compiled) *windows {
	found, _ := k.free.Get().(*windows)
	for _, i := range k.always {
		found.add(i, span{0, len(s)}, false)
	}
	line := span{0, -1}
	last := uint32(0)
	for end := range len(s) + 1 {
		var b byte // none behind a keyword of two bytes at the end
		if end < len(s) {
			b = s[end]
		}
		last = triple(last, b)
		i := end - 2
		if k.triples[last/64]&(1<<(last%64)) == 0 || i < 0 {
			continue
		}
		list := k.bucket[pair(lower(s[i]), lower(s[i+1]))]
		if list == 0 {
			continue
		}
		for _, word := range k.lists[list-1] {
			if !hasPrefixLower(s[i:], word.text) {
				continue
			}
			if i > line.end {
				line = lineAround(s, i)
			}
			r := &rules[word.rule]
			found.add(word.rule, r.window(s, line, i), r.anchored)
		}
	}
	slices.Sort(found.rules) // what is found does not depend on it, but is found in the same order
	return found
}

// add takes a window of a rule; apart says that it may overlap with the one before.
func (w *windows) add(rule int, at span, apart bool) {
	list := w.of[rule]
	if len(list) == 0 {
		w.rules = append(w.rules, rule)
	} else if before := &list[len(list)-1]; at.start < before.end && !apart {
		before.end = max(before.end, at.end)
		return
	}
	w.of[rule] = append(list, at)
}

func (k *keywords) giveBack(w *windows) {
	for _, i := range w.rules {
		if w.of[i] = w.of[i][:0]; cap(w.of[i]) > 64 { // of a long text
			w.of[i] = nil
		}
	}
	w.rules = w.rules[:0]
	k.free.Put(w)
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
	for least := w.start - utf8.UTFMax; w.start > max(0, least) && isContinuation(s[w.start]); {
		w.start--
	}
	for most := w.end + utf8.UTFMax; w.end < min(len(s), most) && isContinuation(s[w.end]); {
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

// hasPrefixLower compares with a prefix in lower case.
func hasPrefixLower(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower(s[i]) != prefix[i] {
			return prefix[i] >= utf8.RuneSelf && strings.EqualFold(s[:len(prefix)], prefix)
		}
	}
	return true
}
