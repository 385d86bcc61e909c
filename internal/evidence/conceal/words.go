package conceal

import (
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// between is what stands between the names of a list.
const between = " \t\r\n,;:=/'\"`()[]{}<>*|-→\u00a0\u200b“”‘’"

// longestGap and longestName bound how far is looked for the next name: else each word application would have all that follows it read.
const (
	longestGap  = 64
	longestName = 512
)

func gapAt(t string) int {
	near := t[:min(len(t), longestGap)]
	return len(near) - len(strings.TrimLeft(near, between))
}

// wordAt is what a text begins with that may be the name of an application, with its namespace or without.
func wordAt(t string) string {
	end, slash := 0, false
	for i := range min(len(t), longestName) {
		switch b := t[i]; {
		case isLower(b):
			end = i + 1
		case i > 0 && (b == '.' || b == '-'):
		case b == '/' && i > 0 && end == i && !slash:
			slash = true
		default:
			return t[:end]
		}
	}
	return t[:end]
}

// titleAt is a word of letters that a text begins with.
func titleAt(t string) string {
	end := 0
	for end < min(len(t), longestName) && isWord(t[end]) {
		end++
	}
	return t[:end]
}

// wordBefore is the name that a text ends with, in quotes or not, and where that ends.
func wordBefore(t string) (w string, end int) {
	end = len(strings.TrimRight(t[max(0, len(t)-4):], " \t'\"`”’")) + max(0, len(t)-4)
	start := end
	for start > max(0, end-longestName) && (isLower(t[start-1]) || strings.IndexByte("-./", t[start-1]) >= 0) {
		start--
	}
	if start > 0 && isWord(t[start-1]) || start == end {
		return "", end // the end of another word
	}
	if w = wordAt(t[start:end]); len(w) < end-start {
		return "", end
	}
	return w, end
}

func isLower(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' }

func isWord(b byte) bool { return isLower(b) || b >= 'A' && b <= 'Z' }

func split(w string) (namespace, name string) {
	if before, after, ok := strings.Cut(w, "/"); ok {
		return before, after
	}
	return "", w
}

// standsIn reports whether a word of a text stands for a name that was replaced before.
func standsIn(t string, start, end int) bool {
	return start > 0 && end < len(t) && t[start-1] == '(' && t[end] == ')' && evidence.HasPrivate(t[start-1:end+1])
}
