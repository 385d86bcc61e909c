package message

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/growth"
)

// The ends of quotes and brackets are those that a search from each of them finds.
func TestClosedIsWhatASearchFinds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(14) {
			b.WriteByte("\"\"`'''([{<)]}> .:a=é"[random.IntN(21)])
		}
		s := b.String()
		ends := closed(s)
		for i := range len(s) {
			if want := searched(s, i); ends == nil && want != 0 || ends != nil && int(ends[i]) != want {
				t.Fatalf("%q: what begins at %d ends at %d: %v", s, i, want, ends)
			}
		}
	}
}

// searched is where the quote or bracket that begins at i ends; 0 if none does.
func searched(s string, i int) int {
	kind := strings.IndexByte("\"`'([{<", s[i])
	if kind < 0 || s[i] == '\'' && i > 0 && !strings.Contains(" =([", s[i-1:i]) {
		return 0
	}
	last, depth := "\"`')]}>"[kind], 0
	for j := i + 1; j < len(s); j++ {
		switch {
		case s[j] == last && depth > 0:
			depth--
		case s[j] == last && (last != '\'' || j+1 == len(s) || strings.Contains(" .,:;)]'\"", s[j+1:j+2])):
			return j
		case s[j] == s[i] && kind > 2:
			depth++
		}
	}
	return 0
}

// A chain takes time in proportion to its length, whatever it is made of.
func TestTailsGrowWithTheChain(t *testing.T) {
	for _, piece := range []string{"(", "([{<", "( '", "a: ('", "\"'(` ", "a: ", "Caused by: ", `denied the request:  []string{"None"}`, "it is: code: 1 "} {
		chain := func(n int) func() {
			s := strings.Repeat(piece, n/len(piece))
			return func() { lastClause(s, MaxClause) }
		}
		const times, enough = 8, 3
		if excess := growth.Excess(times, enough, chain(1<<11), chain(times<<11)); excess >= enough {
			t.Errorf("%q: %d times the text takes %.0f times as long", piece, times, times*excess)
		}
	}
}

// What a text only names is blanked without a copy of the rest of it for each name.
func TestMaskKeepsOneCopy(t *testing.T) {
	few, many := strings.Repeat("`", 1<<10), strings.Repeat("`", 1<<13)
	if a, b := testing.AllocsPerRun(5, func() { mask(few) }), testing.AllocsPerRun(5, func() { mask(many) }); b > a+2 {
		t.Errorf("%.0f allocations for 8 times the text, %.0f for the text", b, a)
	}
}

// However many ends a chain has, those that a headline may have room for are short and few.
func TestEndsAreFew(t *testing.T) {
	for _, piece := range []string{"a reason: ", "a: ", "the cause of it: (", "code: 1 "} {
		ends := slices.Collect(Ends(strings.Repeat(piece, 1<<20/len(piece))))
		if len(ends) > maxEnd/2 || slices.ContainsFunc(ends, func(end string) bool { return len(end) > maxEnd }) {
			t.Errorf("%q has %d ends", piece, len(ends))
		}
	}
}
