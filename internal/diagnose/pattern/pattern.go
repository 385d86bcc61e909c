// Package pattern is the expressions of the rules. Most texts match none of most expressions, and contain none of the words that every
// match has; looking for a word takes a tenth of the time that package regexp takes to find nothing.
package pattern

import (
	"regexp"
	"slices"
	"sync"
)

// Regexp is an expression that is tried only on a text with one of the words that every match contains. Its methods are those of
// [regexp.Regexp], with the same results.
//
// It is compiled when it is tried for the first time. There are hundreds of them, and a command that diagnoses nothing, or one
// application, tries few.
type Regexp struct {
	text string

	reading sync.Once
	// words: each match contains at least one of them; none where that is not known. See possible.
	words []word

	compiling sync.Once
	expr      *regexp.Regexp
}

// made are all expressions, for [Check].
var (
	mu   sync.Mutex
	made []*Regexp
)

// MustCompile is for the variables of packages. The first use panics if the expression is wrong: see [Check].
func MustCompile(expr string) *Regexp {
	r := &Regexp{text: expr}
	mu.Lock()
	defer mu.Unlock()
	made = append(made, r)
	return r
}

// Check panics if one of all expressions is wrong, and returns how many there are. A test calls it, instead of each start.
func Check() int {
	mu.Lock()
	defer mu.Unlock()
	for _, r := range made {
		r.regexp()
	}
	return len(made)
}

func (r *Regexp) regexp() *regexp.Regexp {
	r.compiling.Do(func() { r.expr = regexp.MustCompile(r.text) })
	return r.expr
}

// LiteralPrefix is what each match begins with.
func (r *Regexp) LiteralPrefix() (prefix string, complete bool) { return r.regexp().LiteralPrefix() }

// possible is false only if nothing in the text can match.
func (r *Regexp) possible(s string) bool {
	r.reading.Do(func() { r.words = needed(r.text) })
	return len(r.words) == 0 || slices.ContainsFunc(r.words, func(w word) bool { return w.in(s) })
}

// String is the expression.
func (r *Regexp) String() string { return r.text }

func (r *Regexp) MatchString(s string) bool { return r.possible(s) && r.regexp().MatchString(s) }

func (r *Regexp) FindString(s string) string {
	if !r.possible(s) {
		return ""
	}
	return r.regexp().FindString(s)
}

func (r *Regexp) FindStringIndex(s string) []int {
	if !r.possible(s) {
		return nil
	}
	return r.regexp().FindStringIndex(s)
}

func (r *Regexp) FindStringSubmatch(s string) []string {
	if !r.possible(s) {
		return nil
	}
	return r.regexp().FindStringSubmatch(s)
}

func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	if !r.possible(s) {
		return nil
	}
	return r.regexp().FindStringSubmatchIndex(s)
}

func (r *Regexp) FindAllString(s string, n int) []string {
	if !r.possible(s) {
		return nil
	}
	return r.regexp().FindAllString(s, n)
}

func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	if !r.possible(s) {
		return nil
	}
	return r.regexp().FindAllStringIndex(s, n)
}

func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	if !r.possible(s) {
		return nil
	}
	return r.regexp().FindAllStringSubmatch(s, n)
}

func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if !r.possible(s) {
		return nil
	}
	return r.regexp().FindAllStringSubmatchIndex(s, n)
}

func (r *Regexp) ReplaceAllString(s, with string) string {
	if !r.possible(s) {
		return s
	}
	return r.regexp().ReplaceAllString(s, with)
}

func (r *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	if !r.possible(s) {
		return s
	}
	return r.regexp().ReplaceAllStringFunc(s, with)
}
