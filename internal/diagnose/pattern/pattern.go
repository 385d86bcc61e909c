// Package pattern is the expressions of the rules. Most texts match none of most expressions, and contain none of the words that every
// match has; looking for a word takes a tenth of the time that package regexp takes to find nothing.
package pattern

import (
	"regexp"
	"slices"
)

// Regexp is an expression that is tried only on a text with one of the words that every match contains. Its methods are those of
// [regexp.Regexp], with the same results.
type Regexp struct {
	expr *regexp.Regexp
	// words: each match contains at least one of them; none where that is not known.
	words []word
}

// MustCompile panics if the expression is wrong.
func MustCompile(expr string) *Regexp {
	return &Regexp{expr: regexp.MustCompile(expr), words: needed(expr)}
}

// LiteralPrefix is what each match begins with.
func (r *Regexp) LiteralPrefix() (prefix string, complete bool) { return r.expr.LiteralPrefix() }

// possible is false only if nothing in the text can match.
func (r *Regexp) possible(s string) bool {
	return len(r.words) == 0 || slices.ContainsFunc(r.words, func(w word) bool { return w.in(s) })
}

// String is the expression.
func (r *Regexp) String() string { return r.expr.String() }

func (r *Regexp) MatchString(s string) bool { return r.possible(s) && r.expr.MatchString(s) }

func (r *Regexp) FindString(s string) string {
	if !r.possible(s) {
		return ""
	}
	return r.expr.FindString(s)
}

func (r *Regexp) FindStringIndex(s string) []int {
	if !r.possible(s) {
		return nil
	}
	return r.expr.FindStringIndex(s)
}

func (r *Regexp) FindStringSubmatch(s string) []string {
	if !r.possible(s) {
		return nil
	}
	return r.expr.FindStringSubmatch(s)
}

func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	if !r.possible(s) {
		return nil
	}
	return r.expr.FindStringSubmatchIndex(s)
}

func (r *Regexp) FindAllString(s string, n int) []string {
	if !r.possible(s) {
		return nil
	}
	return r.expr.FindAllString(s, n)
}

func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	if !r.possible(s) {
		return nil
	}
	return r.expr.FindAllStringIndex(s, n)
}

func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	if !r.possible(s) {
		return nil
	}
	return r.expr.FindAllStringSubmatch(s, n)
}

func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if !r.possible(s) {
		return nil
	}
	return r.expr.FindAllStringSubmatchIndex(s, n)
}

func (r *Regexp) ReplaceAllString(s, with string) string {
	if !r.possible(s) {
		return s
	}
	return r.expr.ReplaceAllString(s, with)
}

func (r *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	if !r.possible(s) {
		return s
	}
	return r.expr.ReplaceAllStringFunc(s, with)
}
