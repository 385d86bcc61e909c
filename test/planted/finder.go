package planted

import (
	"slices"
	"strings"
)

// enough is how many characters of a secret are a leak: so many in a row are not there by chance.
const enough = 6

// enoughDigits is how many hexadecimal digits are: journals are full of digests, in which six of 60 secrets are by chance.
const enoughDigits = 10

// finder finds secrets in a text.
type finder struct {
	// of are the secrets by each run of their characters.
	of map[run][]*Secret
	// maybe says of a hash of a run whether there is one: most of a text is no part of any secret.
	maybe [1 << 16]uint64
	// taken are runs that are elsewhere: in the cases, or in another secret. A secret with one of them would be found without being there.
	taken map[run]bool
}

func newFinder() *finder { return &finder{of: map[run][]*Secret{}, taken: map[run]bool{}} }

func (f *finder) take(text string) {
	for at := 0; at+enough <= len(text); at++ {
		f.taken[runAt(text, at)] = true
	}
}

func (f *finder) isTaken(secret string) bool {
	for at := 0; at+enough <= len(secret); at++ {
		if f.taken[runAt(secret, at)] {
			return true
		}
	}
	return false
}

// run are as many characters as are enough.
type run uint64

func runAt(s string, at int) run {
	return run(s[at]) | run(s[at+1])<<8 | run(s[at+2])<<16 | run(s[at+3])<<24 | run(s[at+4])<<32 | run(s[at+5])<<40
}

// hash returns a place in the table and a bit of it.
func (r run) hash() (place int, bit uint64) {
	h := uint64(r) * 0x9E3779B97F4A7C15 >> 42
	return int(h >> 6), 1 << (h & 63)
}

func (f *finder) add(s *Secret, secret string) {
	f.take(secret)
	for at := 0; at+enough <= len(secret); at++ {
		if strings.Trim(secret[at:at+enough], digits) == "" { // every metric and time stamp has numbers that long
			continue
		}
		r := runAt(secret, at)
		all := f.of[r]
		if len(all) == 0 || all[len(all)-1] != s {
			f.of[r] = append(all, s)
		}
		place, bit := r.hash()
		f.maybe[place] |= bit
	}
}

// holds tells whether the characters at view[at] are enough of s, six of which are in it.
func (s *Secret) holds(view string, at int) bool {
	if strings.Trim(view[at:at+enough], hexa) != "" {
		return true
	}
	end := min(len(view), at+enoughDigits)
	return end-at == enoughDigits && slices.ContainsFunc(s.secret, func(part string) bool { return strings.Contains(part, view[at:end]) })
}

// find returns the secrets of which something can be read in a text, and what of each.
func (f *finder) find(text string) map[*Secret]string {
	found := map[*Secret]string{}
	for _, view := range views(text) {
		for at := 0; at+enough <= len(view); at++ {
			r := runAt(view, at)
			if place, bit := r.hash(); f.maybe[place]&bit == 0 {
				continue
			}
			for _, s := range f.of[r] {
				if _, already := found[s]; !already && s.holds(view, at) {
					found[s] = view[at : at+enough]
				}
			}
		}
	}
	return found
}
