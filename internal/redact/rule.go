package redact

import (
	"math"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/redact/effort"
)

// rule is a rule of gitleaks or of ours, without what a text outside of a repository does not have (paths, commits).
type rule struct {
	id       string
	keywords []string // lower case; the pattern is only tried near one of them, and everywhere if there are none
	pattern  string
	group    int      // which group is the secret; 0 means the first group that matched, else the whole match
	entropy  float64  // the secret must have more than that, in bits for each character
	lines    bool     // sees several lines
	anchored bool     // the pattern begins with the keyword
	token    bool     // of a fixed form: its boundaries are replaced as if it were gitleaks'
	ours     bool     // from rules.toml: gitleaks' global allowlist does not apply
	silent   bool     // only there for rules that need it
	needs    []string // other rules that must find something too
	allow    []allow
}

// allow says which matches of a rule are no secrets.
type allow struct {
	all      bool   // every given condition must hold, else one is enough
	target   string // what the patterns look at: "" the secret, "match", or "line"
	patterns []string
	whole    bool     // a pattern must match all of the secret
	words    []string // lower case, found anywhere in the secret
}

// compiled is a rule with its expressions. They are compiled when they are first needed: all of gitleaks' rules
// together take 50 ms, a typical text needs five of them.
type compiled struct {
	*rule
	expression func() *expression
	allowed    []compiledAllow
}

type compiledAllow struct {
	*allow
	expressions func() []*regexp.Regexp
}

func compile(r *rule) compiled {
	c := compiled{rule: r, expression: sync.OnceValue(r.newExpression)}
	for i := range r.allow {
		c.allowed = append(c.allowed, compileAllow(&r.allow[i]))
	}
	return c
}

func isAlphanumeric(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

func compileAllow(a *allow) compiledAllow {
	return compiledAllow{allow: a, expressions: sync.OnceValue(func() []*regexp.Regexp {
		all := make([]*regexp.Regexp, 0, len(a.patterns))
		for _, p := range a.patterns {
			if a.whole {
				p = `\A(?:` + p + `)\z`
			}
			all = append(all, regexp.MustCompile(p))
		}
		return all
	})}
}

// anchoredBefore is how much of what is before its keyword an anchored rule's allowlist can see.
const anchoredBefore = 64

// search appends the spans of secrets in some windows of s.
func (c *compiled) search(s string, windows []span, global []compiledAllow, found []span, m *effort.Meter) []span {
	first := len(found)
	for _, w := range windows {
		// What an anchored rule has already found may hold its keyword many times more.
		if n := len(found); n > first && w.end <= found[n-1].end {
			continue
		}
		if m.Done() {
			return found
		}
		found = c.find(s, w, global, found, m)
	}
	return found
}

// find appends the spans of secrets in the window w of s.
func (c *compiled) find(s string, w span, global []compiledAllow, found []span, meter *effort.Meter) []span {
	text := s[w.start:w.end]
	if c.anchored {
		meter.Look(anchoredSteps)
	} else {
		meter.Look(len(text))
	}
	for _, m := range c.expression().matches(text, meter) {
		start, end := c.secret(m)
		if start >= end {
			continue
		}
		secret := text[start:end]
		meter.Look(passes * len(secret))
		if c.ours && !c.token && saidOfObject(s, w.start+start, secret) {
			continue
		}
		if c.entropy > 0 && entropy(secret) <= c.entropy {
			continue
		}
		match, line := text[m[0]:m[1]], text
		if c.anchored {
			line = s[wholeRunes(s, span{max(0, w.start-anchoredBefore), w.end}).start : w.start+m[1]]
		}
		if anyAllows(c.allowed, secret, match, line) || !c.ours && anyAllows(global, secret, match, line) {
			continue
		}
		at := span{w.start + start, w.start + end}
		if end == len(text) {
			at.end = valueEnd(s, at.end)
		}
		found = append(found, at)
	}
	return found
}

// saidOfObject tells what is said of an object, as in "Secret/app-client-secret: changed", from an assignment. The value
// begins at s[at].
func saidOfObject(s string, at int, value string) bool {
	before, ok := strings.CutSuffix(strings.TrimRight(s[max(0, at-256):at], " \t"), ":")
	if !ok || strings.ContainsAny(value, ":=") {
		return false
	}
	name := strings.TrimRight(before, "abcdefghijklmnopqrstuvwxyz0123456789.-/")
	// name now ends within the kind, after its last capital letter.
	kind := strings.TrimRight(name, asciiLetters)
	rest := before[len(kind):]
	word, object, ok := strings.Cut(rest, "/")
	return ok && object != "" && word != "" && 'A' <= word[0] && word[0] <= 'Z' &&
		(kind == "" || !strings.ContainsAny(kind[len(kind)-1:], "/._-0123456789"))
}

const asciiLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// secret returns the bounds of the secret within a match.
func (c *compiled) secret(m []int) (start, end int) {
	if c.group > 0 && c.ours {
		return m[2*c.group], m[2*c.group+1]
	}
	return secretOf(m)
}

func secretOf(m []int) (start, end int) {
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 && m[i+1] > m[i] {
			return m[i], m[i+1]
		}
	}
	return m[0], m[1]
}

// valueEnd is where a value ends that was cut by the end of its window, which is long but not endless.
func valueEnd(s string, from int) int {
	for i, r := range s[from:] {
		if r <= ' ' || r == '"' || r == '\'' || r == '\\' || r == utf8.RuneError {
			return from + i
		}
	}
	return len(s)
}

func anyAllows(list []compiledAllow, secret, match, line string) bool {
	for i := range list {
		if list[i].allows(secret, match, line) {
			return true
		}
	}
	return false
}

func (a *compiledAllow) allows(secret, match, line string) bool {
	target := secret
	switch a.target {
	case "match":
		target = match
	case "line":
		target = line
	}
	byPattern, byWord := false, false
	for _, e := range a.expressions() {
		if byPattern = e.MatchString(target); byPattern {
			break
		}
	}
	if len(a.words) > 0 {
		lower := strings.ToLower(secret)
		for _, w := range a.words {
			if byWord = strings.Contains(lower, w); byWord {
				break
			}
		}
	}
	if a.all {
		return (byPattern || len(a.patterns) == 0) && (byWord || len(a.words) == 0)
	}
	return byPattern || byWord
}

// entropy is Shannon's, in bits for each character.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
