package redact

import (
	"regexp/syntax"
	"slices"
)

// gitleaks reads source code, where a token ends with a quote or a space: most of its expressions demand one of these, or a
// word boundary. A sentence, a URL or a log puts a full stop, a bracket or a comma there. Its boundaries are therefore
// replaced by these when an expression is compiled.
const (
	// A token of a fixed form is known by itself: it ends where no letter or digit follows.
	boundaryAfter = `(?:[^0-9A-Za-z]|\z)`
	// It begins where none precedes, other than the last character of an escape: \n, \u0026 and %3D.
	boundaryBefore = `(?:\A|[^0-9A-Za-z]|\\[abfnrtv]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2})`
	// A value that is known by the name before it must not be the beginning of a longer name, a path, or a host.
	boundaryOfValue = `(?:[^\w/+=.:@%-]|[.:](?:[^\w/-]|\z)|\z)`
)

// bounded is an expression whose boundaries are ours.
type bounded struct {
	pattern string
	fixed   bool // the secret is a token of a fixed form: nothing but a boundary stands before it
	open    bool // it has no boundary at its end
	token   run  // what the secret is, as a whole; its length is 0 if more than a boundary belongs to the match
}

// rebound replaces the boundaries of an expression of gitleaks, and makes the secret what it captures: gitleaks itself
// takes the first group that matched, which is only a part of the secret where a group is repeated or named.
func rebound(r *rule) bounded {
	re, err := syntax.Parse(r.pattern, syntax.Perl)
	if err != nil {
		return bounded{pattern: r.pattern} // compiling it tells why
	}
	re = ungroup(re, r.group, false)
	if re.Op != syntax.OpAlternate {
		return reboundOne(re)
	}
	b := bounded{fixed: true}
	for i, sub := range re.Sub {
		one := reboundOne(sub)
		if i > 0 {
			b.pattern += "|"
			b.token = b.token.or(one.token)
		} else {
			b.token = one.token
		}
		b.pattern += one.pattern
		b.fixed, b.open = b.fixed && one.fixed, b.open || one.open
	}
	return b
}

func reboundOne(re *syntax.Regexp) bounded {
	before, secret, after := divide(re)
	b := bounded{fixed: all(before, isBoundary), open: len(after) == 0}
	if b.fixed && len(before) > 0 {
		b.pattern = boundaryBefore
	} else {
		b.pattern = concat(before)
	}
	if slices.ContainsFunc(secret, captures) {
		b.pattern += concat(secret)
	} else {
		b.pattern += "(" + concat(secret) + ")"
	}
	if b.fixed && all(after, isBoundary) && !slices.ContainsFunc(secret, looksAround) {
		b.token = wholeRun(&syntax.Regexp{Op: syntax.OpConcat, Sub: secret})
	}
	switch {
	case b.open || !all(after, isBoundary):
		b.pattern += concat(after)
	case b.fixed:
		b.pattern += boundaryAfter
	default:
		b.pattern += boundaryOfValue
	}
	return b
}

// divide returns the parts of an expression that are the secret, and those around it: what has no groups is the secret, but
// for its boundaries.
func divide(re *syntax.Regexp) (before, secret, after []*syntax.Regexp) {
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	first, last := slices.IndexFunc(parts, captures), len(parts)-1
	if first >= 0 {
		for !captures(parts[last]) {
			last--
		}
		if first == last && parts[first].Op == syntax.OpCapture && parts[first].Sub[0].Op == syntax.OpConcat {
			// A boundary may also stand within the group.
			inner := parts[first].Sub[0]
			for len(inner.Sub) > 1 && isBoundary(inner.Sub[0]) {
				inner.Sub = inner.Sub[1:]
			}
		}
		return parts[:first], parts[first : last+1], parts[last+1:]
	}
	for first = 0; first < last && isBoundary(parts[first]); {
		first++
	}
	for last > first && isBoundary(parts[last]) {
		last--
	}
	return parts[:first], parts[first : last+1], parts[last+1:]
}

// ungroup removes the groups that are not the secret: all but one if the rule says which one it is, else those with a name
// and those that are repeated.
func ungroup(re *syntax.Regexp, group int, repeated bool) *syntax.Regexp {
	repeated = repeated || re.Op == syntax.OpStar || re.Op == syntax.OpPlus || re.Op == syntax.OpRepeat
	for i, sub := range re.Sub {
		re.Sub[i] = ungroup(sub, group, repeated)
	}
	if re.Op == syntax.OpCapture && (group > 0 && re.Cap != group || group == 0 && (repeated || re.Name != "")) {
		return re.Sub[0]
	}
	return re
}

func captures(re *syntax.Regexp) bool { return re.MaxCap() > 0 }

// isBoundary tells what only looks at where a secret begins or ends: it can match at the end of the text, or the start.
func isBoundary(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpEmptyMatch:
		return true
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, isBoundary)
	case syntax.OpConcat:
		return all(re.Sub, isBoundary)
	default:
		return false
	}
}

// looksAround tells what matches only at the start or the end of a text or a line.
func looksAround(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText:
		return true
	default:
		return slices.ContainsFunc(re.Sub, looksAround)
	}
}

func all(parts []*syntax.Regexp, is func(*syntax.Regexp) bool) bool {
	return !slices.ContainsFunc(parts, func(re *syntax.Regexp) bool { return !is(re) })
}

func concat(parts []*syntax.Regexp) string {
	if len(parts) == 0 {
		return ""
	}
	return "(?:" + (&syntax.Regexp{Op: syntax.OpConcat, Sub: parts}).String() + ")"
}
