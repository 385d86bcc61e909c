package redact

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"

	"github.com/argo-why/argo-why/internal/redact/effort"
)

// expression is that of a rule, with our boundaries. It is only compiled if a text has the run that each match has: that is 0.2 ms for
// each of them.
type expression struct {
	bounded
	anchored bool // to the start of the text
	regexp   func() *regexp.Regexp
	has      run // see oneByte
}

func (r *rule) newExpression() *expression {
	e := &expression{bounded: bounded{pattern: r.pattern}}
	switch {
	case !r.ours || r.token:
		e.bounded = rebound(r)
	case r.anchored:
		e.anchored = true
		e.pattern = `\A(?:` + r.pattern + `)`
	}
	e.regexp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(e.pattern) })
	if re, err := syntax.Parse(e.pattern, syntax.Perl); err == nil { // else compiling it tells why
		e.has = oneByte(re)
	}
	return e
}

// matches returns the matches in text, as FindAllStringSubmatchIndex would, except that what ends one secret may also begin
// the next.
func (e *expression) matches(text string, m *effort.Meter) [][]int {
	if !e.mayMatch(text) {
		return nil
	}
	if !e.fixed {
		if !e.anchored {
			m.Look(expressionSteps * len(text))
		}
		return e.regexp().FindAllStringSubmatchIndex(text, -1)
	}
	var all [][]int
	var token span
	for at := 0; at < len(text) && !m.Done(); {
		match := e.first(text, at, &token, m)
		if match == nil {
			break
		}
		start, end := secretOf(match)
		for e.open && end < len(text) && isAlphanumeric(text[end]) {
			end++ // a longer token than the expression knows goes as a whole
		}
		for end > start+1 && strings.IndexByte("./,", text[end-1]) >= 0 {
			end-- // it has this character, but at its end it is the sentence's
		}
		all = append(all, []int{match[0], max(end, match[1]), start, end})
		at = max(end, at+1)
	}
	return all
}

// mayMatch tells whether a text has what each match has.
func (e *expression) mayMatch(text string) bool { return e.has.in(text) }

// first returns the first match in text[at:], as FindStringSubmatchIndex would: the text begins there. If a secret is a run of its own,
// the expression is only tried at one, and sees a few characters around it: all that a boundary can be. In is the run that was
// looked at last; a long one is not read again for each secret in it.
func (e *expression) first(text string, at int, in *span, m *effort.Meter) []int {
	if e.token.length < shortestToken {
		return e.matchIn(text, span{at, len(text)}, m)
	}
	for ok := true; ok; *in, ok = e.token.next(text, in.end) {
		if in.end-max(at, in.start) < e.token.length {
			continue
		}
		part := span{max(at, in.start-aroundToken), min(len(text), in.end+aroundToken)}
		if !e.mayMatch(text[part.start:part.end]) {
			continue
		}
		if found := e.matchIn(text, part, m); found != nil {
			return found
		}
	}
	return nil
}

// A boundary before a token has up to six bytes, that behind it is one character; the part that is looked at must not
// cut a character. The runs to which what is around one may belong are too short to be tokens.
const (
	aroundToken   = 6 + 2*3
	shortestToken = 16
)

// matchIn returns the first match in a part of a text, with its places in the text.
func (e *expression) matchIn(text string, part span, m *effort.Meter) []int {
	match := e.regexp().FindStringSubmatchIndex(text[part.start:part.end])
	for i := range match {
		if match[i] >= 0 { // a group that took no part has no place
			match[i] += part.start
		}
	}
	if match == nil {
		m.Look(expressionSteps * (part.end - part.start))
	} else {
		m.Look(expressionSteps * (match[1] - part.start))
	}
	return match
}
