package redact

import (
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

// everyMatch are the matches in a text if the expression reads all of it.
func everyMatch(e *expression, text string) [][]int {
	if !e.fixed {
		return e.regexp().FindAllStringSubmatchIndex(text, -1)
	}
	all := *e
	all.token, all.has = run{}, run{}
	return all.matches(text, nil)
}

// The expression of each rule finds the same where only runs are looked at, whatever is around and between them.
func TestNothingIsMissedWhereOnlyRunsAreLookedAt(t *testing.T) {
	glue := []string{
		"", "", " ", "a", "Z", "0", "_", "-", ".", "=", ":", "/", "\\n", `\u0026`, "%3D", `\"`, "\n", "é", "\u017f", "\u212a", "\x80", "\xe2\x84", "…", "x ",
		strings.Repeat("a", 40), strings.Repeat("0f-", 20), strings.Repeat("Ab0_", 40),
	}
	var without []string
	for i := range shared().rules {
		r := &shared().rules[i]
		e := r.expression()
		re, err := syntax.Parse(r.pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		s := newSampler(uint64(i))
		found := 0
		for round := range 60 {
			text := s.text(re) + " "
			if round >= 10 {
				text = splice(s, re, glue)
			}
			want := everyMatch(e, text)
			if got := e.matches(text, nil); !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s in %q: got %v, want %v", r.id, text, got, want)
			}
			found += len(want)
		}
		if found == 0 {
			without = append(without, r.id)
		}
	}
	if len(without) > 5 { // some want more than their own expression says how to make
		t.Errorf("nothing to find for %v, so nothing could be missed", without)
	}
}

// splice is a text of what an expression matches, whole or in part, between other things.
func splice(s sampler, re *syntax.Regexp, glue []string) string {
	var b strings.Builder
	for range 1 + s.IntN(5) {
		b.WriteString(glue[s.IntN(len(glue))])
		one := s.text(re)
		switch at := s.IntN(len(one) + 1); s.IntN(9) {
		case 0:
			one = one[at:]
		case 1:
			one = one[:at]
		case 2:
			one = one[:at] + glue[s.IntN(len(glue))] + one[at:]
		case 3: // an expression may want either case
			one = strings.ToLower(one)
		}
		b.WriteString(one + glue[s.IntN(len(glue))])
	}
	return b.String()
}

// What a search for runs could get wrong, each in the text that would be missed.
func TestATokenIsFoundWhere(t *testing.T) {
	vault := "s" + "." + fake("", alnum, 24)
	batch := "hv" + "b." + fake("", alnum, 150)
	pat := "gl" + "pat-" + fake("", alnum, 20)
	for story, text := range map[string]string{
		"it is no longer than it must be":                           "login with § failed",
		"it is the whole text":                                      "§",
		"letters before it are an escape, and could be part of it":  `a\u0026§`,
		"a byte that is no character is before it":                  "login \xe2\x84§ failed",
		"a longer word without the point that it must have is near": strings.Repeat("argocd-application-controller ", 3) + "§ " + strings.Repeat("argocd-application-controller ", 3),
		"another one is directly before it":                         "§/§",
	} {
		for _, secret := range []string{vault, batch, pat} {
			want := strings.ReplaceAll(text, "§", Replacement)
			if got := String(strings.ReplaceAll(text, "§", secret)); got != want {
				t.Errorf("%s: got %q, want %q", story, got, want)
			}
		}
	}
	// (?i) also lets a letter match that is not ASCII: the sign of the kelvin is a k.
	if got := String("login with s" + "." + fake("", alnum, 23) + "\u212a failed"); got != "login with "+Replacement+" failed" {
		t.Errorf("got %q", got)
	}
}

func TestARunIsFoundWhereverItIs(t *testing.T) {
	set := bytesOf("ab", func(byte) bool { return false })
	r := rand.New(rand.NewPCG(16, 0))
	for range 2000 {
		text := make([]byte, r.IntN(12))
		for i := range text {
			text[i] = "aab-"[r.IntN(4)]
		}
		run := run{set, r.IntN(5)}
		from := r.IntN(len(text) + 1)
		want := -1
		for i := from; i+run.length <= len(text) && want < 0; i++ {
			if strings.Trim(string(text[i:i+run.length]), "ab") == "" {
				want = i
			}
		}
		if got := run.start(string(text), from); got != want {
			t.Errorf("%d in %q from %d: got %d, want %d", run.length, text, from, got, want)
		}
	}
	three := run{set, 3}
	if got, ok := three.next("ab-bab-", 0); !ok || got != (span{3, 6}) {
		t.Error(got, ok)
	}
}
