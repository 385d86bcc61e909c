package redact

import "strings"

// run is what every match of an expression has in it: so many bytes in a row, or more, all of one set. Looking for a run takes about a
// nanosecond a byte, an expression forty, and most texts have none of what a rule looks for.
type run struct {
	set    byteSet
	length int
}

type byteSet [4]uint64

func (s *byteSet) has(b byte) bool { return s[b/64]&(1<<(b%64)) != 0 }

func (s *byteSet) set(b byte) { s[b/64] |= 1 << (b % 64) }

// bytesOf are some bytes and those of a kind.
func bytesOf(some string, is func(byte) bool) (set byteSet) {
	for b := range 256 {
		if strings.IndexByte(some, byte(b)) >= 0 || is(byte(b)) {
			set.set(byte(b))
		}
	}
	return set
}

// next returns the first run in s at or behind from, to where it ends.
func (r *run) next(s string, from int) (found span, ok bool) {
	start := r.start(s, from)
	if start < 0 {
		return span{}, false
	}
	end := start + r.length
	for end < len(s) && r.set.has(s[end]) {
		end++
	}
	return span{start, end}, true
}

// start is where the first run in s at or behind from begins, -1 if there is none. It looks where a run would end, which skips most
// bytes of a text without one.
func (r *run) start(s string, from int) int {
	for from+r.length <= len(s) {
		start := from + r.length
		for start > from && r.set.has(s[start-1]) {
			start--
		}
		if start == from {
			return from
		}
		from = start
	}
	return -1
}

// in tells whether there is one, also if nothing is known of it.
func (r *run) in(s string) bool { return r.start(s, 0) >= 0 }

func (r *run) then(next run) run { return run{r.set.or(&next.set), r.length + next.length} }

func (r *run) or(other run) run { return run{r.set.or(&other.set), min(r.length, other.length)} }

func (s byteSet) or(other *byteSet) byteSet {
	for i, bits := range other {
		s[i] |= bits
	}
	return s
}
