package redact

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func tried(st *state, s string) []int {
	found := st.keywords.windows(s, st.rules)
	defer st.keywords.giveBack(found)
	return slices.Clone(found.rules)
}

func TestARuleIsTriedWhereverItsKeywordIs(t *testing.T) {
	st := shared()
	for i, r := range st.rules {
		for _, word := range r.keywords {
			_, first := utf8.DecodeRuneInString(word)
			for _, text := range []string{
				word, strings.ToUpper(word), strings.ToUpper(word[:first]) + word[first:], "a " + word, word + " a", "é" + word + "é", word[:1] + word, "\n" + word + "\n",
			} {
				if !slices.Contains(tried(st, text), i) {
					t.Errorf("%s is not tried in %q", r.id, text)
				}
			}
		}
	}
	if got := tried(st, "a-b"); len(got) > 0 { // what was found before is forgotten
		t.Errorf("%d rules are tried in a text without any keyword", len(got))
	}
}

func TestARuleIsTriedNowhereElse(t *testing.T) {
	st := shared()
	for _, text := range append(typicalReport(), "s", "", "su", "pa\u017fs", "\u212aey") {
		var want []int
		for i, r := range st.rules {
			if slices.ContainsFunc(r.keywords, func(word string) bool { return strings.Contains(asciiLower(text), word) }) {
				want = append(want, i)
			}
		}
		if got := tried(st, text); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func asciiLower(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = lower(b[i])
	}
	return string(b)
}

// Letters beyond ASCII have another first byte, or another last one, in the other case.
func TestAKeywordBeyondASCIIIsFoundInEitherCase(t *testing.T) {
	for _, word := range []string{"HASŁO", "Hasło", "LÖSENORD", "ПАРОЛЬ", "Пароль", "пароль", "ŞIFRE", "JELSZÓ"} {
		if got, want := String(word+": "+fake("", alnum, 12)+" x"), word+": "+Replacement+" x"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
