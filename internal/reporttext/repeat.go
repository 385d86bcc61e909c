package reporttext

import "strings"

// Sentences are those of a text. A full stop within quotes or brackets ends none.
func Sentences(s string) []string {
	var out []string
	from := 0
	for _, p := range placesIn(s) {
		if p.strength == sentence {
			out = append(out, strings.TrimSpace(s[from:p.at]))
			from = p.at
		}
	}
	if rest := strings.TrimSpace(s[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// Repeats reports whether a text says what another one has said: four words or more in a row, of 25 letters or more together.
func Repeats(s, said string) bool {
	const words, least = 4, 25
	said = " " + plainWords(said) + " "
	list := strings.Fields(plainWords(s))
	for from := range list {
		for to := from + words; to <= len(list); to++ {
			run := strings.Join(list[from:to], " ")
			if letters(run) < least {
				continue
			}
			if strings.Contains(said, " "+run+" ") {
				return true
			}
			break // a longer run contains this one
		}
	}
	return false
}

// plainWords is a text without what is around its words.
func plainWords(s string) string {
	list := strings.Fields(strings.ToLower(s))
	for i := range list {
		list[i] = strings.Trim(list[i], ".,:;!?\"'`()[]")
	}
	return strings.Join(strings.Fields(strings.Join(list, " ")), " ")
}
