package redact

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/redact/effort"
	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// repeats are the places in s of what was found: a parser that refuses a value often says it twice, and names it once. The text is read
// once for all values, because a log of nothing but passwords has many of them.
func repeats(s string, found []span, m *effort.Meter) []span {
	// What nothing else in a text is equal to by chance, and what no parser says twice.
	const shortest, longest = 8, 1 << 10
	values := map[string]bool{}
	lengths := map[string][]int{} // of the values, by what they begin with
	for _, f := range found {
		value := s[f.start:f.end]
		if len(value) < shortest || len(value) > longest || values[value] || !secretname.Made(value) && (len(value) < 2*shortest || strings.ContainsAny(value, " \n")) {
			continue
		}
		values[value] = true
		if start := value[:shortest]; !slices.Contains(lengths[start], len(value)) {
			lengths[start] = append(lengths[start], len(value))
		}
	}
	var out []span
	for at := 0; at+shortest <= len(s) && len(values) > 0 && !m.Done(); at++ {
		m.Look(passes)
		for _, n := range lengths[s[at:at+shortest]] {
			m.Look(n)
			if at+n <= len(s) && values[s[at:at+n]] {
				out = append(out, span{at, at + n})
			}
		}
	}
	return out
}
