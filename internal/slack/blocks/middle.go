package blocks

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// WithoutMiddle is a text of lines in at most room characters as a message counts them: where it is too long its middle is
// left out, between lines, and a line in its place says how much that was. How it began and how it ended matter most.
func WithoutMiddle(text string, room int) string {
	text = strings.Trim(shown(text), "\n")
	if cost(text) <= room {
		return text
	}
	lines := strings.Split(text, "\n")
	const note = 60 // for the line in the middle
	head, tail := 0, len(lines)
	for left := (room - note) / 4; head < tail && cost(lines[head]) < left; head++ {
		left -= cost(lines[head]) + 1
	}
	left := room - note - cost(strings.Join(lines[:head], "\n"))
	for tail > head && cost(lines[tail-1]) < left {
		tail--
		left -= cost(lines[tail]) + 1
	}
	if tail == len(lines) { // the last line alone is too long
		return withoutMiddleOfLine(text, room-note)
	}
	kept := append([]string{}, lines[:head]...)
	kept = append(kept, fmt.Sprintf("(… %d lines left out …)", tail-head))
	return strings.Join(append(kept, lines[tail:]...), "\n")
}

func withoutMiddleOfLine(text string, room int) string {
	letters := []rune(text)
	head, tail := 0, len(letters)
	for left := room / 4; head < tail && left > 0; head++ {
		left -= cost(string(letters[head]))
	}
	for left := room * 3 / 4; tail > head && left > 0; tail-- {
		left -= cost(string(letters[tail-1]))
	}
	return fmt.Sprintf("%s (… %d characters left out …) %s", string(letters[:head]), tail-head, string(letters[tail:]))
}

// cost is how much of a message a text takes, as size counts it.
func cost(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case r == '"', r == '\\', r == '\n', r == '\t':
			n += 2
		case r == '<', r == '>', r == '&', r >= 0x80: // JSON escapes them as it escapes what is not ASCII
			n += 6 * max(1, utf16.RuneLen(r))
		default:
			n++
		}
	}
	return n
}
