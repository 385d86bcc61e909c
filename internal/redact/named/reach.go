package named

import "github.com/argo-why/argo-why/internal/redact/secretname"

// reach remembers how far the last long scan of a kind went: from where, and to which end. One that begins within that part ends at the
// same place, so a text in which thousands of names have the same end is read once and not once for each name.
type reach struct{ from, end int }

// longScan is what is worth to be remembered.
const longScan = 64

func (r *reach) has(at int) bool { return r.from <= at && at < r.end }

func (r *reach) keep(at, end int) int {
	if end-at > longScan {
		*r = reach{at, end}
	}
	return end
}

// look counts n bytes that were looked at.
func (f *finder) look(n int) { f.meter.Look(n) }

// What is looked at around a name, a pair and a command is bounded, so it is counted as if it were always as much.
const (
	nameSteps    = 256
	valueSteps   = 1 << 10
	pairSteps    = 4 << 10
	askSteps     = 256
	commandSteps = 2 << 10
)

// hides reports whether a value is a secret, given what its name says. What is longer than a reference, a placeholder or a sentence
// can be is one.
func (f *finder) hides(n field, value string, where secretname.Where) bool {
	if len(value) > 8*maxValue {
		return true
	}
	f.look(askSteps + 8*len(value))
	return n.Hides(value, where)
}

// wordEnd is [wordEnd] at s[at].
func (f *finder) wordEnd(at int) int {
	// A quote ends a word that begins with it, and what follows a backslash belongs to it.
	if r := &f.ends.word; r.has(at) && !isQuote(f.s[at]) && before(f.s, at) != '\\' {
		return r.end
	}
	end := wordEnd(f.s, at)
	f.look(end - at)
	return f.ends.word.keep(at, end)
}

// flowEnd is [flowEnd] at s[at].
func (f *finder) flowEnd(at int) int {
	if r := &f.ends.flow; r.has(at) && before(f.s, at) != '\\' {
		return r.end
	}
	end := flowEnd(f.s, at)
	f.look(end - at)
	return f.ends.flow.keep(at, end)
}

// structEnd is [structEnd] at s[at]. Brackets are counted from there, so nothing is remembered; what is longer than a value of which
// anybody could say that it is harmless goes up to the end of its line.
func (f *finder) structEnd(at int) int {
	limit := min(len(f.s), at+maxStruct)
	end := structEnd(f.s[:limit], at)
	f.look(end - at)
	if end == limit {
		return max(end, f.lineEnd(at, false))
	}
	return end
}

// maxStruct is how far the brackets of a value are counted.
const maxStruct = 16 * maxValue

// lineEnd is [lineEnd] at s[at].
func (f *finder) lineEnd(at int, inside bool) int {
	r := &f.ends.line
	if inside {
		r = &f.ends.inside
	}
	if r.has(at) && before(f.s, at) != '\\' {
		return r.end
	}
	end := lineEnd(f.s, at, inside)
	f.look(end - at)
	return r.keep(at, end)
}

// quoteEnd is where the content of a quote ends.
func (f *finder) quoteEnd(q quote) int {
	s := f.s
	again := q.start < len(s)
	if c := q.mark[0]; again && (c == '\'' || c == '`') { // a doubled one and an escaped one do not end it
		again = s[q.start] != c && s[q.start] != '\\'
	}
	if r, ok := f.ends.quote[q.mark]; ok && again && r.has(q.start) {
		return r.end
	}
	end := q.end(s)
	f.look(end - q.start)
	if end-q.start > longScan {
		if f.ends.quote == nil {
			f.ends.quote = map[string]reach{}
		}
		f.ends.quote[q.mark] = reach{q.start, end}
	}
	return end
}

// member is one key or value in brackets: what is between its quotes, or up to a comma or a bracket.
func (f *finder) member(at int, key bool) (start, stop, after int) {
	if q, ok := openQuote(f.s, at); ok {
		end := f.quoteEnd(q)
		return q.start, end, min(len(f.s), end+len(q.mark))
	}
	r := &f.ends.member
	if key {
		r = &f.ends.key
	}
	if !r.has(at) {
		end := memberEnd(f.s, at, key)
		f.look(end - at)
		r.keep(at, end)
		return at, end, end
	}
	return at, r.end, r.end
}

func memberEnd(s string, at int, key bool) int {
	stops := memberStops
	if key {
		stops = keyStops
	}
	for at < len(s) && !stops[s[at]] {
		at++
	}
	return at
}

var memberStops, keyStops = bytesOf(",]}\"\n\\"), bytesOf(":=,]} \"\n\\")

func bytesOf(list string) (set [256]bool) {
	for i := range len(list) {
		set[list[i]] = true
	}
	return set
}
