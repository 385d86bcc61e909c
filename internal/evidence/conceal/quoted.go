package conceal

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/redact/effort"
)

// leastQuoted is how long a message is that other texts quote: "Synced" is said of everything.
const leastQuoted = 8

// quoted are messages that may not be repeated. To look for them takes hardly longer where there are thousands.
type quoted struct {
	// by their first bytes, ordered.
	by map[string][]message
}

type message struct {
	text string
	// within is the place of the longest other one that this begins with; -1 without any.
	within int
}

func newQuoted(all []string) quoted {
	q := quoted{by: map[string][]message{}}
	all = slices.Clone(all)
	slices.Sort(all)
	for _, text := range slices.Compact(all) {
		if len(text) < leastQuoted {
			continue
		}
		of := q.by[text[:leastQuoted]]
		within := len(of) - 1
		for within >= 0 && !strings.HasPrefix(text, of[within].text) {
			within = of[within].within
		}
		q.by[text[:leastQuoted]] = append(of, message{text, within})
	}
	return q
}

// without is a text in which another one stands for each message.
func (q quoted) without(t, standIn string, m *effort.Meter) string {
	m.Look(len(t))
	if len(q.by) == 0 {
		return t
	}
	var out strings.Builder
	from := 0 // what is before it was written
	for at := 0; at+leastQuoted <= len(t) && !m.Done(); at++ {
		n := q.length(t[at:], m)
		if n == 0 {
			continue
		}
		out.WriteString(t[from:at])
		out.WriteString(standIn)
		from = at + n
		at = from - 1
	}
	return out.String() + t[from:]
}

// length is that of the longest message that a text begins with; 0 where it begins with none.
func (q quoted) length(t string, m *effort.Meter) int {
	of := q.by[t[:leastQuoted]]
	at, same := slices.BinarySearchFunc(of, t, func(b message, t string) int {
		n := common(b.text, t)
		m.Look(1 + n)
		return strings.Compare(b.text[n:], t[n:])
	})
	if !same {
		at--
	}
	for ; at >= 0; at = of[at].within { // no other one can be the beginning
		m.Look(1)
		if strings.HasPrefix(t, of[at].text) {
			return len(of[at].text)
		}
	}
	return 0
}

// common is how long two texts are the same.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
