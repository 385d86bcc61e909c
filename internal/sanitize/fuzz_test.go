package sanitize_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/sanitize"
)

var odd = []string{"\x1b\x1b[0m[31mred", "a\u202eb\u200b\u2060\U000e0041", "👩\u200d🚒 ⚠\ufe0f\ufe0f 1\ufe0f\u20e3", "می\u200c\u200cخ", "\xff\xfe\r\n\u0085", "[redacted][redacted]", "\u009b31m\x1b]0;t\x07", strings.Repeat("é", 200)}

var cleaners = map[string]func(string) string{
	"text":      sanitize.Text,
	"name":      sanitize.Name,
	"line":      func(s string) string { return string(sanitize.Line(s)) },
	"quotation": func(s string) string { return string(sanitize.Sprintf("%s", s)) },
}

func TestHarmlessTextsStay(t *testing.T) {
	for how, clean := range cleaners {
		for _, s := range odd {
			once := clean(s)
			if again := clean(once); again != once {
				t.Errorf("%s: %q becomes %q, and then %q", how, s, once, again)
			}
		}
	}
}

// FuzzAnyTextBecomesHarmless: whatever it was, and however often it comes through. That it stays the same the second time is not
// required of noise: a line end that has become a space can make a secret of the words beside it.
func FuzzAnyTextBecomesHarmless(f *testing.F) {
	for _, s := range odd {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for how, clean := range cleaners {
			once := clean(s)
			for _, got := range []string{once, clean(once)} {
				if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool {
					return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
				}) {
					t.Errorf("%s: %q becomes %q", how, s, got)
				}
			}
		}
	})
}
