package message

import (
	"iter"
	"strings"
)

// The box in which Symfony's console, and so Laravel's and Doctrine's, prints an error: each line is indented by two spaces and
// filled with spaces up to one width, and a longer text is broken there in the middle of a word.
const (
	boxIndent   = "  "
	minBoxWidth = 60
)

// lines are those of a log. What a box broke is one line again.
func lines(log string) iter.Seq[string] {
	if !strings.Contains(log, boxIndent+"\n") {
		return strings.SplitSeq(log, "\n")
	}
	return func(yield func(string) bool) {
		whole, width := "", 0
		for l := range strings.SplitSeq(log, "\n") {
			if width > 0 && len(l) == width && strings.HasPrefix(l, boxIndent) && strings.TrimSpace(l) != "" {
				whole += strings.TrimSuffix(strings.TrimPrefix(l, boxIndent), boxIndent)
			} else {
				if width > 0 && !yield(whole) {
					return
				}
				whole = l
			}
			if width = boxed(l); width > 0 {
				whole = strings.TrimSuffix(whole, boxIndent)
				continue
			}
			if !yield(whole) {
				return
			}
		}
		if width > 0 {
			yield(whole)
		}
	}
}

// boxed is the width of a line of such a box that is full, so that the text goes on in the next; 0 for any other line.
func boxed(l string) int {
	if len(l) < minBoxWidth || !strings.HasPrefix(l, boxIndent) || !strings.HasSuffix(l, boxIndent) || l[len(boxIndent)] == ' ' || l[len(l)-len(boxIndent)-1] == ' ' {
		return 0
	}
	return len(l)
}
