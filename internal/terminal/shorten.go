package terminal

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

// How much of a text is shown, in bytes and lines.
const (
	longText  = 600
	longQuote = 400
	quoteHead = 2
	quoteTail = 4
	rawHead   = 10
	rawTail   = 10
)

// shorten leaves out what is least needed of a text of one line that is longer than limit: the wrappers in front of the innermost
// clause, or else words in its middle. What is left is whole words, numbers, paths and quotes.
func shorten(line string, limit int) string {
	if len(line) <= limit {
		return line
	}
	inner := line
	for tail := range message.Tails(line) {
		inner = tail
		if len(tail) <= limit {
			break
		}
	}
	if len(inner) < len(line) {
		inner = "… " + inner
	}
	return withoutMiddle(inner, limit)
}

// withoutMiddle keeps the words at both ends of a text that is longer than limit, and counts the characters between them.
func withoutMiddle(line string, limit int) string {
	if len(line) <= limit+limit/4 { // not worth it
		return line
	}
	breaks := gaps(line)
	head, tail := 0, len(line)
	if i, _ := slices.BinarySearch(breaks, limit/2+1); i > 0 {
		head = breaks[i-1]
	}
	if i, _ := slices.BinarySearch(breaks, len(line)-limit/2); i < len(breaks) {
		tail = breaks[i]
	}
	left := strings.TrimSpace(line[head:tail])
	parts := []string{strings.TrimSpace(line[:head]), fmt.Sprintf("(… %s …)", text.Count(utf8.RuneCountInString(left), "character", "characters")), strings.TrimSpace(line[tail:])}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// gaps are the positions of the spaces of a text that are not within quotes. A quote that is never closed is none.
func gaps(line string) []int {
	var out, inside []int
	quote := rune(0)
	for i, r := range line {
		switch {
		case r == ' ' && quote == 0:
			out = append(out, i)
		case r == ' ':
			inside = append(inside, i)
		case quote == 0 && (r == '"' || r == '`'):
			quote = r
		case r == quote:
			quote, inside = 0, nil
		}
	}
	return append(out, inside...)
}

// shortenLines keeps the first and the last lines of a text of many, each shortened.
func shortenLines(content string, head, tail, limit int) string {
	lines := strings.Split(content, "\n")
	if len(lines) > head+tail+2 {
		left := fmt.Sprintf("(… %d lines …)", len(lines)-head-tail)
		lines = slices.Concat(lines[:head], []string{left}, lines[len(lines)-tail:])
	}
	for i, line := range lines {
		lines[i] = shorten(line, limit)
	}
	return strings.Join(lines, "\n")
}
