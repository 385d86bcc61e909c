package redact

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/zricethezav/gitleaks/v8/config"

	"github.com/argo-why/argo-why/internal/redact/effort"
)

// Replacement is in place of a secret.
const Replacement = "[redacted]"

// span is a part of a text, in bytes.
type span struct{ start, end int }

// state is everything that is built once, in 2 to 3 ms: when the first text arrives, or by [Prepare].
type state struct {
	rules    []compiled
	keywords *keywords
	global   []compiledAllow
}

var shared = sync.OnceValue(func() *state {
	rules, global, err := load(config.DefaultConfig, ourRules)
	if err != nil {
		panic("redact: " + err.Error()) // the rules are part of the program
	}
	return newState(rules, global)
})

func newState(rules []rule, global []allow) *state {
	st := &state{rules: make([]compiled, len(rules))}
	for i := range rules {
		st.rules[i] = compile(&rules[i])
	}
	for i := range global {
		st.global = append(st.global, compileAllow(&global[i]))
	}
	st.keywords = newKeywords(st.rules)
	return st
}

// Prepare reads the rules. The first text would do so too; a program that starts this early in a goroutine of its own has
// them read while it waits for something else.
func Prepare() { shared() }

// String returns s with every secret replaced by [Replacement]. It takes a text of any form: a message, a log, a diff, a
// URL, YAML or JSON. A text without secrets is returned as it is; one with secrets loses its colours and other sequences for
// a terminal, which can hide a secret. One that cannot be searched within a bounded effort is replaced by [NotShown]. It is
// safe for concurrent use, and String(String(s)) == String(s).
func String(s string) string { return StringContext(context.Background(), s) }

// StringContext is String until its context is done: then the text is replaced by [NotShown].
func StringContext(ctx context.Context, s string) string {
	if len(s) > longest {
		return NotShown
	}
	clean, ok := within(effort.New(ctx, leastSteps+stepsPerByte*len(s)), s)
	if !ok {
		return NotShown
	}
	return clean
}

// within is String within what the meter allows. If it is not ok, nothing is known of the text.
func within(m *effort.Meter, s string) (clean string, ok bool) {
	// A text is searched until nothing is found, because a value that follows a redacted one can come into view.
	for round := range maxRounds {
		found, text := []span(nil), s
		if plain := WithoutSequences(s); plain != s {
			m.Look(sequenceSteps * len(s))
			if found = search(plain, 0, m); len(found) > 0 {
				text = plain
			}
		}
		if len(found) == 0 {
			found = search(s, 0, m)
		}
		if len(found) == 0 { // what everything else leaves
			text, found = s, madeUp(s, m)
		}
		switch {
		case m.Done():
			return "", false
		case len(found) == 0:
			return s, true
		case round >= ordinaryRounds:
			found = settle(text, wholeLines(text, found))
		}
		s = replace(text, found)
	}
	return "", false
}

// wholeLines widens spans to their lines.
func wholeLines(s string, found []span) []span {
	end := 0
	for i, f := range found {
		start := strings.LastIndexByte(s[end:max(end, f.start)], '\n') + 1 + end
		end = max(end, f.end)
		if n := strings.IndexByte(s[end:], '\n'); n >= 0 {
			end += n
		} else {
			end = len(s)
		}
		found[i] = span{start, end}
	}
	return found
}

// search returns the parts of s that must be replaced: in order, not overlapping, none of them already a replacement. Depth
// is how many times s was encoded.
func search(s string, depth int, m *effort.Meter) []span {
	if m.Done() {
		return nil
	}
	found := told(s, m)
	if depth == 0 {
		found = lineSecrets(s, found)
	} else {
		// A line of base64 within base64 is not a line of a key that was cut off.
		found = cutKeys(s, found)
	}
	found = settle(s, append(found, disguised(s, depth, m)...))
	if len(found) == 0 {
		return nil
	}
	return settle(s, append(found, repeats(s, found, m)...))
}

// plain returns the secrets that stand in s as they are.
func plain(s string, m *effort.Meter) []span { return lineSecrets(s, told(s, m)) }

// told are those of them that their form, a name or a kind tells, and not only what their lines look like.
func told(s string, m *effort.Meter) []span {
	m.Look(passes * len(s))
	return secretManifests(s, namedSecrets(s, shared().find(s, m), m), m)
}

// find returns what the rules find in s.
func (st *state) find(s string, m *effort.Meter) []span {
	var found []span
	tried := st.keywords.windows(s, st.rules)
	defer st.keywords.giveBack(tried)
	for _, i := range tried.rules {
		r := &st.rules[i]
		if r.silent || m.Done() {
			continue
		}
		// gitleaks also limits how far what a rule needs may be away from it. A text is short, and too much is
		// better than too little.
		if slices.ContainsFunc(r.needs, func(id string) bool { return !st.anyOf(id, s, tried, m) }) {
			continue
		}
		found = r.search(s, tried.of[i], st.global, found, m)
	}
	return found
}

// anyOf tells whether the rule with that id finds anything.
func (st *state) anyOf(id, s string, tried *windows, m *effort.Meter) bool {
	i := slices.IndexFunc(st.rules, func(r compiled) bool { return r.id == id })
	return i >= 0 && len(st.rules[i].search(s, tried.of[i], st.global, nil, m)) > 0
}

// settle orders and joins spans. A span that cuts a replacement in two is widened to contain all of it, and one of only
// replacements is dropped; without this, `password=[redacted]` would be found again and again.
func settle(s string, found []span) []span {
	if len(found) == 0 {
		return nil
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	done := replacements(s)
	next := 0
	// Joined first, because many spans can end at the same place, with many replacements in them.
	joined := join(found)
	for i, f := range joined {
		for next < len(done) && done[next].end <= f.start {
			next++
		}
		for ; next < len(done) && done[next].start < f.end; next++ {
			f.start, f.end = min(f.start, done[next].start), max(f.end, done[next].end)
		}
		next = max(0, next-1) // it may reach into the next span as well
		joined[i] = f
	}
	joined = join(joined)
	return slices.DeleteFunc(joined, func(f span) bool {
		return strings.ReplaceAll(s[f.start:f.end], Replacement, "") == ""
	})
}

// join makes one span of those that overlap. They are in order.
func join(found []span) []span {
	var joined []span
	for _, f := range found {
		if n := len(joined); n > 0 && f.start < joined[n-1].end {
			joined[n-1].end = max(joined[n-1].end, f.end)
			continue
		}
		joined = append(joined, f)
	}
	return joined
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
