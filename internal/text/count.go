package text

import (
	"fmt"
	"slices"
	"strconv"
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

// First are the first entries of a list, and "and 3 more" in place of the others.
func First(list []string, most int) []string {
	if len(list) <= most {
		return list
	}
	return append(slices.Clone(list[:most]), fmt.Sprintf("and %s more", Number(len(list)-most)))
}
