package message

import (
	"iter"
	"strings"
)

// outside yields the places in a text that are not within quotes or brackets. A quote or bracket that nothing closes, as in a text
// that was cut, is a character like any other; so is an apostrophe.
func outside(s string) iter.Seq[int] {
	return func(yield func(int) bool) {
		ends := closed(s)
		for i := 0; i < len(s); i++ {
			if ends != nil && ends[i] > 0 {
				i = int(ends[i])
				continue
			}
			if !yield(i) {
				return
			}
		}
	}
}

// closed tells of each place in a text where the quote or bracket that begins there ends; 0 if none begins or nothing closes it. It
// is nil for a text without any. Each bracket is matched with those of its kind, whatever else stands between them.
//
// It goes through the text once, from its end, so that it knows what follows: to look for the end of each bracket takes as long as
// the text is for each that nothing closes.
func closed(s string) []int32 {
	if !strings.ContainsAny(s, "\"`'([{<") {
		return nil
	}
	ends := make([]int32, len(s))
	var quotes [3]int32 // where the next of each kind is; 0 if there is none
	var brackets [4][]int32
	for i := len(s) - 1; i >= 0; i-- {
		at := int32(i)
		switch b := s[i]; b {
		case '"', '`':
			next := &quotes[strings.IndexByte("\"`", b)]
			ends[i], *next = *next, at
		case '\'':
			if i == 0 || strings.IndexByte(" =([", s[i-1]) >= 0 {
				ends[i] = quotes[2]
			}
			if i+1 == len(s) || strings.IndexByte(" .,:;)]'\"", s[i+1]) >= 0 { // otherwise it is an apostrophe within the quote
				quotes[2] = at
			}
		case ')', ']', '}', '>':
			open := &brackets[strings.IndexByte(")]}>", b)]
			*open = append(*open, at)
		case '(', '[', '{', '<':
			open := &brackets[strings.IndexByte("([{<", b)]
			if last := len(*open) - 1; last >= 0 {
				ends[i], *open = (*open)[last], (*open)[:last]
			}
		}
	}
	return ends
}
