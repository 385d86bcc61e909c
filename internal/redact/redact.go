package redact

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Replacement is in place of a secret.
const Replacement = "[redacted]"

// span is a part of a text, in bytes.
type span struct{ start, end int }

// state is everything that is built once: about 0.3 ms, when the first text arrives.
type state struct {
	rules    []compiled
	keywords *keywords
	global   []compiledAllow
}

var shared = sync.OnceValue(func() *state {
	st := &state{rules: make([]compiled, len(ruleTable))}
	for i := range ruleTable {
		st.rules[i] = compile(&ruleTable[i])
	}
	for i := range globalAllow {
		st.global = append(st.global, compileAllow(&globalAllow[i]))
	}
	st.keywords = newKeywords(st.rules)
	return st
})

// String returns s with every secret replaced by [Replacement]. It takes a text of any form and length: a message, a
// log, a diff, a URL, YAML or JSON. A text without secrets is returned as it is; one with secrets loses its
// colours and other sequences for a terminal, which can hide a secret. It is safe for concurrent use, and
// String(String(s)) == String(s).
func String(s string) string {
	// A text is searched until nothing is found, because a value that follows a redacted one can come into view. This
	// ends: each round takes away a control sequence, or else a byte that is not part of a replacement, see settle.
	for {
		if plain := withoutSequences(s); plain != s {
			if found := secrets(plain); len(found) > 0 {
				s = replace(plain, found)
				continue
			}
		}
		found := secrets(s)
		if len(found) == 0 {
			return s
		}
		s = replace(s, found)
	}
}

// secrets returns the parts of s that must be replaced: in order, not overlapping, none of them already a replacement.
func secrets(s string) []span {
	st := shared()
	var found []span
	for i, windows := range st.keywords.windows(s, st.rules) {
		first := len(found)
		for _, w := range windows {
			// What an anchored rule has already found may hold its keyword many times more.
			if n := len(found); n > first && w.end <= found[n-1].end {
				continue
			}
			found = st.rules[i].find(s, w, st.global, found)
		}
	}
	return settle(s, lineSecrets(s, secretManifests(s, found)))
}

// settle orders and joins spans. A span that cuts a replacement in two is widened to contain all of it, and one of only
// replacements is dropped; without this, `password=[redacted]` would be found again and again.
func settle(s string, found []span) []span {
	if len(found) == 0 {
		return nil
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	done := replacements(s)
	var joined []span
	next := 0
	for _, f := range found {
		for next < len(done) && done[next].end <= f.start {
			next++
		}
		for i := next; i < len(done) && done[i].start < f.end; i++ {
			f.start, f.end = min(f.start, done[i].start), max(f.end, done[i].end)
		}
		if n := len(joined); n > 0 && f.start < joined[n-1].end {
			joined[n-1].end = max(joined[n-1].end, f.end)
			continue
		}
		joined = append(joined, f)
	}
	return slices.DeleteFunc(joined, func(f span) bool {
		return strings.ReplaceAll(s[f.start:f.end], Replacement, "") == ""
	})
}

// replacements finds the secrets that were already replaced.
func replacements(s string) []span {
	var done []span
	for at := 0; ; {
		i := strings.Index(s[at:], Replacement)
		if i < 0 {
			return done
		}
		done = append(done, span{at + i, at + i + len(Replacement)})
		at += i + len(Replacement)
	}
}

func replace(s string, found []span) string {
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, f := range found {
		b.WriteString(s[at:f.start])
		b.WriteString(Replacement)
		at = f.end
	}
	b.WriteString(s[at:])
	return b.String()
}
