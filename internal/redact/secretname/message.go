package secretname

import "strings"

// IsMessage recognises what is said of a password behind a colon: "required", "must not be empty", "rpc error: code = NotFound".
// A value of several words has none of these.
func IsMessage(value string) bool {
	value = value[:min(len(value), longestMessage)]
	if strings.HasSuffix(value, ":") || strings.Contains(value, ": ") && strings.Contains(value, " ") {
		return true
	}
	words := 0
	for word := range strings.FieldsSeq(value) {
		word = strings.ToLower(strings.Trim(word, ".,:;!?\"'()"))
		if saying[word] {
			return true
		}
		if words++; words > 24 {
			return true
		}
	}
	return false
}

// longestMessage is how much of a value is read: more than 24 words.
const longestMessage = 2 << 10

// saying are words of sentences about a value.
var saying = setOf(`is are was were must should cannot can't could not be been the a an of to for in on at with without by from has have had does
	did will may required invalid missing empty unset expired denied forbidden unauthorized incorrect wrong changed created updated deleted rotated
	unknown error failed failure mismatch rejected unavailable authentication unchanged unsupported deprecated optional ignored revoked supplied provided string array object boolean integer number
	eof timeout that which this differs expected got unable`)

// hasRandomWord reports whether one of the words of a text of several looks like a value.
func hasRandomWord(v string) bool {
	for word := range strings.FieldsSeq(v) {
		if len(word) >= 6 && looksRandom(word) {
			return true
		}
	}
	return false
}
