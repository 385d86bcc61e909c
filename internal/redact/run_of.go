package redact

import (
	"math"
	"math/bits"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// rare keeps the run that is in the fewest texts.
type rare struct {
	run
	weight float64
}

func (r *rare) consider(other run) {
	if weight := other.weight(); weight > r.weight {
		r.run, r.weight = other, weight
	}
}

// oneByte returns the rarest byte that each match has: the point of hvs\.x|s\.y. It is a run of one.
func oneByte(re *syntax.Regexp) run {
	var best rare
	switch re.Op {
	case syntax.OpLiteral:
		for i := range re.Rune {
			best.consider(wholeRun(&syntax.Regexp{Op: syntax.OpLiteral, Flags: re.Flags, Rune: re.Rune[i : i+1]}))
		}
	case syntax.OpCharClass:
		return wholeRun(re)
	case syntax.OpCapture, syntax.OpPlus:
		return oneByte(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return oneByte(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			best.consider(oneByte(sub))
		}
	case syntax.OpAlternate:
		best.run = oneByte(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			best.run = best.or(oneByte(sub))
		}
	default: // any byte, or none
	}
	return best.run
}

// wholeRun is the run of all that an expression matches: every byte that it can match, and as many as it does at least. One
// character counts as one byte, although it may have more.
func wholeRun(re *syntax.Regexp) run {
	var r run
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			r.set.add(c, c)
			if re.Flags&syntax.FoldCase != 0 {
				for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
					r.set.add(f, f)
				}
			}
		}
		r.length = len(re.Rune)
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			r.set.add(re.Rune[i], re.Rune[i+1])
		}
		r.length = 1
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		r.set.add(0, unicode.MaxRune)
		r.length = 1
	case syntax.OpCapture, syntax.OpPlus:
		return wholeRun(re.Sub[0])
	case syntax.OpStar, syntax.OpQuest:
		r.set = wholeRun(re.Sub[0]).set
	case syntax.OpRepeat:
		r = wholeRun(re.Sub[0])
		r.length *= re.Min
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			r = r.then(wholeRun(sub))
		}
	case syntax.OpAlternate:
		r = wholeRun(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			r = r.or(wholeRun(sub))
		}
	default: // no byte: a boundary
	}
	return r
}

// add takes characters into a set. Those beyond ASCII are bytes that all such characters share, and so is a byte that is no
// character: expressions take it for U+FFFD.
func (s *byteSet) add(from, to rune) {
	for c := from; c <= min(to, utf8.RuneSelf-1); c++ {
		s.set(byte(c))
	}
	if to >= utf8.RuneSelf {
		s[2], s[3] = math.MaxUint64, math.MaxUint64
	}
}

// weight says how rare a run is, in bits. It only decides what is looked for.
func (r *run) weight() float64 {
	if r.length == 0 {
		return 0
	}
	share := 0.0
	for i, word := range r.set {
		for ; word != 0; word &= word - 1 {
			share += shares[i*64+bits.TrailingZeros64(word)]
		}
	}
	return -float64(r.length) * math.Log2(min(1, share))
}

// shares are how often a byte is in a message, about.
var shares = func() (of [256]float64) {
	of[' '] = 0.1
	for b := range len(of) {
		switch {
		case b == ' ':
		case 'a' <= b && b <= 'z':
			of[b] = 0.6 / 26
		case 'A' <= b && b <= 'Z':
			of[b] = 0.05 / 26
		case '0' <= b && b <= '9':
			of[b] = 0.1 / 10
		case strings.IndexByte("-./:=_,\"", byte(b)) >= 0:
			of[b] = 0.1 / 8
		default:
			of[b] = 0.05 / 200
		}
	}
	return of
}()
