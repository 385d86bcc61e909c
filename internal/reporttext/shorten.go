package reporttext

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// strength is how well a text can be cut at a place.
type strength int

// From the best place to the worst. The last is a space within quotes or brackets, where nothing else is left.
const (
	sentence strength = iota
	clause            // behind ": " or "; "
	phrase            // behind ", ", and before " ("
	word
	quoted
	nowhere
)

// place is where the rest of a text can begin, in bytes.
type place struct {
	at int
	strength
}

// mark is where a part of a text was left out.
const mark = "…"

// minRest is the fewest letters of the end of a text that say something alone.
const minRest = 12

// End shortens a text to about limit characters and keeps its end, where the cause is: who wraps an error puts the wrapping in
// front. The first sentence stays where there is room for it too. Nothing is cut within a word, a quote or brackets, unless these
// alone are too long.
//
//	The Job failed 3 times. … Its log says: … connection refused.
func End(s string, limit int) string {
	s = strings.TrimSpace(s)
	if letters(s) <= limit {
		return s
	}
	s = lastPart(s)
	places := placesIn(s)
	first := strings.TrimSpace(s[:firstSentence(s, places)])
	if room := limit - letters(first) - letters(" "+mark+" "); first != s && room >= limit/2 {
		if rest, ok := longestEnd(s[len(first):], room, clause); ok {
			return first + " " + rest
		}
	}
	if rest, ok := longestEnd(s, limit, sentence); ok && letters(rest) >= limit/2 {
		return rest
	}
	for at := clause; at < nowhere; at++ {
		if rest, ok := longestEnd(s, limit, at); ok {
			return rest
		}
	}
	all := []rune(s)
	return mark + string(all[len(all)-max(1, limit-1):])
}

// longestEnd is as much of the end of a text as fits, from a place of at least that strength on, with a mark in front. A clause
// that somebody said keeps who said it.
func longestEnd(s string, limit int, at strength) (string, bool) {
	for _, p := range placesIn(s) {
		rest := s[p.at:]
		if n := letters(rest); p.strength > at || n < minRest || n > limit {
			continue
		}
		for _, lead := range []string{speaker(s[:p.at]), ""} {
			if out := lead + mark + " " + rest; letters(out) <= limit {
				return out, true
			}
		}
	}
	return "", false
}

// speaker is who says what the last sentence holds ("Its log says: "), where more of it than that comes before the cut.
func speaker(before string) string {
	start := 0
	for _, p := range placesIn(before) {
		if p.strength == sentence {
			start = p.at
		}
	}
	lead, said, ok := strings.Cut(strings.TrimSpace(before[start:]), ": ")
	const longest = 40
	if !ok || said == "" || letters(lead) > longest || !strings.HasSuffix(lead, " says") {
		return ""
	}
	return lead + ": "
}

// Start shortens a text to about limit characters and keeps its beginning, as of an instruction. It ends with a sentence, or else
// with a mark behind a whole part of one.
func Start(s string, limit int) string {
	s = strings.TrimSpace(s)
	if letters(s) <= limit {
		return s
	}
	s = firstPart(s)
	for at := sentence; at < nowhere; at++ {
		best := ""
		for _, p := range placesIn(s) {
			kept := strings.TrimRight(s[:p.at], " ")
			if p.strength != sentence {
				kept = strings.TrimRight(kept, ":;,") + mark
			}
			if p.strength <= at && letters(kept) <= limit {
				best = kept
			}
		}
		if letters(best) >= limit/3 {
			return best
		}
	}
	return string([]rune(s)[:max(0, limit-1)]) + mark
}

// maxLooked is how many letters of a text are looked at for a place to cut it. A text that is longer is a log.
const maxLooked = 1500

func lastPart(s string) string {
	all := []rune(s)
	return string(all[max(0, len(all)-maxLooked):])
}

func firstPart(s string) string {
	all := []rune(s)
	return string(all[:min(len(all), maxLooked)])
}

func letters(s string) int { return utf8.RuneCountInString(s) }

// firstSentence is where the second sentence begins.
func firstSentence(s string, places []place) int {
	for _, p := range places {
		if p.strength == sentence {
			return p.at
		}
	}
	return len(s)
}

// placesIn are the places where the rest of a text can begin.
func placesIn(s string) []place {
	var out []place
	var open []rune // the quotes and brackets that are not closed yet
	for i, r := range s {
		if n := len(open); n > 0 && r == open[n-1] {
			open = open[:n-1]
			continue
		}
		if end := closing(s, i, r); end != 0 {
			open = append(open, end)
			continue
		}
		if r != ' ' && r != '\n' {
			continue
		}
		rest := strings.TrimLeft(s[i:], " \n")
		if rest == "" {
			continue
		}
		p := place{len(s) - len(rest), quoted}
		if len(open) == 0 {
			p.strength = between(s[:i], rest)
		}
		out = append(out, p)
	}
	return out
}

// between is how well a text can be cut between two of its parts.
func between(before, rest string) strength {
	switch {
	case before == "":
		return word
	case endsSentence(before):
		return sentence
	case strings.HasSuffix(before, ":"), strings.HasSuffix(before, ";"):
		return clause
	case strings.HasSuffix(before, ","), strings.HasPrefix(rest, "("):
		return phrase
	}
	return word
}

// endsSentence reports whether a sentence ends here. The next one may begin in lower case: with the name of a field.
func endsSentence(before string) bool {
	last, size := utf8.DecodeLastRuneInString(before)
	previous, _ := utf8.DecodeLastRuneInString(before[:len(before)-size])
	if !strings.ContainsRune(".!?…", last) || unicode.IsSpace(previous) || strings.ContainsRune(".…", previous) {
		return false
	}
	end := strings.ToLower(before[max(0, len(before)-longestShort):])
	return !slices.ContainsFunc(shortened, func(s string) bool { return strings.HasSuffix(end, s) })
}

// shortened are words that end with a full stop which ends no sentence.
var shortened = []string{"e.g.", "i.e.", "etc.", "vs.", " no.", "approx."}

const longestShort = 8

// closing is what closes a quote or bracket that opens at a place; 0 where none does, or where it is never closed.
func closing(s string, i int, r rune) rune {
	end := map[rune]rune{'"': '"', '`': '`', '(': ')', '[': ']', '{': '}', '\'': '\'', '“': '”'}[r]
	if end == 0 || !strings.ContainsRune(s[i+utf8.RuneLen(r):], end) {
		return 0
	}
	if r == '\'' { // an apostrophe is within a word
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		if unicode.IsLetter(before) || unicode.IsDigit(before) {
			return 0
		}
	}
	return end
}
