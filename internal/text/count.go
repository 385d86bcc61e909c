package text

import (
	"slices"
	"strconv"
	"strings"
)

// Count is a number with its noun: "1 resource", "3 resources", "1,000 applications".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}

// Number writes a number with a comma between the thousands: 4,985.
func Number(n int) string {
	s := strconv.Itoa(n)
	first := 0
	if n < 0 {
		first = 1
	}
	for at := len(s) - 3; at > first; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// More counts what a list leaves out: "3 more". [First] and [List] write it; a list that is not made of plain strings adds it
// itself.
func More(n int) string { return Number(n) + " more" }

// First returns the first entries of a list, with "and 3 more" as one more entry in place of the others: for entries that are
// shown line by line, or joined by commas ("a, b, and 3 more").
func First(list []string, limit int) []string {
	if len(list) <= limit {
		return list
	}
	return append(slices.Clone(list[:limit]), "and "+More(len(list)-limit))
}

// List names the first entries of a list within a sentence, and counts the others: "a, b", "a, b and 3 more".
func List(list []string, limit int) string {
	if len(list) <= limit {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:limit], ", ") + " and " + More(len(list)-limit)
}

// Or names alternatives: "text", "text or json", "text, json or yaml".
func Or(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}
