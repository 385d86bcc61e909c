package redact

import (
	"index/suffixarray"
	"strings"

	"github.com/argo-why/argo-why/internal/redact/effort"
	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// repeats are the places in s of what was found: a parser that refuses a value often says it twice, and names it once. With many
// values an index finds them, because a log of nothing but passwords would be read once for each of them.
func repeats(s string, found []span, m *effort.Meter) []span {
	const few = 8
	values := distinct(s, found)
	places := func(value string) []int {
		m.Look(len(s))
		return indexes(s, value)
	}
	if len(values) > few {
		m.Look(indexSteps * len(s))
		index := suffixarray.New([]byte(s))
		places = func(value string) []int { return index.Lookup([]byte(value), len(s)/len(value)+1) }
	}
	var out []span
	for _, value := range values {
		at := places(value)
		if len(at) > len(s)/len(value) || len(out) > len(s) {
			m.Stop() // it overlaps with itself, again and again: nobody has such passwords
		}
		if m.Done() {
			return nil
		}
		for _, at := range at {
			out = append(out, span{at, at + len(value)})
		}
	}
	return out
}

// indexSteps is what a byte of the index costs.
const indexSteps = 128

// distinct are the values that were found and that nothing else in a text is equal to by chance.
func distinct(s string, found []span) []string {
	var values []string
	seen := map[string]bool{}
	for _, f := range found {
		value := s[f.start:f.end]
		if seen[value] || !secretname.Made(value) && (len(value) < 16 || strings.ContainsAny(value, " \n")) {
			continue
		}
		seen[value] = true
		values = append(values, value)
	}
	return values
}

func indexes(s, value string) []int {
	var all []int
	for at := 0; ; {
		i := strings.Index(s[at:], value)
		if i < 0 {
			return all
		}
		all = append(all, at+i)
		at += i + len(value)
	}
}
